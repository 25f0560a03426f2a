//! Switches, interrupts-off sections, handlers and idle of a context-switch
//! log.
//!
//! Such a log records the running context, and the code location at which
//! interrupts were disabled. It names no objects or priorities, and does not
//! record why a thread gave way or what woke it.

mod idle;
pub(super) mod interrupts_off;
#[cfg(test)]
mod tests;

pub use idle::{IdleTime, IdleWakeUps};
pub use interrupts_off::{
    CodeLocationRow, InterruptsOffReport, InterruptsOffRow, UnknownDurations,
};

use super::rounding::three_decimals;
use super::{Hex, View};
use crate::report::ReportKind;
use crate::report::table::FrontEnd::Text;
use crate::report::table::{Cell, ReportTable, TableRow, column};
use rtoscope_trace::{ContextId, Ticks};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The figures of a context-switch log in the scope.
///
/// Times are those in the scope. An instantaneous event counts at its time, an
/// interval where it begins, and a duration where it ends.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ContextSwitches {
    /// Idle time.
    pub idle: IdleTime,
    /// Interrupts that wake a core from idle.
    pub wake_ups: IdleWakeUps,
    /// Interrupts-off sections; `None` if the recording has no event that
    /// disables interrupts.
    pub interrupts_off: Option<InterruptsOffReport>,
    /// Time in interrupts and the scheduler, outside handlers.
    pub kernel: TimeShare,
    /// The handlers, by number.
    pub handlers: Vec<HandlerRow>,
    /// Dispatches of a thread on a core that ran another thread or was idle.
    pub dispatches: u64,
    /// Switches of a core from one thread to another, with or without idle in
    /// between.
    pub context_switches: u64,
    /// Dispatches per second; `None` if the clock's frequency is not known, or
    /// no time passes.
    pub dispatches_per_second: Option<f64>,
    /// The events that resumed threads, by name: more than dispatches if a
    /// thread follows itself.
    pub resumes: BTreeMap<String, u64>,
    /// The threads, those with the most CPU time first.
    pub threads: Vec<ThreadSwitchRow>,
    /// Gaps of the recording in the scope. The running context is unknown from
    /// there to the next switch.
    pub gaps: u64,
    /// Time with an unknown running context.
    pub unknown: TimeShare,
}

impl TableRow for ContextSwitches {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "context_switches",
        title: ReportKind::ContextSwitches.title(),
        note: "",
        empty: "",
        rank: "",
        columns: &[
            column!(Count, dispatches, "Dispatches"),
            column!(Decimal, dispatches_per_second, "Dispatches per second"),
            column!(Count, context_switches, "Context switches"),
            column!(Text, resumes, "Resumed by", |row| {
                let resumes = row.resumes.iter();
                let resumes: Vec<_> = resumes.map(|(by, count)| format!("{by} {count}")).collect();
                Cell::made(&resumes.join(", "))
            }),
            column!(Percent, idle[share].percent, "Idle"),
            column!(Duration, idle[share].total, "Idle time").total(),
            column!(Count, idle.periods, "Idle periods"),
            column!(Percent, kernel.percent, "Kernel")
                .hint("Interrupts and the scheduler, outside handlers"),
            column!(Duration, kernel.total, "Kernel time").total(),
            column!(Percent, interrupts_off?[share].percent, "Interrupts off"),
            column!(
                Duration,
                interrupts_off?[share].total,
                "Interrupts-off time"
            )
            .total(),
            column!(Count, interrupts_off?.count, "Interrupts-off sections"),
            column!(Count, interrupts_off?.nested, "Nested disables"),
            column!(
                Text,
                interrupts_off.unknown,
                "Sections of unknown length",
                |row| Cell::made(&row.interrupts_off.as_ref()?.unknown)
            ),
            column!(Percent, unknown.percent, "Unknown"),
            column!(Duration, unknown.total, "Unknown time").total(),
            column!(Count, gaps, "Gaps"),
            column!(
                Distribution,
                interrupts_off?.duration,
                "Interrupts-off section"
            ),
            column!(Distribution, idle.duration, "Idle period"),
            column!(Distribution, wake_ups.to_thread, "Idle to thread"),
            column!(Distribution, wake_ups.spurious, "Idle to idle"),
        ],
    };
}

/// A share of the time of all cores.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct TimeShare {
    /// The time in ticks.
    pub total: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_ns: Option<u64>,
    /// The same in percent; `None` if no time passes.
    pub percent: Option<f64>,
}

/// An interrupt handler.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HandlerRow {
    /// The name or address of its function.
    pub name: String,
    /// Its address, if that identifies it.
    pub address: Option<Hex>,
    /// Number of activations.
    pub activations: u64,
    /// Number of activations that interrupted another handler.
    pub nested: u64,
    /// Its CPU time, without handlers that interrupted it.
    #[serde(flatten)]
    pub share: TimeShare,
    /// The maximum time from entry to exit, in ticks, of activations that ended
    /// in the scope with both recorded.
    pub max: Option<u64>,
    /// The exit of that activation.
    pub max_event: Option<u32>,
}

