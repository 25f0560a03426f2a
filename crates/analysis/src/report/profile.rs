//! CPU time by context.

use super::{CpuContext, Hex, View};
use crate::report::ReportKind;
use crate::report::table::FrontEnd::{Html, Text};
use crate::report::table::{Cell, ReportTable, TableRow, column};
use crate::schedule::Schedule;
use rtoscope_trace::{Contexts, SwitchModel, Ticks, Trace};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The kind of context of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProfileKind {
    /// A thread.
    Thread,
    /// Interrupt service routines with one number, or all without a number.
    Isr,
    /// Interrupts and the scheduler, outside the ISRs in the trace.
    Kernel,
    /// No thread was ready.
    Idle,
    /// Code that runs before the scheduler.
    Initialize,
    /// The running context is unknown.
    Unknown,
}

impl ProfileKind {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Thread => "thread",
            Self::Isr => "isr",
            Self::Kernel => "kernel",
            Self::Idle => "idle",
            Self::Initialize => "initialize",
            Self::Unknown => "unknown",
        }
    }
}

impl CpuContext {
    /// Its kind.
    pub const fn kind(self) -> ProfileKind {
        match self {
            Self::Thread(_) => ProfileKind::Thread,
            Self::Isr(_) => ProfileKind::Isr,
            Self::Kernel => ProfileKind::Kernel,
            Self::Idle => ProfileKind::Idle,
            Self::Initialize => ProfileKind::Initialize,
            Self::Unknown => ProfileKind::Unknown,
        }
    }

    /// Its name, as in [`ProfileRow::context`].
    pub fn name(self, trace: &Trace, schedule: &Schedule) -> String {
        match self {
            Self::Thread(id) => trace.context_name(id),
            Self::Isr(number) => schedule.isr_name(number),
            Self::Kernel => "(interrupt or scheduler)".to_owned(),
            Self::Idle => trace.context_name(Contexts::IDLE),
            Self::Initialize => trace.context_name(Contexts::INITIALIZE),
            Self::Unknown => "(unknown)".to_owned(),
        }
    }
}

/// CPU time of a context.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ProfileRow {
    /// The name: a thread's, an ISR's, `ISR 7`, `ISR (unnumbered)`, `(interrupt
    /// or scheduler)`, `(idle)`, `(initialize)` or `(unknown)`.
    pub context: String,
    /// The kind of context.
    pub kind: ProfileKind,
    /// The address of a thread, or of an ISR identified by it.
    pub address: Option<Hex>,
    /// The number of an ISR.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// Time in ticks.
    pub duration: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ns: Option<u64>,
    /// Share of the time of all cores; `None` if no time passes.
    pub percent: Option<f64>,
}

impl TableRow for ProfileRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "profile",
        title: ReportKind::Profile.title(),
        note: "",
        empty: "No context ran",
        rank: "duration",
        columns: &[
            column!(Text, context, "Context"),
            column!(Text, kind, "Kind", |row| Cell::name(row.kind.name())).only(&[Html]),
            column!(Address, address, "Address").only(&[Text]),
            column!(Duration, duration, "CPU time").total(),
            column!(Percent, percent, "Share"),
        ],
    };
}

/// The rows: threads in the order of the trace, including those that did not
/// run; then ISRs by number, the kernel if switches are explicit, then always
/// idle, initialisation and unknown. Their ticks add up to the time of all
/// cores, unless the scope has only some threads.
pub fn profile(view: &View<'_>) -> Vec<ProfileRow> {
    let mut isrs: BTreeMap<Option<u32>, u64> = BTreeMap::new();
    for (number, ticks) in view.core_cpu_times().flat_map(|core| &core.isrs) {
        let sum = isrs.entry(*number).or_default();
        *sum = sum.saturating_add(*ticks);
    }
    let row = |context: CpuContext, address, number, ticks| ProfileRow {
        context: context.name(view.trace, view.schedule),
        kind: context.kind(),
        address,
        number,
        duration: ticks,
        duration_ns: view.nanoseconds(Ticks(ticks)),
        percent: view.percent_of_cores(Ticks(ticks)),
    };
    let threads = view.threads().map(|thread| {
        let ticks = view.sum_over_cores(|core| core.thread(thread.id));
        let context = CpuContext::Thread(thread.id);
        row(context, Some(Hex(thread.address)), None, ticks)
    });
    let isrs = isrs.into_iter().map(|(number, ticks)| {
        let address = view.schedule.isr_function(number).map(|it| Hex(it.address));
        row(CpuContext::Isr(number), address, number, ticks)
    });
    let is_explicit = view.trace.switch_model != SwitchModel::Inferred;
    let kernel = is_explicit.then(|| {
        let ticks = view.sum_over_cores(|core| core.kernel);
        (CpuContext::Kernel, ticks)
    });
    let others = [
        (CpuContext::Idle, view.sum_over_cores(|core| core.idle)),
        (
            CpuContext::Initialize,
            view.sum_over_cores(|core| core.initialize),
        ),
        (
            CpuContext::Unknown,
            view.sum_over_cores(|core| core.unknown),
        ),
    ];
    let others = kernel.into_iter().chain(others);
    let others = others.map(|(context, ticks)| row(context, None, None, ticks));
    let beside_threads = isrs.chain(others).filter(|_| view.scope.threads.is_none());
    threads.chain(beside_threads).collect()
}
