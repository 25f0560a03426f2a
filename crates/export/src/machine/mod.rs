//! State machines observed in a trace: states with their residency, and transitions
//! with their counts.
//!
//! [`StateMachine::new`] builds the model; [`mermaid`] and [`dot`] render it.
//!
//! A trace does not contain the nesting of states. It is inferred: a state that is
//! entered while another one is active, and left before that one is left, is inside
//! it. Times prove this only if they differ; states without proof stay side by
//! side. A machine without entry and exit records is therefore flat.

mod builder;
pub mod dot;
mod labels;
pub mod mermaid;
mod nesting;
mod transition_stats;

use rtoscope_analysis::active::ActiveObjects;
use rtoscope_trace::{ContextId, Ticks, Trace, Vertex};

/// The model of a state machine diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct StateMachine {
    /// The active object.
    pub object: ContextId,
    /// The name of the active object.
    pub name: String,
    /// States and pseudostates, including those never entered, sorted by address.
    pub vertices: Vec<MachineState>,
    /// Transitions, sorted by source, target and trigger.
    pub transitions: Vec<MachineTransition>,
    /// The length of the trace.
    pub span: Ticks,
    /// The time in which the state of the machine is unknown.
    pub unknown_time: Ticks,
    /// The unknown time in percent of the trace, as in the state report; `None` if
    /// the clock does not measure time.
    pub unknown_share: Option<f64>,
}

/// A state or pseudostate of a machine: index into [`StateMachine::vertices`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub usize);

/// The kind of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VertexKind {
    /// A state.
    State,
    /// A pseudostate, of unrecorded kind.
    Pseudostate,
}

/// A state or pseudostate.
#[derive(Debug, Clone, PartialEq)]
pub struct MachineState {
    /// The address on the target.
    pub vertex: Vertex,
    /// The name, or the address where there is none.
    pub name: String,
    /// State or pseudostate.
    pub kind: VertexKind,
    /// The enclosing state, if the trace proves one.
    pub parent: Option<StateId>,
    /// The visits as the state report counts them. For a composite state, or one
    /// without state intervals: the number of entries; for a pseudostate: the
    /// number of transitions to it.
    pub visits: u64,
    /// The time in the state, or for a composite state the time in which it was
    /// active, as in the state report.
    pub time_in_state: Ticks,
    /// The same in percent of the trace; `None` if the clock does not measure time.
    pub share: Option<f64>,
}

/// A group of transitions that differ only in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineTransition {
    /// The source; `None` for the initial transition.
    pub source: Option<StateId>,
    /// The trigger; `None` for the initial transition, and if unknown.
    pub trigger: Option<String>,
    /// The target; `None` for an internal transition.
    pub target: Option<StateId>,
    /// The final state of the transition, if known.
    pub final_state: Option<StateId>,
    /// The guard functions, in order.
    pub guards: Vec<String>,
    /// The effect functions, in order.
    pub effects: Vec<String>,
    /// The number of times it was taken.
    pub count: u64,
}

impl StateMachine {
    /// Builds the machine of an active object. For any other context it has no
    /// states.
    pub fn new(trace: &Trace, active: &ActiveObjects, object: ContextId) -> Self {
        builder::build(trace, active, object)
    }

    /// Returns a vertex.
    pub fn get(&self, id: StateId) -> Option<&MachineState> {
        self.vertices.get(id.0)
    }
}
