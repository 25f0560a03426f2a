use super::{Address, DispatchCause, DispatchTruth, ThreadxTruth};
use serde::Serialize;

/// Totals of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct PerformanceTotals {
    /// Threads that started to execute on a core.
    pub dispatches: u64,
    /// Dispatches of another thread than the core executed last; its first
    /// thread in the buffer does not count.
    pub context_switches: u64,
    /// Running, ready threads that were replaced by one of higher priority.
    pub preemptions: PreemptionTotals,
    /// Threads that were replaced because their time slice was over.
    pub time_slices: u64,
    /// Calls of `tx_thread_relinquish`.
    pub relinquishes: u64,
    /// Threads that began to wait.
    pub suspensions: u64,
    /// Threads that became ready.
    pub resumptions: u64,
    /// Activations of interrupt handlers, the nested too.
    pub interrupts: u64,
    /// Those that interrupted another handler.
    pub nested_interrupts: u64,
    /// Waits for mutexes of owners with lower priority.
    pub inversions: InversionTotals,
}

/// Preemptions by what caused them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct PreemptionTotals {
    /// By a call of the thread that was replaced.
    pub solicited: u64,
    /// By an interrupt.
    pub interrupt: u64,
}

/// Priority inversions by their kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct InversionTotals {
    /// All.
    pub total: u64,
    /// Those in which a third thread of lower priority executed on the core.
    pub unbounded: u64,
}

impl PerformanceTotals {
    /// Sums up the lists; `held_at_start` are the threads that the cores
    /// executed at the oldest event, interrupted or not.
    pub(super) fn from_lists(truth: &ThreadxTruth, held_at_start: &[Option<Address>]) -> Self {
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
