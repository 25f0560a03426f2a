//! Ground truth of trace buffers.

mod builder;
mod core;
mod inversions;
mod objects;
mod pipelines;
mod states;
mod threads;
mod totals;

pub use builder::write_with_truth;
pub use objects::KernelObjectTruth;
pub use pipelines::{
    EventTimeTruth, ItemStageTruth, PipelineItemTruth, PipelineStageTruth, PipelineTruth,
};
pub use states::{ThreadStateIntervalTruth, ThreadStateTruth};
pub use totals::{InversionTotals, PerformanceTotals, PreemptionTotals};

use serde::{Serialize, Serializer};
use std::fmt;

/// The ground truth of a buffer, from the simulated kernel.
///
/// It covers the events in the buffer: if the ring has wrapped, the last ones.
/// The number of an event is its position in the buffer; the oldest is 0. Times
/// are in ticks of the time source since the oldest event, and end with the
/// newest.
///
/// The dispatcher takes no time: the context that a core switches to runs from
/// the timestamp of the event that caused the switch, and a handler runs from
/// the timestamp of its `ISR_ENTER` to that of its `ISR_EXIT`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ThreadXTruth {
    /// Events in the buffer.
    pub events: u64,
    /// Cores of the target.
    pub cores: u8,
    /// Ticks from the oldest to the newest event.
    pub span_ticks: u64,
    /// Totals of the lists below.
    pub performance: PerformanceTotals,
    /// The application's threads in the order of their creation. The System
    /// Timer Thread, which never runs, is not included.
    pub threads: Vec<ThreadTruth>,
    /// Interrupts by number; those that log no entry come first.
    pub isrs: Vec<IsrTruth>,
    /// The running contexts: core by core, each from 0 to `span_ticks` without
    /// gaps.
    pub slices: Vec<SliceTruth>,
    /// Switches to threads, in the order of their events.
    pub dispatches: Vec<DispatchTruth>,
    /// Activations of interrupt handlers that have at least one event in the
    /// buffer or are active at its start or end, by start, the outer before the
    /// inner.
    pub activations: Vec<IsrActivationTruth>,
    /// Waits for mutexes of owners with lower priority, by their start.
    pub inversions: Vec<InversionTruth>,
    /// The queues, semaphores and mutexes that were used, after the newest
    /// event, by address.
    pub objects: Vec<KernelObjectTruth>,
    /// The pipeline, if there is one.
    pub pipelines: Vec<PipelineTruth>,
}

/// An address on the target; formatted and serialised as `"0x…"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Address(pub u64);

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl Serialize for Address {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The context that a core runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrueContext {
    /// The initialisation, which all cores wait for.
    Initialize,
    /// Idle.
    Idle,
    /// The thread with this control block.
    Thread(Address),
    /// The innermost handler, by its number; `None` if it logs no entry.
    Isr(Option<u64>),
}

/// A span in which a core ran one context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SliceTruth {
    /// The core's number.
    pub core: u8,
    /// Start.
    pub start_ticks: u64,
    /// End, later than the start.
    pub end_ticks: u64,
    /// The running context, which differs from those of the adjacent slices.
    pub context: TrueContext,
}

/// The cause of a dispatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DispatchCause {
    /// The previous thread made one of higher priority ready.
    PreemptionSolicited,
    /// An interrupt or another core made one of higher priority ready.
    PreemptionInterrupt,
    /// The time slice of the previous thread ended.
    TimeSlice,
    /// The previous thread let another of its priority run.
    Relinquish,
    /// The previous thread suspended itself.
    Suspension,
    /// The core was idle.
    FromIdle,
    /// The scheduler started.
    Start,
}

/// A thread starts to run on a core that ran another thread, idle or the
/// initialisation before, ignoring interrupts in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DispatchTruth {
    /// The event that caused it: the last one of the core before it, or one of
    /// another core that made the thread ready. Cores that wait for the
    /// initialisation start with its last event.
    pub event: u64,
    /// Time at which the thread starts to run.
    pub ticks: u64,
    /// The core's number.
    pub core: u8,
    /// Control block of the thread.
    pub thread: Address,
    /// The previous context; never an interrupt.
    pub previous: TrueContext,
    /// The cause.
    pub cause: DispatchCause,
}

