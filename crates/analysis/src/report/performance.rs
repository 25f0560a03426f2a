//! Scheduler event counts.

use super::View;
use crate::PackedVec;
use crate::report::ReportKind;
use crate::report::table::{ReportTable, TableRow, column};
use crate::schedule::{SwitchCause, ThreadState, ThreadStateInterval};
use rtoscope_trace::{ContextId, Ticks};
use schemars::JsonSchema;
use serde::Serialize;

/// Preemptions by cause.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Preemptions {
    /// By a call of the preempted thread.
    pub solicited: u64,
    /// By an interrupt.
    pub interrupt: u64,
}

/// Priority inversions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InversionCounts {
    /// All.
    pub total: u64,
    /// Those prolonged by a thread that has nothing to do with the mutex.
    pub unbounded: u64,
}

/// The counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Performance {
    /// Number of times that a thread was given a core.
    pub dispatches: u64,
    /// Switches of a core from one thread to another, with or without idle in
    /// between.
    pub context_switches: u64,
    /// Number of times that a ready thread gave way to a resumed one.
    pub preemptions: Preemptions,
    /// Number of times that a thread gave way because its time slice had
    /// expired; `None` for active objects, which have none.
    pub time_slices: Option<u64>,
    /// Calls by which threads let others of their priority run first.
    pub relinquishes: u64,
    /// Number of times that a thread stopped being ready.
    pub suspensions: u64,
    /// Number of times that a thread became ready.
    pub resumptions: u64,
    /// Number of times that the kernel changed the priority of a thread, as
    /// with inheritance: recorded as a suspension and a resumption, and
    /// neither. `None` for active objects.
    pub priority_changes: Option<u64>,
    /// Activations of interrupt service routines, nested ones included.
    pub interrupts: u64,
    /// Activations of ISRs that interrupted others.
    pub nested_interrupts: u64,
    /// Priority inversions that began, or were first known, in the scope; `None` for active
    /// objects, whose recordings have no mutexes.
    pub inversions: Option<InversionCounts>,
}

/// The counts of a context.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ContextCounts {
    pub(super) dispatches: u64,
    context_switches: u64,
    pub(super) preemptions: Preemptions,
    pub(super) time_slices: u64,
    pub(super) relinquishes: u64,
    pub(super) suspensions: u64,
    pub(super) resumptions: u64,
    priority_changes: u64,
    pub(super) inversions: InversionCounts,
}

impl TableRow for Performance {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "performance",
        title: ReportKind::Performance.title(),
        note: "",
        empty: "",
        rank: "",
        columns: &[
            column!(Count, dispatches, "Dispatches"),
            column!(Count, context_switches, "Context switches"),
            column!(Count, preemptions.solicited, "Solicited preemptions"),
            column!(Count, preemptions.interrupt, "Interrupt preemptions"),
            column!(Count, time_slices, "Time slices"),
            column!(Count, relinquishes, "Relinquishes"),
            column!(Count, suspensions, "Suspensions"),
            column!(Count, resumptions, "Resumptions"),
            column!(Count, priority_changes, "Priority changes"),
            column!(Count, interrupts, "Interrupts"),
            column!(Count, nested_interrupts, "Nested interrupts"),
            column!(Count, inversions?.total, "Priority inversions"),
            column!(Count, inversions?.unbounded, "Unbounded inversions"),
        ],
    };
}

impl ContextCounts {
    fn count_preemption(&mut self, cause: SwitchCause) {
        match cause {
            SwitchCause::Solicited => self.preemptions.solicited += 1,
            SwitchCause::Interrupt => self.preemptions.interrupt += 1,
            SwitchCause::TimeSlice => self.time_slices += 1,
            SwitchCause::Yield => self.relinquishes += 1,
            SwitchCause::Start
            | SwitchCause::Idle
            | SwitchCause::Suspension
            | SwitchCause::Unknown => {}
        }
    }

