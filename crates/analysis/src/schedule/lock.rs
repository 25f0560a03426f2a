//! Ownership of mutexes.

use super::contradiction::{Contradiction, ContradictionKind};
use crate::event_time::EventTime;
use rtoscope_trace::{ContextId, Contexts, EventIndex, ResourceId, Ticks};

/// How a hold or a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LockEnding {
    /// Regularly: the mutex was released, or given to the thread.
    Done,
    /// The thread gave up: its timeout expired, its wait was aborted, or it was
    /// terminated.
    GaveUp,
    /// Events are missing, or the trace ends.
    Lost,
}

/// A span of time in which a thread owns a mutex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MutexHold {
    /// The mutex.
    pub resource: ResourceId,
    /// The thread.
    pub owner: ContextId,
    /// The time at which it got the mutex; if that was not recorded, the first
    /// time at which it is known to own it.
    pub start: Ticks,
    /// The time at which it released the mutex, or the last known time.
    pub end: Ticks,
    /// The event by which it got the mutex, or the first that names it as the
    /// owner.
    pub first: EventIndex,
    /// The event by which it released the mutex, or the last known one.
    pub last: EventIndex,
    /// Whether the start was recorded.
    pub start_known: bool,
    /// How it ended.
    pub ending: LockEnding,
    /// Whether the thread had to wait for it.
    pub contended: bool,
}

impl MutexHold {
    /// Whether start and end are recorded.
    pub fn is_complete(&self) -> bool {
        self.start_known && self.ending == LockEnding::Done
    }
}

/// The state of a mutex at the current event.
#[derive(Debug, Clone, Copy)]
struct MutexState {
    /// [`Contexts::IDLE`] if it is free.
    owner: ContextId,
    hold: Option<usize>,
    /// A thread that is not the owner released it. That has an effect only if
    /// it did so for the owner, which it has terminated.
    released_for_owner: bool,
    /// Whether the owner inherits the priority of waiting threads.
    inherits: bool,
}

/// Tracks ownership.
#[derive(Debug, Clone, Default)]
pub(super) struct MutexTracker {
    locks: Vec<Option<MutexState>>,
    /// The mutexes with a known state.
    known: Vec<ResourceId>,
    /// The last released mutex.
    last_released: Option<ResourceId>,
    /// Records that name another owner than the one that was followed.
    pub(super) contradicted: Option<Contradiction>,
    pub(super) holds: Vec<MutexHold>,
}

impl MutexTracker {
    /// The owner of a mutex, if known and if there is one.
    pub(super) fn owner(&self, resource: ResourceId) -> Option<ContextId> {
        let lock = self.locks.get(resource.index())?.as_ref()?;
        (lock.owner != Contexts::IDLE).then_some(lock.owner)
    }

    /// The owner of a mutex, if it inherits the priority of waiting threads.
    pub(super) fn inheriting_owner(&self, resource: ResourceId) -> Option<ContextId> {
        let lock = self.locks.get(resource.index())?.as_ref()?;
        self.owner(resource).filter(|_| lock.inherits)
    }

    fn slot(&mut self, resource: ResourceId) -> &mut Option<MutexState> {
        if self.locks.len() <= resource.index() {
            self.locks.resize(resource.index() + 1, None);
        }
        &mut self.locks[resource.index()]
    }

    /// A record names `owner` as the owner before its call.
    fn observe_owner(&mut self, resource: ResourceId, owner: ContextId, now: EventTime) {
        let lock = *self.slot(resource);
        let known = lock.map(|lock| (lock.owner, lock.hold));
        if known.is_some_and(|(known, _)| known == owner) {
            return;
        }
        if known.is_none() {
            self.known.push(resource);
        }
        let is_contradicted =
            |lock: MutexState| !lock.released_for_owner && lock.owner != ContextId::UNKNOWN;
        if owner != ContextId::UNKNOWN && lock.is_some_and(is_contradicted) {
            let contradicted = self.contradicted.get_or_insert(Contradiction {
                kind: ContradictionKind::MutexOwner,
                thread: owner,
                count: 0,
                event: now.event,
                ticks: Ticks(0),
            });
            contradicted.count += 1;
        }
        if let Some((_, Some(hold))) = known {
            // It was released without a record, or by another thread for its
            // owner.
            self.end(hold, now, LockEnding::Lost);
        }
        let hold = owner
            .is_thread()
            .then(|| self.begin(resource, owner, now, false, false));
        *self.slot(resource) = Some(MutexState {
            owner,
            hold,
            released_for_owner: false,
            inherits: false,
        });
    }