/// A thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ThreadTruth {
    /// The name before truncation to the registry's size.
    pub name: String,
    /// Address of the control block.
    pub address: Address,
    /// The priority at its creation; 0 is the highest.
    pub priority: u8,
    /// Number of dispatches.
    pub dispatches: u64,
    /// Number of suspensions.
    pub suspensions: u64,
    /// Number of times it became ready, including the first time after its
    /// creation.
    pub resumptions: u64,
    /// Number of preemptions caused by its own call.
    pub preemptions_solicited: u64,
    /// Number of preemptions caused by an interrupt.
    pub preemptions_interrupt: u64,
    /// Number of preemptions at the end of its time slice.
    pub time_slices: u64,
    /// Number of calls of `tx_thread_relinquish`, including those without
    /// effect.
    pub relinquishes: u64,
    /// Ticks in which it ran, without interrupts.
    pub running_ticks: u64,
    /// Ticks in which interrupt handlers ran while it was on the core.
    pub interrupted_ticks: u64,
    /// Ticks in which it was ready without a core.
    pub ready_ticks: u64,
    /// Ticks since its creation in which it was suspended.
    pub suspended_ticks: u64,
    /// Its states from the oldest event on.
    pub states: Vec<ThreadStateIntervalTruth>,
}

/// The handlers of one interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct IsrTruth {
    /// The number that they log; `None` for all handlers that log none.
    pub number: Option<u64>,
    /// Number of activations, including those active at the oldest event.
    pub activations: u64,
    /// Number of activations that interrupted another handler.
    pub nested: u64,
    /// CPU time, without handlers that interrupted it.
    pub self_ticks: u64,
}

/// An activation of an interrupt handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct IsrActivationTruth {
    /// The core's number.
    pub core: u8,
    /// The number that it logs; `None` if it logs no entry.
    pub number: Option<u64>,
    /// Its first event; `None` if overwritten.
    pub enter_event: Option<u64>,
    /// Its last event; `None` if the buffer ends first.
    pub exit_event: Option<u64>,
    /// Start: 0 if before the oldest event.
    pub start_ticks: u64,
    /// End: that of the newest event if it has not ended.
    pub end_ticks: u64,
    /// Nesting depth, 1 for the outermost.
    pub depth: u8,
    /// Whether it logs neither entry nor exit, so that only its other events
    /// show it; its first and last event are its bounds.
    pub inferred: bool,
}

/// A thread waits for a mutex that a thread of lower priority owned when the
/// wait began, until it is resumed. Includes inversions whose start was
/// overwritten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InversionTruth {
    /// Control block of the mutex.
    pub mutex: Address,
    /// Name of the mutex before truncation to the registry's size.
    pub mutex_name: String,
    /// The thread that waits.
    pub blocked: Address,
    /// The thread that owned the mutex when the wait began, compared by its
    /// priority before it inherited that of the waiting thread.
    pub owner: Address,
    /// The `MUTEX_GET`; `None` if overwritten.
    pub get_event: Option<u64>,
    /// The `THREAD_SUSPEND`; `None` if overwritten.
    pub start_event: Option<u64>,
    /// The `THREAD_RESUME`; `None` if the buffer ends first.
    pub end_event: Option<u64>,
    /// Start of the wait: 0 if before the oldest event.
    pub start_ticks: u64,
    /// End of the wait: that of the newest event if it has not ended.
    pub end_ticks: u64,
    /// Whether a thread with lower priority than the waiting one, other than
    /// the current owner, ran on the waiting thread's core meanwhile.
    pub unbounded: bool,
    /// Whether such a thread ran on any core while the owner ran on none.
    pub unbounded_on_any_core: bool,
}
