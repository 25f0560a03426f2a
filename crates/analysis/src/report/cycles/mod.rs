//! Cycles: a recording cut by the activations of something periodic, and the cycles that
//! differ from the median one.

mod anchor;
mod outliers;
mod times;

pub use anchor::{CycleAnchor, anchor_names, find_anchor};

use super::View;
use super::table::FrontEnd::{Html, Text, Viewer};
use crate::report::ReportKind;
use crate::report::cpu_times::CpuContext;
use crate::report::periods::{ActivationStream, thread_and_isr_streams};
use crate::report::table::{Cell, ReportTable, TableRow, column};
use anchor::Candidate;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use times::CycleTimes;

/// A successor belongs to the inferred chain if it follows in at least this share of the
/// cycles, in percent.
const MIN_SUCCESSION_PERCENT: u64 = 75;

/// The cycles of the scope. Without anything periodic, only the counts, which are 0.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Cycles {
    /// The name of the handler, thread or marker whose activations begin the cycles.
    pub anchor: Option<String>,
    /// Its kind: `interrupt`, `marker` or `thread`.
    pub kind: Option<&'static str>,
    /// The median length of a cycle, in ticks.
    pub period: Option<u64>,
    /// Number of complete cycles.
    pub cycles: u64,
    /// Cycles that could not be compared: events are missing, or what ran is not known.
    pub unknown: u64,
    /// What usually runs one after the other in a cycle. It is inferred from the order in
    /// which contexts run: not recorded.
    pub inferred_chain: Vec<String>,
    /// The cycles that differ from the median one, in order of time.
    pub outliers: Vec<CycleRow>,
}

impl TableRow for Cycles {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "cycles",
        title: ReportKind::Cycles.title(),
        note: "",
        empty: "Nothing is periodic",
        rank: "",
        columns: &[
            column!(Text, anchor, "Begins with"),
            column!(Text, kind, "Kind"),
            column!(Duration, period, "Median length"),
            column!(Count, cycles, "Complete cycles"),
            column!(Count, unknown, "Not compared")
                .hint("Events are missing, or what ran is not known"),
            column!(Count, outliers, "Outliers", |row| Some(Cell::Count(
                row.outliers.len() as u64
            )))
            .only(&[Text, Html, Viewer]),
            column!(Text, inferred_chain, "Inferred chain", |row| joined(
                &row.inferred_chain,
                " → "
            ))
            .hint("What usually runs one after the other"),
        ],
    };
}

/// A cycle that differs from the median one.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CycleRow {
    /// Its number, from 0.
    pub cycle: u64,
    /// The event of its start.
    pub event: u32,
    /// Its start.
    pub start: u64,
    /// Its length, in ticks.
    pub length: u64,
    /// The context whose time rose most, or `(interrupts off)`; `None` if nothing rose.
    pub context: Option<String>,
    /// What rose: `cpu-time`, `interrupts-off` or `off-core`; `None` if nothing did.
    pub measure: Option<&'static str>,
    /// Its value in this cycle, in ticks.
    pub measured: Option<u64>,
    /// The median, in ticks.
    pub usual: Option<u64>,
    /// What it exceeds the median by, in ticks.
    pub excess: Option<u64>,
    /// Contexts that usually run in a cycle, and did not run in this one.
    pub did_not_run: Vec<String>,
    /// The difference, as a sentence.
    pub cause: String,
    /// The contexts of the cycle and those that did not run.
    pub contexts: Vec<CycleContextRow>,
}

impl TableRow for CycleRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "cycles.outliers",
        title: "Outliers",
        note: "",
        empty: "No cycle differs from the median one",
        rank: "excess",
        columns: &[
            column!(Count, cycle, "Cycle"),
            column!(Event, event, "Event"),
            column!(Interval, start, "Start", |row| {
                Cell::interval(row.start, row.length, row.event)
            }),
            column!(Duration, length, "Length"),
            column!(Text, context, "Context"),
            column!(Text, measure, "Measure"),
            column!(Duration, measured, "Measured"),
            column!(Duration, usual, "Usual"),
            column!(Duration, excess, "Excess"),
            column!(Text, did_not_run, "Did not run", |row| joined(
                &row.did_not_run,
                ", "
            )),
            column!(Text, cause, "Cause"),
        ],
    };
}

/// The times of a context in a cycle.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CycleContextRow {
    /// The context.
    pub context: String,
    /// Its CPU time, in ticks.
    pub cpu: u64,
    /// The median of its CPU time, in ticks.
    pub usual_cpu: u64,
    /// Time between its first and its last run in which it did not run, in ticks; `None` if
    /// it is not a thread.
    pub off_core: Option<u64>,
    /// The median of that, in ticks.
    pub usual_off_core: Option<u64>,
}

impl TableRow for CycleContextRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "cycles.outliers.*.contexts",
        title: "Contexts",
        note: "Off-core: between its first and its last run",
        empty: "Nothing ran",
        rank: "cpu",
        columns: &[
            column!(Text, context, "Context"),
            column!(Duration, cpu, "CPU time"),
            column!(Duration, usual_cpu, "Usual CPU time"),
            column!(Duration, off_core, "Off-core"),
            column!(Duration, usual_off_core, "Usual off-core"),
        ],
    };
}

fn joined<'r>(names: &[String], separator: &str) -> Option<Cell<'r>> {
    (!names.is_empty()).then(|| Cell::Text(names.join(separator).into()))
}

/// The cycles of the scope that begin with the activations of `anchor`, or else of the
/// periodic source whose cycles resemble each other most.
pub fn cycles(view: &View<'_>, anchor: Option<CycleAnchor>) -> Cycles {
    cycles_of(view, anchor, &thread_and_isr_streams(view))
}

/// The same; `streams` contains those of the threads and interrupt service routines.
pub(super) fn cycles_of(
    view: &View<'_>,
    anchor: Option<CycleAnchor>,
    streams: &[ActivationStream],
) -> Cycles {
    let Some((found, times)) = Candidate::chosen(view, anchor, streams) else {
        return Cycles::default();
    };
    let all = times.len();
    Cycles {
        anchor: Some(found.anchor.name(view)),
        kind: Some(found.anchor.kind()),
        period: found.period.map(|period| period.0),
        cycles: all as u64,
        unknown: (all - times.known()) as u64,
        inferred_chain: inferred_chain(view, &times),
        outliers: outliers::outliers(view, &times, &found.activations),
    }
}

/// The outliers, as in the report with the chosen anchor.
pub fn outlier_rows(view: &View<'_>) -> Vec<CycleRow> {
    if !ReportKind::Cycles.applies_to(view) {
        return Vec::new();
    }
    cycles(view, None).outliers
}

/// The display name of a context.
fn context_name(view: &View<'_>, context: CpuContext) -> String {
    context.name(view.trace, view.schedule)
}

/// The contexts that run one after the other in most cycles.
fn inferred_chain(view: &View<'_>, times: &CycleTimes) -> Vec<String> {
    let enough = times.len() as u64 * MIN_SUCCESSION_PERCENT;
    let mut chain = Vec::new();
    let mut passed = BTreeSet::new();
    let mut last = None;
    loop {
        let after = times.successions.iter();
        let after = after.filter(|((before, _), count)| *before == last && *count * 100 >= enough);
        let Some(((_, next), _)) = after.max_by_key(|(_, count)| *count) else {
            break;
        };
        if !passed.insert(*next) {
            break;
        }
        chain.push(context_name(view, *next));
        last = Some(*next);
    }
    chain
}

#[cfg(test)]
mod tests;