    fn count_intervals(&mut self, intervals: &PackedVec<ThreadStateInterval>, view: &View<'_>) {
        let mut before = ThreadState::Unknown;
        for interval in intervals {
            if interval.start_known && view.contains(interval.start) {
                match interval.state {
                    // A thread that is terminated or reset was not ready
                    // before.
                    ThreadState::Waiting { .. } | ThreadState::Deleted if !before.is_stopped() => {
                        self.suspensions += 1;
                    }
                    // The first entry about a thread says nothing about its state before.
                    ThreadState::Ready if before.is_stopped() || before == ThreadState::Unknown => {
                        self.resumptions += 1;
                    }
                    _ => {}
                }
            }
            before = interval.state;
        }
    }
}

/// The counts of the whole scope. With several cores, suspensions, resumptions
/// and inversions belong to no core, and a scope of one core does not limit
/// them.
pub fn performance(view: &View<'_>) -> Performance {
    total(view, &by_thread(view))
}

/// The sums of the counts of all contexts.
pub(super) fn total(view: &View<'_>, by_thread: &[ContextCounts]) -> Performance {
    let mut counts = ContextCounts::default();
    for one in by_thread {
        counts.dispatches += one.dispatches;
        counts.context_switches += one.context_switches;
        counts.preemptions.solicited += one.preemptions.solicited;
        counts.preemptions.interrupt += one.preemptions.interrupt;
        counts.time_slices += one.time_slices;
        counts.relinquishes += one.relinquishes;
        counts.suspensions += one.suspensions;
        counts.resumptions += one.resumptions;
        counts.priority_changes += one.priority_changes;
        counts.inversions.total += one.inversions.total;
        counts.inversions.unbounded += one.inversions.unbounded;
    }
    let activations = view.schedule.activations.iter();
    let activations = activations.filter(|it| view.contains(it.start));
    let activations = activations.filter(|it| view.includes_core(it.core));
    let (mut interrupts, mut nested_interrupts) = (0, 0);
    for activation in activations {
        interrupts += 1;
        nested_interrupts += u64::from(activation.depth > 1);
    }
    let is_kernel = view.active.is_empty();
    Performance {
        dispatches: counts.dispatches,
        context_switches: counts.context_switches,
        preemptions: counts.preemptions,
        time_slices: is_kernel.then_some(counts.time_slices),
        relinquishes: counts.relinquishes,
        suspensions: counts.suspensions,
        resumptions: counts.resumptions,
        priority_changes: is_kernel.then_some(counts.priority_changes),
        interrupts,
        nested_interrupts,
        inversions: is_kernel.then_some(counts.inversions),
    }
}

/// The counts of each context, by its number; those outside the scope have
/// none. Interrupts belong to no thread.
pub(super) fn by_thread(view: &View<'_>) -> Vec<ContextCounts> {
    let mut counts = vec![ContextCounts::default(); view.schedule.threads.len()];
    let in_scope =
        |time: Ticks, thread: ContextId| view.contains(time) && view.includes_thread(thread);
    for dispatch in &view.schedule.dispatches {
        if in_scope(dispatch.time, dispatch.thread)
            && view.includes_core(dispatch.core)
            && let Some(count) = counts.get_mut(dispatch.thread.index())
        {
            count.dispatches += 1;
            count.context_switches += u64::from(dispatch.is_switch());
        }
    }
    for preemption in &view.schedule.preemptions {
        if in_scope(preemption.time, preemption.thread)
            && view.includes_core(preemption.core)
            && let Some(count) = counts.get_mut(preemption.thread.index())
        {
            count.count_preemption(preemption.cause);
        }
    }
    for change in &view.schedule.priority_changes {
        if in_scope(change.time, change.thread)
            && let Some(count) = counts.get_mut(change.thread.index())
        {
            count.priority_changes += 1;
        }
    }
    for inversion in &view.schedule.inversions {
        if in_scope(inversion.start, inversion.blocked)
            && let Some(count) = counts.get_mut(inversion.blocked.index())
        {
            count.inversions.total += 1;
            count.inversions.unbounded += u64::from(inversion.unbounded() == Some(true));
        }
    }
    for thread in view.threads() {
        if let Some(count) = counts.get_mut(thread.id.index()) {
            count.count_intervals(view.thread_states(thread.id), view);
        }
    }
    counts
}
