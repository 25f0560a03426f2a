//! Thread states, and the state of a thread at the current event.

use crate::event_time::EventTime;
use crate::packed_vec::{Columns, Pack, PackedVec, columns, pack_id, unpack_id};
use rtoscope_trace::{ContextId, EventIndex, ResourceId, Ticks, WaitReason};

/// The state of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ThreadState {
    /// The trace has no evidence.
    Unknown,
    /// It could run and has no core.
    Ready,
    /// It has a core, also while an interrupt runs there.
    Running,
    /// It cannot run.
    Waiting {
        /// The reason.
        wait_reason: WaitReason,
        /// The object that it is blocked on, if known.
        resource: Option<ResourceId>,
    },
    /// It does not exist any more: it was deleted.
    Deleted,
}

impl ThreadState {
    /// Whether the thread cannot run.
    pub const fn is_stopped(self) -> bool {
        matches!(self, Self::Waiting { .. } | Self::Deleted)
    }

    /// Whether the thread has completed, was terminated or deleted.
    pub const fn has_ended(self) -> bool {
        match self {
            Self::Waiting { wait_reason, .. } => wait_reason.is_end(),
            Self::Deleted => true,
            Self::Unknown | Self::Ready | Self::Running => false,
        }
    }
}

/// A span of time in which a thread is in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadStateInterval {
    /// Its start.
    pub start: Ticks,
    /// The event that began it, or the last before it.
    pub event: EventIndex,
    /// The state.
    pub state: ThreadState,
    /// Whether an interrupt's event began it.
    pub interrupt: bool,
    /// Whether its start was recorded. If not, it may have begun earlier or,
    /// for a thread that continues without a record, later.
    pub start_known: bool,
}

impl Pack for ThreadStateInterval {
    const COLUMNS: usize = 4;

    fn pack(&self) -> Columns {
        let (state, resource) = match self.state {
            ThreadState::Unknown => (0, None),
            ThreadState::Ready => (1, None),
            ThreadState::Running => (2, None),
            ThreadState::Deleted => (3, None),
            ThreadState::Waiting {
                wait_reason,
                resource,
            } => (4 + wait_reason as u64, resource),
        };
        let flags = u64::from(self.interrupt) << 1 | u64::from(self.start_known);
        columns([
            self.start.0,
            self.event.0.into(),
            state << 2 | flags,
            resource.map_or(0, |resource| pack_id(resource.0)),
        ])
    }

    fn unpack([start, event, state, resource, ..]: Columns) -> Self {
        Self {
            start: Ticks(start),
            event: EventIndex(event as u32),
            state: match state >> 2 {
                0 => ThreadState::Unknown,
                1 => ThreadState::Ready,
                2 => ThreadState::Running,
                3 => ThreadState::Deleted,
                waiting => ThreadState::Waiting {
                    wait_reason: WaitReason::ALL[waiting as usize - 4],
                    resource: (resource > 0).then(|| ResourceId(unpack_id(resource))),
                },
            },
            interrupt: state & 2 != 0,
            start_known: state & 1 != 0,
        }
    }
}

/// Tracks a thread up to the current event.
#[derive(Debug, Clone)]
pub(super) struct ThreadTracker {
    /// Its state intervals so far; the last one is the current state.
    pub(super) intervals: PackedVec<ThreadStateInterval>,
    /// The core that runs it, by index.
    pub(super) core: Option<usize>,
    /// Whether it is known to have run.
    pub(super) ran: bool,
    /// Its last known effective priority.
    pub(super) priority: Option<u16>,
    /// Its own priority, if an event has given it.
    pub(super) base_priority: Option<u16>,
    /// The highest priority that it inherits, and the mutex through which it
    /// does.
    pub(super) inherited: Option<(ResourceId, u16)>,
    /// Whether it is suspended once its wait ends.
    pub(super) suspends_later: bool,
    /// Whether it was deleted. A thread that deletes itself runs on until the switch.
    pub(super) is_deleted: bool,
    /// The object of its last call, if that call may wait.
    pub(super) requested: Option<ResourceId>,
    /// The inversion that begins if that call waits.
    pub(super) impending_inversion: Option<ImpendingInversion>,
    /// The inversion that it is blocked in.
    pub(super) inversion: Option<usize>,
}

/// A thread requested a mutex that a thread of lower priority owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ImpendingInversion {
    pub(super) resource: ResourceId,
    pub(super) owner: ContextId,
    pub(super) owner_priority: u16,
    /// Whether the owner inherits the priority of the waiting thread.
    pub(super) inherits: bool,
    pub(super) event: EventIndex,
}

impl ThreadTracker {
    pub(super) fn new(priority: Option<u16>) -> Self {
        Self {
            intervals: PackedVec::new(),
            core: None,
            ran: false,
            priority,
            base_priority: None,
            inherited: None,
            suspends_later: false,
            is_deleted: false,
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

    /// Whether it has run at any time.
    pub(super) fn has_run(&self) -> bool {
        let mut latest = self.intervals.iter().rev();
        latest.any(|interval| interval.state == ThreadState::Running)
    }

    /// Whether nothing is known of it so far.
    pub(super) fn is_unseen(&self) -> bool {
        self.intervals.len() < 2 && self.state() == ThreadState::Unknown
    }

    /// Whether it could run, as far as known.
    pub(super) fn is_runnable(&self) -> bool {
        !self.state().is_stopped()
    }

    /// Whether it has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.state().has_ended()
    }

    /// The start of its current state.
    pub(super) fn since(&self) -> EventTime {
        self.intervals
            .last()
            .map_or(EventTime::START, |last| EventTime {
                time: last.start.0,
                event: last.event,
            })
    }

    pub(super) fn enter(&mut self, now: EventTime, state: ThreadState, start_known: bool) {
        self.enter_by(now, state, start_known, false);
    }

    pub(super) fn enter_by(
        &mut self,
        now: EventTime,
        state: ThreadState,
        start_known: bool,
        interrupt: bool,
    ) {
        let state = match state {
            ThreadState::Running => state,
            _ if self.is_deleted => ThreadState::Deleted,
            _ => state,
        };
        let interval = ThreadStateInterval {
            start: Ticks(now.time),
            event: now.event,
            state,
            interrupt,
            start_known,
        };
        match self.intervals.last_mut() {
            // An unknown state that lasted 0 ticks has no interval.
            Some(last) if last.state == ThreadState::Unknown && last.start == interval.start => {
                *last = interval;
            }
            _ => self.intervals.push(interval),
        }
    }

    /// Corrects the state of the current interval, as far back as `since`: what
    /// was before that is unknown.
    pub(super) fn correct(&mut self, state: ThreadState, since: EventTime) {
        match self.intervals.last_mut() {
            Some(last) if last.start.0 >= since.time => {
                // Its earlier state was not recorded, or is contradicted.
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
