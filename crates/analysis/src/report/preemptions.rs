//! Preemptions: who makes whom give way, and for how long.

use super::{Distribution, Samples, View};
use crate::report::ReportKind;
use crate::report::table::{ReportTable, TableRow, column};
use crate::schedule::{Preemption, SwitchCause, ThreadState, ThreadStateInterval};
use rtoscope_trace::{ContextId, Ticks};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The preemptions of one thread by another one, counted as in the report `performance`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PreemptionRow {
    /// The thread that gives way.
    pub thread: String,
    /// The thread that it gives way to.
    pub by: String,
    /// Number of preemptions, with the expiries of time slices and the yields.
    pub count: u64,
    /// Those by an interrupt that made the other thread ready.
    pub interrupt: u64,
    /// Those by the thread's own call.
    pub solicited: u64,
    /// From the preemption until the thread runs again, or is suspended.
    pub ready: Option<Distribution>,
}

impl TableRow for PreemptionRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "preemptions",
        title: ReportKind::Preemptions.title(),
        note: "The other thread is the first one to run instead; further ones may follow it",
        empty: "No thread was preempted",
        rank: "count",
        columns: &[
            column!(Text, thread, "Thread"),
            column!(Text, by, "Preempted by"),
            column!(Count, count, "Count")
                .hint("With the expiries of time slices, and yields to the other thread"),
            column!(Count, interrupt, "By interrupt")
                .hint("An interrupt made the other thread ready"),
            column!(Count, solicited, "Solicited").hint("A call of the thread itself did"),
            column!(Distribution, ready, "Time without a core")
                .hint("from the preemption until the thread runs again"),
        ],
    };
}

/// The preemptions of the scope, the most frequent first.
pub fn preemptions(view: &View<'_>) -> Vec<PreemptionRow> {
    let mut totals: BTreeMap<(ContextId, ContextId), PreemptionTotals> = BTreeMap::new();
    // Number of intervals of each thread that start by its last preemption.
    let mut started = vec![0; view.schedule.threads.len()];
    for preemption in &view.schedule.preemptions {
        if view.contains(preemption.time)
            && view.includes_core(preemption.core)
            && view.includes_thread(preemption.thread)
            // A thread that yields while no other one is ready goes on.
            && preemption.to != preemption.thread
        {
            let pair = (preemption.thread, preemption.to);
            let mut none = 0;
            let started = started.get_mut(preemption.thread.index());
            let started = started.unwrap_or(&mut none);
            let totals = totals.entry(pair).or_default();
            totals.add(view, &preemption, started);
        }
    }
    let rows = totals
        .into_iter()
        .map(|((thread, by), totals)| PreemptionRow {
            thread: view.trace.context_name(thread),
            by: view.trace.context_name(by),
            count: totals.count,
            interrupt: totals.interrupt,
            solicited: totals.solicited,
            ready: totals.ready.distribution(&view.trace.clock),
        });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    rows
}

#[derive(Debug, Default)]
struct PreemptionTotals {
    count: u64,
    interrupt: u64,
    solicited: u64,
    ready: Samples,
}

impl PreemptionTotals {
    fn add(&mut self, view: &View<'_>, preemption: &Preemption, started: &mut usize) {
        self.count += 1;
        self.interrupt += u64::from(preemption.cause == SwitchCause::Interrupt);
        self.solicited += u64::from(preemption.cause == SwitchCause::Solicited);
        if let Some(interval) = ready_interval(view, preemption, started) {
            let thread = Some(preemption.thread);
            self.ready.add_interval(interval, preemption.event, thread);
        }
    }
}

/// From where a preempted thread is ready without a core to the end of that; `None` if
/// either is not recorded.
fn ready_interval(
    view: &View<'_>,
    preemption: &Preemption,
    started: &mut usize,
) -> Option<[Ticks; 2]> {
    let intervals = view.thread_states(preemption.thread);
    let is_started = |it: &ThreadStateInterval| it.start <= preemption.time;
    let after = intervals.partition_point_after(started, is_started);
    // It may still run when the other thread becomes ready.
    let mut first = intervals.with_next(after.checked_sub(1)?);
    let (ready, next) = first.find(|(it, _)| it.state != ThreadState::Running)?;
    let next = next?;
    let is_known = ready.state == ThreadState::Ready && next.state != ThreadState::Unknown;
    // It may not run yet.
    is_known.then_some([ready.start.max(preemption.time), next.start])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scope;
    use crate::fixture::{open, with_view};
    use crate::report::performance;

    #[test]
    fn counts_add_up_to_those_of_the_scheduler() {
        for name in ["cm3_system", "linux32_inv_nondet", "linux32_isr"] {
            let trace = open(&format!("{name}.trx"));
            with_view(&trace, &Scope::default(), |view| {
                let rows = preemptions(view);
                let all = performance::performance(view);
                let sum = |count: fn(&PreemptionRow) -> u64| rows.iter().map(count).sum::<u64>();
                assert_eq!(
                    sum(|row| row.interrupt),
                    all.preemptions.interrupt,
                    "{name}"
                );
                assert_eq!(
                    sum(|row| row.solicited),
                    all.preemptions.solicited,
                    "{name}"
                );
                assert!(rows.iter().all(|row| row.thread != row.by));
            });
        }
    }

    #[test]
    fn the_time_without_a_core_ends_where_the_thread_runs_again() {
        let trace = open("cm3_system.trx");
        with_view(&trace, &Scope::default(), |view| {
            for preemption in &view.schedule.preemptions {
                let Some([start, end]) = ready_interval(view, &preemption, &mut 0) else {
                    continue;
                };
                let states = view.thread_states(preemption.thread);
                let state = |time| {
                    states
                        .iter()
                        .rev()
                        .find(|it| it.start <= time)
                        .unwrap()
                        .state
                };
                assert_eq!(state(start), ThreadState::Ready);
                assert_ne!(state(end), ThreadState::Ready);
                assert!(preemption.time <= start && start <= end);
            }
        });
    }
}
