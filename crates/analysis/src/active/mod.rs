//! Active objects: the events that they post to each other, the steps that
//! handle them, and the states of their machines. One pass over
//! [`ActiveObjectEvent`](rtoscope_trace::ActiveObjectEvent)s.

mod builder;
mod messages;
mod residency;
mod state_machine;

pub(crate) use builder::ActiveObjectsBuilder;
pub use messages::{Deferral, Post, PostId, SyncCall, TimerEnding, TimerRun};
pub use residency::{Residency, residencies};
pub use state_machine::{Action, RtcStep, StateInterval, StepEnding, StepId, Transition};

use rtoscope_trace::{ContextId, EventIndex, Interpret, Trace};

/// The activity of a trace's active objects. All lists are in trace order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActiveObjects {
    /// The active objects with events in the trace, in the order of their
    /// contexts.
    pub objects: Vec<ContextId>,
    /// Events put into their queues.
    pub posts: Vec<Post>,
    /// Run-to-completion steps.
    pub steps: Vec<RtcStep>,
    /// Transitions of their state machines.
    pub transitions: Vec<Transition>,
    /// Executed actions.
    pub actions: Vec<Action>,
    /// The states of each machine between steps, by [`ContextId`].
    pub state_intervals: Vec<Vec<StateInterval>>,
    /// The time from entry to exit of every state, including composite ones, by
    /// [`ContextId`]. Requires records of both entry and exit.
    pub active_state_intervals: Vec<Vec<StateInterval>>,
    /// Deferred events.
    pub deferrals: Vec<Deferral>,
    /// Timer runs from start to end.
    pub timer_runs: Vec<TimerRun>,
    /// The events of failed assertions.
    pub failed_assertions: Vec<EventIndex>,
    /// Synchronous calls that the application recorded.
    pub calls: Vec<SyncCall>,
}

impl ActiveObjects {
    /// Builds the active objects of a whole trace.
    pub fn from_trace(trace: &Trace, interpreter: &impl Interpret) -> Self {
        builder::build(trace, interpreter)
    }

    /// Whether the trace has no active objects.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// The step of an active object to which an event belongs.
    pub fn step_at(&self, object: ContextId, event: EventIndex) -> Option<&RtcStep> {
        self.objects.binary_search(&object).ok()?;
        let begun = self.steps.partition_point(|step| step.first <= event);
        let before = self.steps.get(..begun).unwrap_or_default().iter().rev();
        let mut of_object = before.filter(|step| step.object == object);
        of_object.next().filter(|step| event <= step.last)
    }
}
