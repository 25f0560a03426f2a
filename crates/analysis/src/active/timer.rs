//! Timers from start to end.

use super::PostId;
use rtoscope_trace::{Address, ContextId, EventIndex, Signal, Ticks};

/// How a timer's time ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimerEnding {
    /// It expired. A periodic timer goes on with a run of its own.
    Expired,
    /// It was stopped before.
    Stopped {
        /// What was left, in ticks of the framework's timer.
        remaining: u32,
    },
    /// It was started again before.
    Restarted,
    /// It was running at the end of the trace.
    Running,
    /// Records are missing meanwhile.
    Lost,
}

/// A timer from its start, or its last expiry, to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimerRun {
    /// The timer.
    pub timer: Address,
    /// Whom it sends to.
    pub object: ContextId,
    /// What it sends, if that is known.
    pub signal: Option<Signal>,
    /// How long it was to run, in ticks of the framework's timer.
    pub ticks: u32,
    /// The period that follows, in ticks of the framework's timer; 0 if none.
    pub period: u32,
    /// Whether it is the continuation of a periodic timer.
    pub periodic: bool,
    /// The event of the trace with which it began.
    pub first: EventIndex,
    /// From when on.
    pub start: Ticks,
    /// Until when, or the last time at which it is known to have run.
    pub end: Ticks,
    /// How it ended.
    pub ending: TimerEnding,
    /// The event of the trace that tells so, if one does.
    pub last: Option<EventIndex>,
    /// The post of its event.
    pub post: Option<PostId>,
}
