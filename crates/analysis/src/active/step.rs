//! Run-to-completion steps: an active object handles one event.

use super::PostId;
use rtoscope_trace::active_object::StepOutcome;
use rtoscope_trace::{Address, ContextId, Endpoint, EventIndex, Signal, Ticks, Vertex};

/// A step of an analysis: index into [`Active::steps`](super::Active::steps).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(pub u32);

impl StepId {
    /// The number as an index into a slice.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepEnding {
    /// As the trace tells.
    Recorded(StepOutcome),
    /// Records are missing: it is not known how, nor when.
    Lost,
    /// The records that tell are filtered out on the target; it lasted until
    /// its last record at least.
    Unrecorded,
    /// It lasted until the end of the trace.
    Open,
}

/// One run-to-completion step. A completion event, which nobody posts, has a
/// step of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Who.
    pub object: ContextId,
    /// The event that it handled; `None` for the initial transition, and where
    /// the target filters out the records that tell it.
    pub signal: Option<Signal>,
    /// Whether it is the machine's first, which creates it.
    pub initial: bool,
    /// The post of that event, if it is known.
    pub post: Option<PostId>,
    /// The first event of the trace that belongs to it.
    pub first: EventIndex,
    /// The last.
    pub last: EventIndex,
    /// When it began.
    pub start: Ticks,
    /// When it ended, or its last record.
    pub end: Ticks,
    /// How it ended.
    pub ending: StepEnding,
    /// Guards that were false in it. Another transition may have been found then.
    pub guards_false: u32,
    /// The state before, if it is known.
    pub before: Option<Vertex>,
    /// The state after, if it is known.
    pub after: Option<Vertex>,
}

/// A synchronous call that the application recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncCall {
    /// The event of the trace that tells.
    pub event: EventIndex,
    /// When.
    pub time: Ticks,
    /// Which function.
    pub function: Address,
    /// Who called.
    pub from: Endpoint,
    /// Who was called.
    pub to: Endpoint,
}