impl TableRow for HandlerRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "context_switches.handlers",
        title: "Handlers",
        note: "",
        empty: "No handlers were recorded",
        rank: "total",
        columns: &[
            column!(Text, name, "Handler"),
            column!(Address, address, "Address").only(&[Text]),
            column!(Count, activations, "Activations"),
            column!(Count, nested, "Nested"),
            column!(Duration, [share].total, "CPU time").total(),
            column!(Percent, [share].percent, "Share"),
            column!(Duration, max, "Longest").hint("Longest activation, from entry to exit"),
            column!(Event, max_event, "At event").hint("Exit of the longest activation"),
        ],
    };
}

/// A thread.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ThreadSwitchRow {
    /// Its name, or its address if it has none.
    pub name: String,
    /// The address of its name, or of the thread.
    pub address: Hex,
    /// Number of dispatches.
    pub dispatches: u64,
    /// Number of events that resumed it.
    pub resumes: u64,
    /// Its CPU time, without interrupts.
    #[serde(flatten)]
    pub share: TimeShare,
}

impl TableRow for ThreadSwitchRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "context_switches.threads",
        title: ReportKind::Threads.title(),
        note: "",
        empty: "No threads",
        rank: "total",
        columns: &[
            column!(Text, name, "Thread"),
            column!(Address, address, "Address").only(&[Text]),
            column!(Count, dispatches, "Dispatches"),
            column!(Count, resumes, "Resumptions"),
            column!(Duration, [share].total, "CPU time").total(),
            column!(Percent, [share].percent, "Share"),
        ],
    };
}

impl TimeShare {
    pub(super) fn of(view: &View<'_>, ticks: u64) -> Self {
        Self {
            total: ticks,
            total_ns: view.nanoseconds(Ticks(ticks)),
            percent: view.percent_of_cores(Ticks(ticks)),
        }
    }
}

/// Builds the report for the scope.
pub fn context_switches(view: &View<'_>) -> ContextSwitches {
    let kernel = view.sum_over_cores(|core| core.kernel);
    let unknown = view.sum_over_cores(|core| core.unknown);
    let mut threads = BTreeMap::new();
    let mut dispatches = 0;
    let mut context_switches = 0;
    for dispatch in &view.schedule.dispatches {
        let thread = dispatch.thread;
        if view.contains(dispatch.time)
            && view.includes_core(dispatch.core)
            && view.includes_thread(thread)
        {
            dispatches += 1;
            context_switches += u64::from(dispatch.is_switch());
            let counts: &mut SwitchCounts = threads.entry(thread).or_default();
            counts.dispatches += 1;
        }
    }
    let mut resumes = BTreeMap::new();
    for resumption in &view.schedule.resumptions {
        let Some(event) = view.trace.events.get(resumption.event) else {
            continue;
        };
        if view.contains(event.time) && view.scope.includes(&event) {
            *resumes.entry(event.kind).or_default() += 1;
            threads.entry(event.context).or_default().resumes += 1;
        }
    }
    let name = |kind| view.trace.catalogue.name(kind).into_owned();
    let gaps = view.trace.gaps.iter();
    let (idle, wake_ups) = idle::idle(view);
    let in_scope = gaps.filter(|gap| {
        let time = view.trace.events.time(gap.next_event);
        time.is_some_and(|time| view.contains(time))
    });
    ContextSwitches {
        idle,
        wake_ups,
        interrupts_off: interrupts_off::interrupts_off(view),
        kernel: TimeShare::of(view, kernel),
        handlers: handlers(view),
        dispatches,
        context_switches,
        dispatches_per_second: per_second(view, dispatches),
        resumes: resumes
            .into_iter()
            .map(|(kind, count)| (name(kind), count))
            .collect(),
        threads: by_thread(view, &threads),
        gaps: in_scope.count() as u64,
        unknown: TimeShare::of(view, unknown),
    }
}

#[derive(Default)]
struct SwitchCounts {
    dispatches: u64,
    resumes: u64,
}

fn per_second(view: &View<'_>, count: u64) -> Option<f64> {
    let rate = view.trace.timescale().per_second(count, view.span());
    rate.map(three_decimals)
}

fn handlers(view: &View<'_>) -> Vec<HandlerRow> {
    let rows = super::isr::isr(view).into_iter();
    let handler = |row: super::isr::IsrRow| HandlerRow {
        name: row.name,
        address: row.address,
        activations: row.activations,
        nested: row.nested,
        share: TimeShare::of(view, row.total),
        max: row.duration.as_ref().map(|it| it.max),
        max_event: row.duration.as_ref().map(|it| it.event),
    };
    rows.map(handler).collect()
}

fn by_thread(view: &View<'_>, counts: &BTreeMap<ContextId, SwitchCounts>) -> Vec<ThreadSwitchRow> {
    let thread = |context: &rtoscope_trace::Context| {
        let counts = counts.get(&context.id);
        ThreadSwitchRow {
            name: view.trace.context_name(context.id),
            address: Hex(context.address),
            dispatches: counts.map_or(0, |counts| counts.dispatches),
            resumes: counts.map_or(0, |counts| counts.resumes),
            share: TimeShare::of(view, view.sum_over_cores(|core| core.thread(context.id))),
        }
    };
    let mut rows: Vec<_> = view.threads().map(thread).collect();
    // Stable: threads with equal time stay in the order of the trace.
    rows.sort_by_key(|row| std::cmp::Reverse(row.share.total));
    rows
}
