use super::{Address, DispatchCause, DispatchTruth, ThreadXTruth};
use serde::Serialize;

/// Totals of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct PerformanceTotals {
    /// Dispatches.
    pub dispatches: u64,
    /// Dispatches of another thread than the core ran last; the first thread of
    /// a core does not count.
    pub context_switches: u64,
    /// Preemptions of running, ready threads by one of higher priority.
    pub preemptions: PreemptionTotals,
    /// Preemptions at the end of a time slice.
    pub time_slices: u64,
    /// Calls of `tx_thread_relinquish`.
    pub relinquishes: u64,
    /// Suspensions of threads.
    pub suspensions: u64,
    /// Resumptions of threads.
    pub resumptions: u64,
    /// Activations of interrupt handlers, including nested ones.
    pub interrupts: u64,
    /// Activations that interrupted another handler.
    pub nested_interrupts: u64,
    /// Waits for mutexes of owners with lower priority.
    pub inversions: InversionTotals,
}

/// Preemptions by cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct PreemptionTotals {
    /// By a call of the preempted thread.
    pub solicited: u64,
    /// By an interrupt.
    pub interrupt: u64,
}

/// Priority inversions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct InversionTotals {
    /// All.
    pub total: u64,
    /// Inversions in which a third thread of lower priority ran on the core.
    pub unbounded: u64,
}

impl PerformanceTotals {
    /// Sums up the lists; `threads_at_start` are the threads on the cores at
    /// the oldest event, interrupted or not.
    pub(super) fn from_lists(truth: &ThreadXTruth, held_at_start: &[Option<Address>]) -> Self {
        let caused = |cause| {
            let dispatches = truth.dispatches.iter();
            dispatches.filter(|it| it.cause == cause).count() as u64
        };
        let threads = || truth.threads.iter();
        let activations = || truth.activations.iter();
        let inversions = || truth.inversions.iter();
        Self {
            dispatches: truth.dispatches.len() as u64,
            context_switches: context_switches(&truth.dispatches, held_at_start),
            preemptions: PreemptionTotals {
                solicited: caused(DispatchCause::PreemptionSolicited),
                interrupt: caused(DispatchCause::PreemptionInterrupt),
            },
            time_slices: caused(DispatchCause::TimeSlice),
            relinquishes: threads().map(|it| it.relinquishes).sum(),
            suspensions: threads().map(|it| it.suspensions).sum(),
            resumptions: threads().map(|it| it.resumptions).sum(),
            interrupts: activations().count() as u64,
            nested_interrupts: activations().filter(|it| it.depth > 1).count() as u64,
            inversions: InversionTotals {
                total: inversions().count() as u64,
                unbounded: inversions().filter(|it| it.unbounded).count() as u64,
            },
        }
    }
}

fn context_switches(dispatches: &[DispatchTruth], held_at_start: &[Option<Address>]) -> u64 {
    let mut last = held_at_start.to_vec();
    let mut switches = 0;
    for dispatch in dispatches {
        if let Some(last) = last.get_mut(usize::from(dispatch.core)) {
            let before = last.replace(dispatch.thread);
            switches += u64::from(before.is_some_and(|before| before != dispatch.thread));
        }
    }
    switches
}
