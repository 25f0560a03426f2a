//! What threads do, and what is known of them at a moment.

use crate::event_time::EventTime;
use rtoscope_trace::{ContextId, EventIndex, ResourceId, Ticks, Wait};

/// What a thread does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ThreadState {
    /// The trace does not say.
    Unknown,
    /// It wants a core and has none.
    Ready,
    /// It has a core, whether or not an interrupt executes there.
    Running,
    /// It wants no core.
    Waiting {
        /// Why.
        wait_reason: Wait,
        /// What it waits for, if the trace says so.
        resource: Option<ResourceId>,
    },
}

/// A thread does something for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadStateInterval {
    /// When it begins.
    pub start: Ticks,
    /// The event that began it, or the last before it.
    pub event: EventIndex,
    /// What the thread does.
    pub state: ThreadState,
    /// Whether an interrupt's event began it.
    pub interrupt: bool,
    /// Whether its beginning was recorded. If not, it may have begun earlier,
    /// or, for a thread that goes on without a record of that, later.
    pub start_known: bool,
}

impl ThreadStateInterval {
    /// Whether the thread was woken: it waited before, and its resumption was recorded.
    pub fn is_wake_up(&self, before: &Self) -> bool {
        let waited = matches!(before.state, ThreadState::Waiting { .. });
        waited && self.state == ThreadState::Ready && self.start_known
    }
}

/// What is known of a thread at the present event.
#[derive(Debug, Clone)]
pub(super) struct ThreadTracker {
    /// Its stretches so far; the last one is what it does now.
    pub(super) intervals: Vec<ThreadStateInterval>,
    /// The core that executes it, by its place.
    pub(super) core: Option<usize>,
    /// Whether it is known to have executed.
    pub(super) ran: bool,
    /// Its effective priority as last seen.
    pub(super) priority: Option<u16>,
    /// Its own priority, if an event has given it.
    pub(super) base_priority: Option<u16>,
    /// The highest priority that it inherits, and the mutex for which it does.
    pub(super) inherited: Option<(ResourceId, u16)>,
    /// Whether it is suspended once its wait ends.
    pub(super) suspends_later: bool,
    /// The object of its last call, if that may wait.
    pub(super) requested: Option<ResourceId>,
    /// The inversion that begins if the call of `requested` waits.
    pub(super) impending_inversion: Option<ImpendingInversion>,
    /// The inversion that it is blocked in.
    pub(super) inversion: Option<usize>,
}

/// A thread asked for a mutex that a thread of lower priority owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ImpendingInversion {
    pub(super) resource: ResourceId,
    pub(super) owner: ContextId,
    pub(super) owner_priority: u16,
    /// Whether the owner gets the priority of the thread that waits.
    pub(super) inherits: bool,
    pub(super) event: EventIndex,
}

impl ThreadTracker {
    pub(super) fn new(priority: Option<u16>) -> Self {
        Self {
            intervals: Vec::new(),
            core: None,
            ran: false,
            priority,
            base_priority: None,
            inherited: None,
            suspends_later: false,
            requested: None,
            impending_inversion: None,
            inversion: None,
        }
    }

    pub(super) fn state(&self) -> ThreadState {
        self.intervals
            .last()
            .map_or(ThreadState::Unknown, |last| last.state)
    }

    /// Whether it could execute, as far as is known.
    pub(super) fn is_runnable(&self) -> bool {
        !matches!(self.state(), ThreadState::Waiting { .. })
    }

    /// Whether it has completed or was terminated.
    pub(super) fn has_ended(&self) -> bool {
        matches!(self.state(), ThreadState::Waiting { wait_reason, .. } if wait_reason.is_end())
    }

    /// Since when it does what it does.
    pub(super) fn since(&self) -> EventTime {
        self.intervals
            .last()
            .map_or(EventTime::START, |last| EventTime {
                time: last.start.0,
                event: last.event,
            })
    }

    pub(super) fn enter(&mut self, now: EventTime, state: ThreadState, seen: bool) {
        self.enter_by(now, state, seen, false);
    }

    pub(super) fn enter_by(
        &mut self,
        now: EventTime,
        state: ThreadState,
        seen: bool,
        interrupt: bool,
    ) {
        let stretch = ThreadStateInterval {
            start: Ticks(now.time),
            event: now.event,
            state,
            interrupt,
            start_known: seen,
        };
        match self.intervals.last_mut() {
            // What is not known has no place of its own at the same moment.
            Some(last) if last.state == ThreadState::Unknown && last.start == stretch.start => {
                *last = stretch;
            }
            _ => self.intervals.push(stretch),
        }
    }

    /// What is found out about the stretch that the thread is in, as far back
    /// as `since`: nothing is known of what was before.
    pub(super) fn correct(&mut self, state: ThreadState, since: EventTime) {
        match self.intervals.last_mut() {
            Some(last) if last.start.0 >= since.time => {
                // What it did before was not seen, or is not what it seemed.
                last.start_known &=
                    last.state != ThreadState::Unknown && state != ThreadState::Unknown;
                last.state = state;
            }
            _ => self.enter(since, state, false),
        }
    }

    pub(super) fn waits_for(&self) -> Option<ResourceId> {
        match self.state() {
            ThreadState::Waiting { resource, .. } => resource,
            _ => None,
        }
    }
}
