//! Active objects: what they sent each other, how they handled it, and in which
//! states their machines were meanwhile. One pass over
//! [`Reaction`](rtoscope_trace::Reaction)s.

mod builder;
mod post;
mod residency;
mod stay;
mod step;
mod timer;
mod transition;

pub(crate) use builder::ActiveObjectsBuilder;
pub use post::{Deferral, Post, PostId};
pub use residency::{Residency, residencies};
pub use stay::StateInterval;
pub use step::{Step, StepEnding, StepId, SyncCall};
pub use timer::{TimerEnding, TimerRun};
pub use transition::{Action, Transition};

use rtoscope_trace::{ContextId, EventIndex, Interpret, Trace};

/// The life of a trace's active objects. All lists are in trace order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActiveObjects {
    /// The active objects that the trace speaks of, by the order of their
    /// context.
    pub objects: Vec<ContextId>,
    /// Events put into their queues.
    pub posts: Vec<Post>,
    /// Run-to-completion steps.
    pub steps: Vec<Step>,
    /// Transitions of their state machines.
    pub transitions: Vec<Transition>,
    /// Actions that were executed.
    pub actions: Vec<Action>,
    /// The states in which each machine stayed between steps: index is the
    /// [`ContextId`].
    pub state_intervals: Vec<Vec<StateInterval>>,
    /// Every time that a state was active, composite ones as well, from entering
    /// to leaving it: index is the [`ContextId`]. Only where both records of
    /// states entered and left are in the trace.
    pub active_state_intervals: Vec<Vec<StateInterval>>,
    /// Events put aside.
    pub deferrals: Vec<Deferral>,
    /// Timers from start to end.
    pub timer_runs: Vec<TimerRun>,
    /// The events with which the target started again, but not the trace's first.
    pub restarts: Vec<EventIndex>,
    /// The events that tell of an assertion that failed.
    pub failed_assertions: Vec<EventIndex>,
    /// Synchronous calls that the application recorded.
    pub calls: Vec<SyncCall>,
}

impl ActiveObjects {
    /// The active objects of a whole trace.
    pub fn from_trace(trace: &Trace, interpreter: &impl Interpret) -> Self {
        builder::build(trace, interpreter)
    }

    /// Whether the trace speaks of no active object.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }
}
