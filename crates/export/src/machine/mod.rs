//! State machines as the trace shows them: states, how long, and transitions,
//! how often.
//!
//! [`StateMachine::new`] makes the model; [`mermaid`] and [`dot`] write it down.
//!
//! A trace does not say which states are inside others. It is inferred: a state
//! that is entered while another is active, and left before that one is, lies
//! inside it. Times prove that only where they differ; what is not proven stays
//! side by side. So a machine without records of states that are entered and
//! left is flat.

mod builder;
pub mod dot;
mod labels;
pub mod mermaid;
mod nesting;
mod transition_stats;

use rtoscope_analysis::active::ActiveObjects;
use rtoscope_trace::{ContextId, Ticks, Trace, Vertex};

/// A state machine, whatever draws it.
#[derive(Debug, Clone, PartialEq)]
pub struct StateMachine {
    /// Whose it is.
    pub object: ContextId,
    /// The name of that active object.
    pub name: String,
    /// States and pseudostates, those that were never reached too, in the order
    /// of their addresses.
    pub vertices: Vec<MachineState>,
    /// Transitions by where they start, where they lead, and what triggers them.
    pub transitions: Vec<MachineTransition>,
    /// The length of the trace.
    pub span: Ticks,
    /// How long it is not known in which state the machine was.
    pub unknown_time: Ticks,
    /// The same in percent of the trace, as the state report has it; `None` if the
    /// clock does not measure time.
    pub unknown_share: Option<f64>,
}

/// A state or pseudostate of a machine: index into [`StateMachine::vertices`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub usize);

/// What a vertex is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VertexKind {
    /// A state.
    State,
    /// A pseudostate; of which kind is not recorded.
    Pseudostate,
}

/// A state or pseudostate.
#[derive(Debug, Clone, PartialEq)]
pub struct MachineState {
    /// Where it lies on the target.
    pub vertex: Vertex,
    /// The name, or the address where there is none.
    pub name: String,
    /// What it is.
    pub kind: VertexKind,
    /// The state right around it, as far as the trace proves one.
    pub parent: Option<StateId>,
    /// How often the machine came to stay in it, as the state report counts; of a
    /// state with others inside, or in which it never stayed, how often it was
    /// entered; of a pseudostate, how often transitions led to it.
    pub visits: u64,
    /// How long the machine stayed in it; of a state with others inside, how
    /// long it was active. The figures of the state report.
    pub time_in_state: Ticks,
    /// The same in percent of the trace; `None` if the clock does not measure time.
    pub share: Option<f64>,
}

/// Transitions that have all in common but when they were taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineTransition {
    /// Where it starts; `None` for the machine's first.
    pub source: Option<StateId>,
    /// What triggers it; `None` for the first and where it is not known.
    pub trigger: Option<String>,
    /// Where it leads; `None` for an internal one.
    pub target: Option<StateId>,
    /// Where the machine stayed then, if that is known.
    pub final_state: Option<StateId>,
    /// The functions that were its guards, in order.
    pub guards: Vec<String>,
    /// The functions that were its effects, in order.
    pub effects: Vec<String>,
    /// How often it was taken.
    pub count: u64,
}

impl StateMachine {
    /// The machine of an active object. Of a context that is none, one without
    /// states.
    pub fn new(trace: &Trace, active: &ActiveObjects, object: ContextId) -> Self {
        builder::build(trace, active, object)
    }

    /// A vertex of it.
    pub fn get(&self, id: StateId) -> Option<&MachineState> {
        self.vertices.get(id.0)
    }
}
