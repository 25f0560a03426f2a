//! Who had the processors, and for how long.

use super::{Hex, View};
use rtoscope_trace::{Contexts, Ticks};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a row of the profile speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A thread.
    Thread,
    /// Interrupt service routines of one number, or all without one.
    Isr,
    /// No thread was ready.
    Idle,
    /// What runs before the scheduler.
    Initialize,
    /// The trace does not say.
    Unknown,
}

/// How long something executed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The name: a thread's, `ISR 7`, `ISR (unnumbered)`, `(idle)`,
    /// `(initialize)` or `(unknown)`.
    pub context: String,
    /// What it is.
    pub kind: Kind,
    /// A thread's address.
    pub address: Option<Hex>,
    /// A routine's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// How long.
    pub ticks: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ns: Option<u64>,
    /// Part of the time of all cores; `None` if no time passes.
    pub percent: Option<f64>,
}

/// The rows: threads in the order of the trace, those that did not execute
/// included; then routines by number, then always idle, initialisation and
/// unknown. Their ticks add up to the time of all cores, unless only some
/// threads are looked at.
pub fn profile(view: &View<'_>) -> Vec<Row> {
    let mut isrs: BTreeMap<Option<u32>, u64> = BTreeMap::new();
    let [mut idle, mut initialize, mut unknown] = [0_u64; 3];
    for core in view.core_shares() {
        for (number, ticks) in &core.isrs {
            *isrs.entry(*number).or_default() += ticks;
        }
        idle += core.idle;
        initialize += core.initialize;
        unknown += core.unknown;
    }
    let row = |context, kind, address, number, ticks| Row {
        context,
        kind,
        address,
        number,
        ticks,
        ns: view.nanoseconds(Ticks(ticks)),
        percent: view.percent_of_cores(Ticks(ticks)),
    };
    let threads = view.threads().map(|thread| {
        let shares = view.core_shares();
        let shares = shares.filter_map(|core| core.threads.get(&thread.id));
        let ticks = shares.sum();
        let name = view.trace.context_name(thread.id);
        row(name, Kind::Thread, Some(Hex(thread.address)), None, ticks)
    });
    let isrs = isrs.into_iter().map(|(number, ticks)| {
        let name = isr_name(number);
        row(name, Kind::Isr, None, number, ticks)
    });
    let name = |context| view.trace.context_name(context);
    let others = [
        (name(Contexts::IDLE), Kind::Idle, idle),
        (name(Contexts::INITIALIZE), Kind::Initialize, initialize),
        ("(unknown)".to_owned(), Kind::Unknown, unknown),
    ];
    let others = others.into_iter();
    let others = others.map(|(name, kind, ticks)| row(name, kind, None, None, ticks));
    let beside_threads = isrs.chain(others).filter(|_| view.scope.threads.is_none());
    threads.chain(beside_threads).collect()
}

/// A routine's name for people.
pub fn isr_name(number: Option<u32>) -> String {
    match number {
        Some(number) => format!("ISR {number}"),
        None => "ISR (unnumbered)".to_owned(),
    }
}
