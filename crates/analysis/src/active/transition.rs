//! Transitions and actions of state machines.

use super::StepId;
use rtoscope_trace::active_object::ActionRole;
use rtoscope_trace::{Address, ContextId, EventIndex, Signal, Ticks, Vertex};

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
