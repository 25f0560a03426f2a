//! Run-to-completion steps: an active object handles one event.

use super::PostId;
use rtoscope_trace::active_object::StepOutcome;
use rtoscope_trace::{Address, ContextId, Endpoint, EventIndex, Signal, Ticks, Vertex};

/// A step: index into [`ActiveObjects::steps`](super::ActiveObjects::steps).
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
    /// With the recorded outcome.
    Recorded(StepOutcome),
    /// Records are missing: neither outcome nor end is known.
    Lost,
    /// The records of the end are filtered out on the target; it lasted at
    /// least until its last record.
    Unrecorded,
    /// It lasted until the end of the trace.
    Open,
}

/// One run-to-completion step. A completion event, which is never posted, has
/// its own step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RtcStep {
    /// The active object.
    pub object: ContextId,
    /// The signal of the handled event; `None` for the initial transition, and
    /// if the target filters out the records with the signal.
    pub signal: Option<Signal>,
    /// Whether it is the initial transition, which creates the machine.
    pub initial: bool,
    /// The post of the event, if known.
    pub post: Option<PostId>,
    /// The first event of the trace that belongs to it.
    pub first: EventIndex,
    /// The last event.
    pub last: EventIndex,
    /// Its start.
    pub start: Ticks,
    /// Its end, or its last record.
    pub end: Ticks,
    /// How it ended.
    pub ending: StepEnding,
    /// Number of guards that were false. Another transition may have been found
    /// afterwards.
    pub guards_false: u32,
    /// The state before, if known.
    pub before: Option<Vertex>,
    /// The state after, if known.
    pub after: Option<Vertex>,
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
