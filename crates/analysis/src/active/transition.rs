//! What state machines did.

use super::StepId;
use rtoscope_trace::active_object::ActionRole;
use rtoscope_trace::{Address, ContextId, EventIndex, Signal, Ticks, Vertex};

/// A transition that was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    /// The event of the trace that tells.
    pub event: EventIndex,
    /// When.
    pub time: Ticks,
    /// Whose.
    pub object: ContextId,
    /// The step that it belongs to, if that is known.
    pub step: Option<StepId>,
    /// What triggered it; `None` for the initial one and where it is not known.
    pub trigger: Option<Signal>,
    /// Whether it is the machine's first, which creates it.
    pub initial: bool,
    /// Where it starts.
    pub source: Vertex,
    /// Where it leads, which can be a pseudostate; `None` for an internal one.
    pub target: Option<Vertex>,
    /// The state in which the machine stayed then; `None` where that is not known.
    pub settled: Option<Vertex>,
}

/// An action that was executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Action {
    /// The event of the trace that tells, which stands behind the action.
    pub event: EventIndex,
    /// When it had been executed.
    pub time: Ticks,
    /// Whose.
    pub object: ContextId,
    /// What for.
    pub role: ActionRole,
    /// The state that it belongs to.
    pub state: Vertex,
    /// The function.
    pub function: Address,
}
