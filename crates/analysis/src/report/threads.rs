//! Figures of each thread.

use super::performance::{ContextCounts, InversionCounts, Preemptions, by_thread};
use super::periods::{ActivationSource, RunLengths, run_lengths};
use super::{Distribution, Hex, View, stacks};
use crate::PackedVec;
use crate::report::ReportKind;
use crate::report::table::FrontEnd::{Html, Text, Viewer};
use crate::report::table::{Cell, ReportTable, TableRow, column};
use crate::schedule::{RunningContext, ThreadState, ThreadStateInterval};
use rtoscope_trace::{Context, SwitchModel, Ticks, WaitReason, parallel};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// A thread. What a context-switch log does not record, which is when and why a thread
/// waits, is ready or gives way, is `None` for it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ThreadRow {
    /// Its name, or its address if it has none.
    pub name: String,
    /// The address of its control block.
    pub address: Hex,
    /// Whether it is recorded as deleted.
    pub deleted: bool,
    /// Its priority in the registry, else the last recorded one (0 is the
    /// highest).
    pub priority: Option<u16>,
    /// The highest effective priority of its events.
    pub highest_priority: Option<u16>,
    /// The lowest effective priority of its events.
    pub lowest_priority: Option<u16>,
    /// Events that it logged.
    pub events: u64,
    /// Number of dispatches.
    pub dispatches: u64,
    /// Number of times that it stopped being ready.
    pub suspensions: Option<u64>,
    /// Number of times that it became ready.
    pub resumptions: Option<u64>,
    /// Number of times that it gave way to a resumed thread.
    pub preemptions: Option<Preemptions>,
    /// Number of times that it gave way because its time slice had expired.
    pub time_slices: Option<u64>,
    /// Calls by which it let others of its priority run first.
    pub relinquishes: Option<u64>,
    /// Inversions in which it was the blocked thread.
    pub inversions: Option<InversionCounts>,
    /// Lengths of its uninterrupted runs.
    pub run: Option<Distribution>,
    /// Its time by state.
    pub states: ThreadStateTimes,
    /// The used part of its stack, in percent of the size; `None` if it is unknown.
    pub stack_used_percent: Option<f64>,
}

impl TableRow for ThreadRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "threads",
        title: ReportKind::Threads.title(),
        note: "Solicited and by interrupt: preemptions by the thread's own calls, and by interrupts",
        empty: "No threads",
        rank: "states.running",
        columns: &[
            column!(Text, name, "Thread", |row| match row.deleted {
                true => Cell::made(&format_args!("{} (deleted)", row.name)),
                false => Cell::name(&row.name),
            }),
            column!(Count, priority, "Priority").hint("0 is the highest"),
            column!(Duration, states.running, "Running")
                .total()
                .only(&[Html, Viewer]),
            column!(Duration, states.ready, "Ready")
                .total()
                .only(&[Html, Viewer]),
            column!(Duration, waiting, "Waiting", |row| Some(Cell::Duration(
                row.states.waiting.values().sum()
            )))
            .total()
            .only(&[Viewer]),
            column!(Shares, states, "States", |row| Some(Cell::Shares(
                row.states.shares()
            )))
            .only(&[Html, Viewer]),
            column!(Count, highest_priority, "Highest")
                .hint("Highest priority during the trace")
                .only(&[Text, Viewer]),
            column!(Count, lowest_priority, "Lowest")
                .hint("Lowest priority during the trace")
                .only(&[Text, Viewer]),
            column!(Count, events, "Events"),
            column!(Count, dispatches, "Dispatches"),
            column!(Count, suspensions, "Suspensions"),
            column!(Count, resumptions, "Resumptions").only(&[Text, Viewer]),
            column!(Count, preemptions?.solicited, "Solicited")
                .hint("Preemptions by its own calls"),
            column!(Count, preemptions?.interrupt, "By interrupt")
                .hint("Preemptions by interrupts"),
            column!(Count, time_slices, "Time slices").only(&[Text, Viewer]),
            column!(Count, relinquishes, "Relinquishes").only(&[Text, Viewer]),
            column!(Count, inversions?.total, "Inversions"),
            column!(Distribution, run, "Run").hint("uninterrupted"),
            column!(Percent, stack_used_percent, "Stack usage").only(&[Text]),
        ],
    };
}

