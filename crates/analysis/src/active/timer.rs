//! Timers from start to end.

use super::PostId;
use rtoscope_trace::{Address, ContextId, EventIndex, Signal, Ticks};

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