    fn begin(
        &mut self,
        resource: ResourceId,
        owner: ContextId,
        now: EventTime,
        started: bool,
        contended: bool,
    ) -> usize {
        self.holds.push(MutexHold {
            resource,
            owner,
            start: Ticks(now.time),
            end: Ticks(now.time),
            first: now.event,
            last: now.event,
            start_known: started,
            ending: LockEnding::Lost,
            contended,
        });
        self.holds.len() - 1
    }

    fn end(&mut self, hold: usize, now: EventTime, ending: LockEnding) {
        if let Some(hold) = self.holds.get_mut(hold) {
            hold.end = Ticks(now.time);
            hold.last = now.event;
            hold.ending = ending;
        }
    }

    fn give(&mut self, resource: ResourceId, owner: ContextId, now: EventTime, contended: bool) {
        let hold = self.begin(resource, owner, now, true, contended);
        let slot = self.slot(resource);
        let inherits = slot.is_some_and(|lock| lock.inherits);
        *slot = Some(MutexState {
            owner,
            hold: Some(hold),
            released_for_owner: false,
            inherits,
        });
    }

    /// `thread` requests a mutex that `owner` owns, or that is free.
    pub(super) fn acquire(
        &mut self,
        resource: ResourceId,
        thread: ContextId,
        owner: ContextId,
        inherits: bool,
        now: EventTime,
    ) {
        self.observe_owner(resource, owner, now);
        if let Some(lock) = self.slot(resource) {
            lock.inherits = inherits;
        }
        if owner == Contexts::IDLE && thread > Contexts::IDLE {
            self.give(resource, thread, now, false);
        }
    }

    /// `by` releases a mutex that `owner` owns; `last` if that frees it.
    pub(super) fn release(
        &mut self,
        resource: ResourceId,
        by: ContextId,
        owner: ContextId,
        last: bool,
        now: EventTime,
    ) {
        self.observe_owner(resource, owner, now);
        if !last {
            return;
        }
        self.last_released = Some(resource);
        let Some(lock) = self.slot(resource) else {
            return;
        };
        if by != owner {
            lock.released_for_owner = true;
            return;
        }
        lock.owner = Contexts::IDLE;
        if let Some(hold) = lock.hold.take() {
            self.end(hold, now, LockEnding::Done);
        }
    }

    /// The object of a wait without a record: the last released mutex, if its
    /// release resumed the thread.
    pub(super) fn released(&self) -> Option<ResourceId> {
        self.last_released
    }

    /// `thread` no longer waits for a mutex. Returns whether it owns it now.
    pub(super) fn resume(
        &mut self,
        resource: ResourceId,
        thread: ContextId,
        now: EventTime,
    ) -> bool {
        let Some(lock) = *self.slot(resource) else {
            return false;
        };
        let is_free = lock.owner == Contexts::IDLE || lock.released_for_owner;
        if is_free {
            if let Some(hold) = lock.hold {
                self.end(hold, now, LockEnding::Done);
            }
            self.give(resource, thread, now, true);
        }
        is_free
    }

    /// A mutex is created, perhaps after another one at its address was deleted.
    pub(super) fn create(&mut self, resource: ResourceId, now: EventTime) {
        let Some(lock) = self.slot(resource) else {
            return;
        };
        lock.owner = Contexts::IDLE;
        lock.released_for_owner = false;
        if let Some(hold) = lock.hold.take() {
            self.end(hold, now, LockEnding::Lost);
        }
    }

    /// The trace ends, or events are missing.
    pub(super) fn forget(&mut self, now: EventTime) {
        for resource in std::mem::take(&mut self.known) {
            let lock = self.slot(resource).take();
            if let Some(hold) = lock.and_then(|lock| lock.hold) {
                self.end(hold, now, LockEnding::Lost);
            }
        }
        self.last_released = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorded_owner_wins() {
        let mut locks = MutexTracker::default();
        let [first, second] = [1, 2].map(|number| ContextId(Contexts::IDLE.0 + number));
        let mutex = ResourceId(0);
        let at = |event: u32| EventTime {
            time: event.into(),
            event: EventIndex(event),
        };
        locks.acquire(mutex, first, Contexts::IDLE, false, at(1));
        locks.acquire(mutex, second, first, false, at(2));
        assert_eq!(locks.contradicted, None);
        // The put of the first, and the get of the second are missing.
        locks.acquire(mutex, second, Contexts::IDLE, false, at(3));
        assert_eq!(locks.owner(mutex), Some(second));
        let found = locks.contradicted.unwrap();
        assert_eq!((found.event, found.count), (EventIndex(3), 1));
        assert_eq!(found.kind, ContradictionKind::MutexOwner);
    }
}