/// A thread's time by state, in ticks. The sum is the time of the scope, up to the thread's
/// deletion.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ThreadStateTimes {
    /// It ran.
    pub running: u64,
    /// It had a core, on which an interrupt ran.
    pub interrupted: u64,
    /// It could run and had no core; `None` if that is not recorded.
    pub ready: Option<u64>,
    /// It could not run, by wait reason: `sleep`, `queue`, `mutex` …
    pub waiting: BTreeMap<&'static str, u64>,
    /// Its state is unknown.
    pub unknown: u64,
}

impl ThreadStateTimes {
    /// The time in each state that occurred, by its name.
    pub fn shares(&self) -> Vec<(&str, u64)> {
        let waiting = self.waiting.iter().map(|(reason, ticks)| (*reason, *ticks));
        let shares = [
            ("running", self.running),
            ("interrupted", self.interrupted),
            ("ready", self.ready.unwrap_or_default()),
        ];
        let shares = shares.into_iter().chain(waiting);
        let shares = shares.chain([("unknown", self.unknown)]);
        shares.filter(|(_, ticks)| *ticks > 0).collect()
    }
}

/// The threads, in the order of the trace.
pub fn threads(view: &View<'_>) -> Vec<ThreadRow> {
    rows(view, &by_thread(view), &run_lengths(view))
}

/// The rows, given the counts of each context.
pub(super) fn rows(view: &View<'_>, counts: &[ContextCounts], runs: &RunLengths) -> Vec<ThreadRow> {
    let records_waits = view.trace.switch_model.records_states();
    // Explicit switches have no cause; active objects have no time slices and mutexes.
    let records_calls = view.trace.switch_model == SwitchModel::Inferred;
    let is_kernel = records_calls && view.active.is_empty();
    let running = running_times(view);
    let thread = |context: &Context| {
        let at = context.id.index();
        let object = context.object.and_then(|id| view.trace.objects.get(id));
        let own_events = view.event_counts.contexts.get(at).copied();
        let own_events = own_events.unwrap_or_default();
        let counts = counts.get(at).copied().unwrap_or_default();
        let registered = object.and_then(|object| object.priority);
        let intervals = view.thread_states(context.id);
        let ran = running.get(at).copied().unwrap_or_default();
        let last = intervals.last().map(|interval| interval.state);
        ThreadRow {
            name: view.trace.context_name(context.id),
            address: Hex(context.address),
            deleted: last == Some(ThreadState::Deleted)
                || object.is_some_and(|object| object.deleted),
            priority: registered.or(own_events.priorities.map(|(_, lowest)| lowest)),
            highest_priority: own_events.priorities.map(|(highest, _)| highest),
            lowest_priority: own_events.priorities.map(|(_, lowest)| lowest),
            events: own_events.events,
            dispatches: counts.dispatches,
            suspensions: records_waits.then_some(counts.suspensions),
            resumptions: records_waits.then_some(counts.resumptions),
            preemptions: records_calls.then_some(counts.preemptions),
            time_slices: is_kernel.then_some(counts.time_slices),
            relinquishes: records_calls.then_some(counts.relinquishes),
            inversions: is_kernel.then_some(counts.inversions),
            run: runs.get(&ActivationSource::Thread(context.id)).cloned(),
            states: ThreadStateTimes::of(view, intervals, ran),
            stack_used_percent: stacks::stack(view, context).and_then(|it| it.used_percent),
        }
    };
    parallel::map(view.threads().collect(), thread)
}

