//! What an event means to active objects and their state machines, in the words
//! of UML, which every framework of active objects shares.

use crate::{Address, ContextId};

/// A kind of event that active objects get: an application's number for it,
/// named by the object of class [`Signal`](crate::ObjectClass::Signal) there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signal(pub u32);

/// A state or pseudostate of a state machine, by its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Vertex(pub Address);

/// Who sends or receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Endpoint {
    /// An active object.
    Object(ContextId),
    /// Something else, by its address: an interrupt service routine, a driver.
    Other(Address),
    /// The record does not say.
    Unknown,
}

/// How the processing of an event ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StepOutcome {
    /// The event was processed.
    Processed,
    /// No transition waits for the signal in the current state.
    Unhandled,
    /// A guard was false. It ends the processing only behind a transition that was
    /// found; before one the search goes on.
    GuardFalse,
    /// No branch of a conditional or choice pseudostate was open.
    NoBranch,
    /// The machine met a state of a kind it does not know.
    UnknownState,
    /// The states are nested deeper than the target is configured for.
    TooDeep,
    /// The transition has more segments than the target is configured for.
    TooManySegments,
}

/// What an action of a state machine is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ActionRole {
    /// The effect of a transition.
    Effect,
    /// Entering a state.
    Entry,
    /// Leaving a state.
    Exit,
    /// Creating the state machine.
    Initial,
    /// Looking at an event before it is processed.
    Preprocess,
    /// Deciding whether a transition is taken.
    Guard,
    /// A number that the format does not name.
    Other,
}

/// What an event means to active objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActiveObjectEvent {
    /// Nothing.
    None,
    /// The target started, or started again: nothing of before is valid.
    Restart,
    /// An active object is ready to receive, after its initial transition.
    Activate {
        /// The active object.
        object: ContextId,
    },
    /// An active object has ended.
    Terminate {
        /// The active object.
        object: ContextId,
    },
    /// An event is put into an active object's queue.
    Post {
        /// Whose queue.
        to: ContextId,
        /// What for.
        signal: Signal,
        /// By whom.
        from: Endpoint,
        /// Whether it will be taken first.
        front: bool,
        /// How many events the queue holds then.
        queued: u32,
    },
    /// An active object takes an event from its queue: a run-to-completion
    /// step begins.
    Take {
        /// The active object.
        object: ContextId,
        /// What for.
        signal: Signal,
        /// How many events are left in its queue.
        remaining: u32,
    },
    /// The state machine is given an event.
    Dispatch {
        /// The active object.
        object: ContextId,
        /// What for.
        signal: Signal,
        /// The state that it is in.
        state: Vertex,
    },
    /// The state machine is created and will make its initial transition.
    Initial {
        /// The active object.
        object: ContextId,
        /// The initial state.
        state: Vertex,
    },
    /// A transition is taken.
    Transition {
        /// The active object.
        object: ContextId,
        /// Where it starts.
        source: Vertex,
        /// Where it leads; `None` for an internal one.
        target: Option<Vertex>,
    },
    /// A segment of a transition leads to a state or pseudostate.
    Segment {
        /// The active object.
        object: ContextId,
        /// Where it leads.
        vertex: Vertex,
    },
    /// A state is left.
    Exit {
        /// The active object.
        object: ContextId,
        /// The state.
        state: Vertex,
    },
    /// A state is entered.
    Enter {
        /// The active object.
        object: ContextId,
        /// The state.
        state: Vertex,
    },
    /// An action was executed.
    Action {
        /// The active object.
        object: ContextId,
        /// What for.
        role: ActionRole,
        /// The state that it belongs to.
        state: Vertex,
        /// The function.
        function: Address,
    },
    /// The machine is in a state again, where it stays until the next event.
    Settle {
        /// The active object.
        object: ContextId,
        /// The state.
        state: Vertex,
    },
    /// The processing of an event ends.
    Done {
        /// The active object.
        object: ContextId,
        /// How.
        outcome: StepOutcome,
    },
    /// An event is put aside into a queue, to be recalled later.
    Defer {
        /// The queue that keeps it.
        queue: Address,
        /// The event's signal.
        signal: Signal,
    },
    /// A deferred event comes back to the front of an active object's queue.
    Recall {
        /// The active object.
        object: ContextId,
        /// The event's signal.
        signal: Signal,
    },
    /// A timer is created.
    TimerCreate {
        /// The timer.
        timer: Address,
        /// What it will send.
        signal: Signal,
    },
    /// A timer is started.
    TimerStart {
        /// The timer.
        timer: Address,
        /// Whom it will send to.
        object: ContextId,
        /// Until it expires, in ticks of the framework's timer.
        ticks: u32,
        /// From then on, in ticks of the framework's timer; 0 if only once.
        period: u32,
    },
    /// A timer is stopped.
    TimerStop {
        /// The timer.
        timer: Address,
        /// What was left, in ticks of the framework's timer.
        remaining: u32,
    },
    /// A timer expires and sends its event.
    TimerExpire {
        /// The timer.
        timer: Address,
        /// Whom it sends to.
        object: ContextId,
        /// What it sends.
        signal: Signal,
    },
    /// A timer is over, having expired for the last time.
    TimerRemove {
        /// The timer.
        timer: Address,
    },
    /// The target found that something cannot be: an assertion failed.
    AssertionFailed,
    /// A function of the application is called, of which it tells.
    Call {
        /// The function.
        function: Address,
        /// Who calls.
        from: Endpoint,
        /// Who is called; unknown if it only executes.
        to: Endpoint,
    },
}

impl ActiveObjectEvent {
    /// How many events there are in a queue where the record does not say.
    pub const UNKNOWN_COUNT: u32 = u32::MAX;
}
