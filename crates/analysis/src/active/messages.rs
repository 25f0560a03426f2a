//! Posted and deferred events, calls, and the timers that post events.

use super::StepId;
use rtoscope_trace::{Address, ContextId, Endpoint, EventIndex, Signal, Ticks};

/// A post: index into [`ActiveObjects::posts`](super::ActiveObjects::posts).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PostId(pub u32);

impl PostId {
    /// The number as an index into a slice.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An event put into an active object's queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Post {
    /// The event of the trace that records it.
    pub event: EventIndex,
    /// Its time.
    pub time: Ticks,
    /// The receiver.
    pub to: ContextId,
    /// The signal.
    pub signal: Signal,
    /// The sender.
    pub from: Endpoint,
    /// Whether it was put at the front.
    pub front: bool,
    /// Number of events in the queue after the post, if recorded.
    pub queued: Option<u32>,
    /// Whether it is a recalled event.
    pub recalled: bool,
    /// The step that took it; `None` if that is not certain, as after lost
    /// records.
    pub step: Option<StepId>,
}

/// A deferred event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deferral {
    /// The event of the trace that records it.
    pub event: EventIndex,
    /// Its time.
    pub time: Ticks,
    /// The active object that deferred it, if known.
    pub object: Option<ContextId>,
    /// The queue that keeps it.
    pub queue: Address,
    /// Its signal.
    pub signal: Signal,
    /// The post that recalled it, if any.
    pub recalled: Option<PostId>,
}

/// A synchronous call that the application recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncCall {
    /// The event of the trace that records it.
    pub event: EventIndex,
    /// Its time.
    pub time: Ticks,
    /// The function.
    pub function: Address,
    /// The caller.
    pub from: Endpoint,
    /// The callee.
    pub to: Endpoint,
}

/// How a timer's run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimerEnding {
    /// It expired. A periodic timer continues with a new run.
    Expired,
    /// It was stopped before it expired.
    Stopped {
        /// Remaining ticks of the framework's timer.
        remaining: u32,
    },
    /// It was started again before it expired.
    Restarted,
    /// It was running at the end of the trace.
    Running,
    /// Records are missing.
    Lost,
}

impl TimerEnding {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Expired => "expired",
            Self::Stopped { .. } => "stopped",
            Self::Restarted => "restarted",
            Self::Running => "running",
            Self::Lost => "lost",
        }
    }
}

/// A timer from its start, or its last expiry, to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimerRun {
    /// The timer.
    pub timer: Address,
    /// The active object that receives its events.
    pub object: ContextId,
    /// The signal that it sends, if known.
    pub signal: Option<Signal>,
    /// Nominal duration, in ticks of the framework's timer.
    pub ticks: u32,
    /// Period after that, in ticks of the framework's timer; 0 if none.
    pub period: u32,
    /// Whether it continues a periodic timer.
    pub periodic: bool,
    /// The event of the trace with which it began.
    pub first: EventIndex,
    /// Its start.
    pub start: Ticks,
    /// Its end, or the last time at which the trace confirms that it ran.
    pub end: Ticks,
    /// How it ended.
    pub ending: TimerEnding,
    /// The event of the trace that records the end, if any.
    pub last: Option<EventIndex>,
    /// The post of its event.
    pub post: Option<PostId>,
}