impl ThreadStateTimes {
    fn of(view: &View<'_>, intervals: &PackedVec<ThreadStateInterval>, ran: u64) -> Self {
        let mut states = Self::default();
        let mut waiting = [0_u64; WaitReason::ALL.len()];
        let mut held = 0;
        let mut ready = 0;
        for (interval, end) in with_ends(intervals, view.schedule.span) {
            let ticks = view.clip(interval.start, end).0;
            match interval.state {
                ThreadState::Unknown => states.unknown += ticks,
                ThreadState::Deleted => {}
                ThreadState::Ready => ready += ticks,
                ThreadState::Running => held += ticks,
                ThreadState::Waiting {
                    wait_reason: wait, ..
                } => {
                    if let Some(waited) = waiting.get_mut(wait as usize) {
                        *waited += ticks;
                    }
                }
            }
        }
        let records_waits = view.trace.switch_model.records_states();
        states.ready = records_waits.then_some(ready);
        states.running = ran.min(held);
        states.interrupted = held - states.running;
        let waits = WaitReason::ALL.iter().zip(waiting);
        let waits = waits.filter(|(_, ticks)| *ticks > 0);
        states.waiting = waits.map(|(wait, ticks)| (wait.name(), ticks)).collect();
        states
    }
}

/// The CPU time of each thread, by context, in its running intervals: on all cores, since a thread
/// belongs to none. A thread that is recorded as waiting still runs up to the switch.
fn running_times(view: &View<'_>) -> Vec<u64> {
    let mut times = vec![0; view.schedule.threads.len()];
    for core in &view.schedule.cores {
        // The interval in which each thread ran last.
        let mut cursors = vec![0; times.len()];
        for (slice, part) in core.within(view.window()) {
            let RunningContext::Thread(id) = slice.running.running_context() else {
                continue;
            };
            let (Some(time), Some(cursor)) =
                (times.get_mut(id.index()), cursors.get_mut(id.index()))
            else {
                continue;
            };
            let intervals = view.thread_states(id);
            let (mut at, mut interval) = (*cursor, intervals.get(*cursor));
            while let Some(current) = interval.filter(|it| it.start.0 < part.end) {
                *cursor = at;
                at += 1;
                interval = intervals.get(at);
                if current.state == ThreadState::Running {
                    let end = interval.map_or(part.end, |next| next.start.0.min(part.end));
                    *time += end.saturating_sub(current.start.0.max(part.start));
                }
            }
        }
    }
    times
}

/// State intervals with their ends.
pub(super) fn with_ends(
    intervals: &PackedVec<ThreadStateInterval>,
    span: Ticks,
) -> impl Iterator<Item = (ThreadStateInterval, Ticks)> {
    let intervals = intervals.with_next(0);
    intervals.map(move |(interval, next)| (interval, next.map_or(span, |next| next.start)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::switch_log::{
        A, B, SLEEP, enter, exit, log, on_one_core, resume, with_trace_view,
    };
    use crate::report::Scope;
    use rtoscope_trace::{ContextId, SchedEvent, SwitchModel};

    /// It runs 3 ticks more after it is recorded as waiting.
    #[test]
    fn a_thread_that_waits_before_the_switch_was_interrupted_as_long_as_it_was() {
        let wait = SchedEvent::Suspend {
            thread: A,
            wait_reason: WaitReason::Semaphore,
            next: ContextId::UNKNOWN,
        };
        let events = on_one_core(&[
            (0, resume(A)),
            (10, enter(0)),
            (15, exit(0)),
            (20, wait),
            (23, resume(B)),
            (30, SLEEP),
        ]);
        let mut trace = log(&events, false);
        trace.switch_model = SwitchModel::Explicit {
            ends_handlers: false,
            records_returns: false,
            records_states: true,
        };
        with_trace_view(&trace, &events, &Scope::default(), |view| {
            let states = ThreadStateTimes {
                running: 15,
                interrupted: 5,
                ready: Some(0),
                waiting: BTreeMap::from([("semaphore", 10)]),
                unknown: 0,
            };
            assert_eq!(threads(view)[0].states, states);
            assert_eq!(view.cpu_times.thread(A), 18);
        });
    }
}
