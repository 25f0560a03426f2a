//! The meaning of events to active objects and their state machines, in the
//! terms of UML, which all frameworks of active objects share.

use crate::{Address, ContextId};

/// The kind of an event for active objects: an application's number, with the
/// name of the object of class [`Signal`](crate::ObjectClass::Signal) with that
/// number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signal(pub u32);

/// A state or pseudostate of a state machine, by its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Vertex(pub Address);

/// A sender or receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Endpoint {
    /// An active object.
    Object(ContextId),
    /// Another sender or receiver, by its address: an interrupt service
    /// routine, a driver.
    Other(Address),
    /// Not recorded.
    Unknown,
}

/// How the handling of an event ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StepOutcome {
    /// The event was processed.
    Processed,
    /// The current state has no transition for the signal.
    Unhandled,
    /// A guard was false. It ends the handling only after a transition was
    /// found; before that the search continues.
    GuardFalse,
    /// No branch of a conditional or choice pseudostate was open.
    NoBranch,
    /// The machine reached a state of an unknown kind.
    UnknownState,
    /// The states are nested deeper than the target is configured for.
    TooDeep,
    /// The transition has more segments than the target is configured for.
    TooManySegments,
}

/// The role of an action of a state machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ActionRole {
    /// The effect of a transition.
    Effect,
    /// Entry of a state.
    Entry,
    /// Exit of a state.
    Exit,
    /// Creation of the state machine.
    Initial,
    /// Preprocessing of an event before it is dispatched.
    Preprocess,
    /// The decision whether a transition is taken.
    Guard,
    /// A number that the format does not name.
    Other,
}

/// The meaning of an event to active objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActiveObjectEvent {
    /// No meaning.
    None,
    /// The target started or restarted: nothing from before is valid.
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
        /// The receiver.
        to: ContextId,
        /// The signal.
        signal: Signal,
        /// The sender.
        from: Endpoint,
        /// Whether it is put at the front, to be taken first.
        front: bool,
        /// Number of events in the queue after the post.
        queued: u32,
    },
    /// An active object takes an event from its queue: a run-to-completion
    /// step begins.
    Take {
        /// The active object.
        object: ContextId,
        /// The signal.
        signal: Signal,
        /// Number of events that remain in its queue.
        remaining: u32,
    },
    /// The event is dispatched to the state machine.
    Dispatch {
        /// The active object.
        object: ContextId,
        /// The signal.
        signal: Signal,
        /// The current state.
        state: Vertex,
    },
    /// The state machine is created and will take its initial transition.
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
        /// The source state.
        source: Vertex,
        /// The target; `None` for an internal transition.
        target: Option<Vertex>,
    },
    /// A segment of a transition leads to a state or pseudostate.
    Segment {
        /// The active object.
        object: ContextId,
        /// The target of the segment.
        vertex: Vertex,
    },
    /// A state is exited.
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
        /// Its role.
        role: ActionRole,
        /// The state that it belongs to.
        state: Vertex,
        /// The function.
        function: Address,
    },
    /// The machine settles in a state, where it remains until the next event.
    Settle {
        /// The active object.
        object: ContextId,
        /// The state.
        state: Vertex,
    },
    /// The handling of an event ends.
    Done {
        /// The active object.
        object: ContextId,
        /// The outcome.
        outcome: StepOutcome,
    },
    /// An event is deferred into a queue, to be recalled later.
    Defer {
        /// The queue that keeps it.
        queue: Address,
        /// The event's signal.
        signal: Signal,
    },
    /// A deferred event is recalled to the front of an active object's queue.
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
        /// The signal that it will send.
        signal: Signal,
    },
    /// A timer is started.
    TimerStart {
        /// The timer.
        timer: Address,
        /// The receiver.
        object: ContextId,
        /// Ticks of the framework's timer until it expires.
        ticks: u32,
        /// The period after that, in ticks of the framework's timer; 0 if it
        /// runs once.
        period: u32,
    },
    /// A timer is stopped.
    TimerStop {
        /// The timer.
        timer: Address,
        /// Remaining ticks of the framework's timer.
        remaining: u32,
    },
    /// A timer expires and sends its event.
    TimerExpire {
        /// The timer.
        timer: Address,
        /// The receiver.
        object: ContextId,
        /// The signal that it sends.
        signal: Signal,
    },
    /// A timer is removed, having expired for the last time.
    TimerRemove {
        /// The timer.
        timer: Address,
    },
    /// An assertion of the target failed.
    AssertionFailed,
    /// The application records a call of a function.
    Call {
        /// The function.
        function: Address,
        /// The caller.
        from: Endpoint,
        /// The callee; unknown if the function only runs.
        to: Endpoint,
    },
}

impl ActiveObjectEvent {
    /// The number of events in a queue if it is not recorded.
    pub const UNKNOWN_COUNT: u32 = u32::MAX;
}
