//! Run-to-completion steps, and what state machines do in them.

use super::PostId;
use rtoscope_trace::active_object::{ActionRole, StepOutcome};
use rtoscope_trace::{Address, ContextId, EventIndex, Signal, Ticks, Vertex};

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

impl StepEnding {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Recorded(StepOutcome::Processed) => "processed",
            Self::Recorded(StepOutcome::Unhandled) => "unhandled",
            Self::Recorded(StepOutcome::GuardFalse) => "guard-false",
            Self::Recorded(StepOutcome::NoBranch) => "no-branch",
            Self::Recorded(StepOutcome::UnknownState) => "unknown-state",
            Self::Recorded(StepOutcome::TooDeep) => "too-deep",
            Self::Recorded(StepOutcome::TooManySegments) => "too-many-segments",
            Self::Lost => "lost",
            Self::Unrecorded => "unrecorded",
            Self::Open => "open",
        }
    }
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

/// A span of time in which a machine is in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateInterval {
    /// The state.
    pub state: Vertex,
    /// The event of the trace with which it begins.
    pub first: EventIndex,
    /// Its start.
    pub start: Ticks,
    /// Its end, or the last time at which the trace confirms the state.
    pub end: Ticks,
    /// Whether the end is recorded: with another state, or with the end of the
    /// trace; false if records are missing.
    pub complete: bool,
}

/// A transition that was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    /// The event of the trace that records it.
    pub event: EventIndex,
    /// Its time.
    pub time: Ticks,
    /// The active object.
    pub object: ContextId,
    /// The step that it belongs to, if known.
    pub step: Option<StepId>,
    /// The signal that triggered it; `None` for the initial one, and if
    /// unknown.
    pub trigger: Option<Signal>,
    /// Whether it is the initial transition, which creates the machine.
    pub initial: bool,
    /// The source state.
    pub source: Vertex,
    /// The target, which can be a pseudostate; `None` for an internal
    /// transition.
    pub target: Option<Vertex>,
    /// The state in which the machine remained; `None` if unknown.
    pub settled: Option<Vertex>,
}

/// An executed action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Action {
    /// The event of the trace that records it, which follows the action.
    pub event: EventIndex,
    /// The time at which it had been executed.
    pub time: Ticks,
    /// The active object.
    pub object: ContextId,
    /// Its role.
    pub role: ActionRole,
    /// The state that it belongs to.
    pub state: Vertex,
    /// The function.
    pub function: Address,
}
