//! What really happened in the time that a buffer covers.

mod builder;
mod core;
mod inversions;
mod objects;
mod states;
mod threads;
mod totals;

pub use builder::write_with_truth;
pub use objects::KernelObjectTruth;
pub use states::{ThreadStateIntervalTruth, ThreadStateTruth};
pub use totals::{InversionTotals, PerformanceTotals, PreemptionTotals};

use serde::{Serialize, Serializer};
use std::fmt;

/// What really happened, as the simulated kernel knows it.
///
/// It speaks about the events in the buffer alone: if the ring has wrapped, the
/// last ones. An event's number is its position in the buffer, the oldest is 0.
/// Times are in ticks of the time source since the oldest event, and end with
/// the newest.
///
/// The dispatcher takes no time: whoever a core switches to executes from the
/// stamp of the event that caused it, and a handler executes from the stamp of
/// its `ISR_ENTER` to that of its `ISR_EXIT`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ThreadxTruth {
    /// Events in the buffer.
    pub events: u64,
    /// Cores of the target.
    pub cores: u8,
    /// Ticks from the oldest to the newest event.
    pub span_ticks: u64,
    /// Totals of the lists below.
    pub performance: PerformanceTotals,
    /// The application's threads in the order of their creation. The System
    /// Timer Thread, which never runs, is not among them.
    pub threads: Vec<ThreadTruth>,
    /// Interrupts by their numbers; those that log no entry come first.
    pub isrs: Vec<IsrTruth>,
    /// Who executed: core after core, each from 0 to `span_ticks` without gaps.
    pub slices: Vec<SliceTruth>,
    /// Switches to threads, in the order of their events.
    pub dispatches: Vec<DispatchTruth>,
    /// Runs of interrupt handlers that have at least one event in the buffer or
    /// are under way in it, by their start, the outer before the inner.
    pub activations: Vec<IsrActivationTruth>,
    /// Waits for mutexes of owners with lower priority, by their start.
    pub inversions: Vec<InversionTruth>,
    /// The queues, semaphores and mutexes that were used, as the newest event
    /// leaves them, by their addresses.
    pub objects: Vec<KernelObjectTruth>,
}

/// An address on the target; `"0x…"` as text and when serialised.
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

/// Who a core executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrueContext {
    /// The initialisation, for which all cores wait.
    Initialize,
    /// Nobody.
    Idle,
    /// The thread with this control block.
    Thread(Address),
    /// The innermost handler, by its number; `None` if it logs no entry.
    Isr(Option<u64>),
}

/// A core executes somebody for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SliceTruth {
    /// The core's number.
    pub core: u8,
    /// When it begins.
    pub start_ticks: u64,
    /// When it ends, later than it begins.
    pub end_ticks: u64,
    /// Who is executed, another than in the slices before and after.
    pub context: TrueContext,
}

/// Why a core switches to a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DispatchCause {
    /// The thread before made one of higher priority ready.
    PreemptionSolicited,
    /// An interrupt or another core made one of higher priority ready.
    PreemptionInterrupt,
    /// The time slice of the thread before was over.
    TimeSlice,
    /// The thread before let another of its priority run.
    Relinquish,
    /// The thread before suspended itself.
    Suspension,
    /// The core was idle.
    FromIdle,
    /// The scheduler starts.
    Start,
}

/// A thread starts to execute on a core that executed another thread, nobody or
/// the initialisation before. Interrupts in between do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DispatchTruth {
    /// The event that caused it: the last one of the core before it, or one of
    /// another core that made the thread ready. Cores that wait for the
    /// initialisation start with its last event.
    pub event: u64,
    /// When the thread starts to execute.
    pub ticks: u64,
    /// The core's number.
    pub core: u8,
    /// Control block of the thread.
    pub thread: Address,
    /// Who executed before; no interrupt.
    pub previous: TrueContext,
    /// Why.
    pub cause: DispatchCause,
}

/// What a thread did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ThreadTruth {
    /// The name before it was cut to the registry's size.
    pub name: String,
    /// Address of the control block.
    pub address: Address,
    /// The priority that it was created with; 0 is the highest.
    pub priority: u8,
    /// How often it started to execute.
    pub dispatches: u64,
    /// How often it began to wait.
    pub suspensions: u64,
    /// How often it became ready, the first time after its creation too.
    pub resumptions: u64,
    /// How often another replaced it because of its own call.
    pub preemptions_solicited: u64,
    /// How often another replaced it because of an interrupt.
    pub preemptions_interrupt: u64,
    /// How often another replaced it because its time slice was over.
    pub time_slices: u64,
    /// How often it called `tx_thread_relinquish`, also if none took its place.
    pub relinquishes: u64,
    /// Ticks in which it executed, without interrupts.
    pub running_ticks: u64,
    /// Ticks in which interrupt handlers executed while it had the core.
    pub interrupted_ticks: u64,
    /// Ticks in which it could have executed, but did not have the core.
    pub ready_ticks: u64,
    /// Ticks from its creation on in which it waited.
    pub suspended_ticks: u64,
    /// Its states from the oldest event on.
    pub states: Vec<ThreadStateIntervalTruth>,
}

/// What the handlers of one interrupt did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct IsrTruth {
    /// The number that they log; `None` for all that log none.
    pub number: Option<u64>,
    /// How often it began, or was under way at the oldest event.
    pub activations: u64,
    /// How many of them interrupted another handler.
    pub nested: u64,
    /// Ticks in which it executed, without handlers that interrupted it.
    pub self_ticks: u64,
}

/// One run of an interrupt handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct IsrActivationTruth {
    /// The core's number.
    pub core: u8,
    /// The number that it logs; `None` if it logs no entry.
    pub number: Option<u64>,
    /// Its first event; `None` if that was overwritten.
    pub enter_event: Option<u64>,
    /// Its last event; `None` if the buffer ends before.
    pub exit_event: Option<u64>,
    /// When it begins: 0 if that was before the oldest event.
    pub start_ticks: u64,
    /// When it ends: with the newest event if it goes on.
    pub end_ticks: u64,
    /// 1 for the outermost.
    pub depth: u8,
    /// Whether it logs neither entry nor exit, so that only its other events
    /// give it away; its first and last of these are its bounds.
    pub inferred: bool,
}

/// A thread waits for a mutex that a thread of lower priority owned when the
/// wait began, until it is resumed. An inversion of which the beginning was
/// overwritten is one too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InversionTruth {
    /// Control block of the mutex.
    pub mutex: Address,
    /// Name of the mutex before it was cut to the registry's size.
    pub mutex_name: String,
    /// The thread that waits.
    pub blocked: Address,
    /// The thread that owned the mutex when the wait began. Its priority counts
    /// as it was before it inherited that of the waiting thread.
    pub owner: Address,
    /// The `MUTEX_GET`; `None` if it was overwritten.
    pub get_event: Option<u64>,
    /// The `THREAD_SUSPEND`; `None` if it was overwritten.
    pub start_event: Option<u64>,
    /// The `THREAD_RESUME`; `None` if the buffer ends before.
    pub end_event: Option<u64>,
    /// When the wait begins: 0 if that was before the oldest event.
    pub start_ticks: u64,
    /// When it ends: with the newest event if it goes on.
    pub end_ticks: u64,
    /// Whether meanwhile a thread of lower priority than the waiting one, and
    /// not the owner at that moment, executed on the waiting one's core.
    pub unbounded: bool,
    /// Whether such a thread executed on any core while the owner executed on none.
    pub unbounded_on_any_core: bool,
}
