//! Ownership of mutexes.

use super::contradiction::{Contradiction, ContradictionKind};
use crate::event_time::EventTime;
use crate::packed_vec::{Columns, Pack, PackedVec, columns, pack_id, unpack_id};
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

impl LockEnding {
    const ALL: [Self; 3] = [Self::Done, Self::GaveUp, Self::Lost];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "released",
            Self::GaveUp => "gave-up",
            Self::Lost => "lost",
        }
    }
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

impl Pack for MutexHold {
    const COLUMNS: usize = 7;

    fn pack(&self) -> Columns {
        let flags = u64::from(self.start_known) << 1 | u64::from(self.contended);
        columns([
            pack_id(self.resource.0),
            pack_id(self.owner.0),
            self.start.0,
            self.end.0.wrapping_sub(self.start.0),
            self.first.0.into(),
            self.last.0.wrapping_sub(self.first.0).into(),
            (self.ending as u64) << 2 | flags,
        ])
    }

    fn unpack([resource, owner, start, duration, first, events, flags, ..]: Columns) -> Self {
        Self {
            resource: ResourceId(unpack_id(resource)),
            owner: ContextId(unpack_id(owner)),
            start: Ticks(start),
            end: Ticks(start.wrapping_add(duration)),
            first: EventIndex(first as u32),
            last: EventIndex((first as u32).wrapping_add(events as u32)),
            start_known: flags & 2 != 0,
            ending: LockEnding::ALL[flags as usize >> 2],
            contended: flags & 1 != 0,
        }
    }
}

/// Who owns a mutex, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ownership {
    /// [`Contexts::IDLE`] if it is free.
    pub(super) owner: ContextId,
    /// How often the owner holds it; `None` if unknown.
    pub(super) count: Option<u8>,
}

impl Ownership {
    const FREE: Self = Self {
        owner: Contexts::IDLE,
        count: Some(0),
    };

    /// As a record contains it.
    pub(super) fn recorded(owner: ContextId, count: u8) -> Self {
        let count = Some(count).filter(|count| *count < u8::MAX);
        Self { owner, count }
    }

    /// Whether both may be true at the same time.
    fn agrees_with(self, other: Self) -> bool {
        let counts = self.count.zip(other.count);
        self.owner == other.owner && counts.is_none_or(|(one, other)| one == other)
    }

    /// After a further get by its owner.
    fn nested(self) -> Self {
        Self {
            count: self.count.and_then(|count| count.checked_add(1)),
            ..self
        }
    }

    /// After a put by its owner.
    fn put(self) -> Self {
        Self {
            count: self.count.and_then(|count| count.checked_sub(1)),
            ..self
        }
    }
}

/// The state of a mutex at the current event.
#[derive(Debug, Clone, Copy)]
struct MutexState {
    ownership: Ownership,
    hold: Option<usize>,
    /// A thread that is not the owner released it. That has an effect only if
    /// it did so for the owner, which it has terminated.
    released_for_owner: bool,
    /// Whether the owner inherits the priority of waiting threads.
    inherits: bool,
    /// Whether the owner got it in a wait, and has not called get since.
    got_by_waiting: bool,
}

/// Tracks ownership.
#[derive(Debug, Clone, Default)]
pub(super) struct MutexTracker {
    locks: Vec<Option<MutexState>>,
    /// The mutexes with a known state.
    known: Vec<ResourceId>,
    /// The last released mutex.
    last_released: Option<ResourceId>,
    /// Final puts by owners that held a mutex more than once: a thread that ends frees its
    /// mutexes that way.
    early_puts: Vec<(ContextId, EventIndex)>,
    /// Records that name another owner or count than the one that was followed.
    pub(super) contradicted: Option<Contradiction>,
    pub(super) holds: PackedVec<MutexHold>,
}

impl MutexTracker {
    /// The owner of a mutex, if known and if there is one.
    pub(super) fn owner(&self, resource: ResourceId) -> Option<ContextId> {
        let lock = self.locks.get(resource.index())?.as_ref()?;
        let owner = lock.ownership.owner;
        (owner != Contexts::IDLE).then_some(owner)
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

    /// A record has the ownership before its call.
    fn observe(&mut self, resource: ResourceId, before: Ownership, now: EventTime) {
        let lock = *self.slot(resource);
        let owner = before.owner;
        if let Some(lock) = lock.filter(|lock| lock.ownership.agrees_with(before)) {
            let count = before.count.or(lock.ownership.count);
            *self.slot(resource) = Some(MutexState {
                ownership: Ownership { owner, count },
                ..lock
            });
            return;
        }
        if lock.is_none() {
            self.known.push(resource);
        }
        let is_contradicted = |lock: MutexState| {
            !lock.released_for_owner && lock.ownership.owner != ContextId::UNKNOWN
        };
        if owner != ContextId::UNKNOWN && lock.is_some_and(is_contradicted) {
            self.contradict(owner, now.event);
        }
        if let Some(hold) = lock.and_then(|lock| lock.hold) {
            // It was released without a record, or by another thread for its
            // owner.
            self.end(hold, now, LockEnding::Lost);
        }
        let hold = owner
            .is_thread()
            .then(|| self.begin(resource, owner, now, false, false));
        *self.slot(resource) = Some(MutexState {
            ownership: before,
            hold,
            released_for_owner: false,
            inherits: false,
            got_by_waiting: false,
        });
    }

    /// A record of this event contradicts what was followed.
    fn contradict(&mut self, owner: ContextId, event: EventIndex) {
        let contradicted = self.contradicted.get_or_insert(Contradiction {
            kind: ContradictionKind::MutexOwner,
            thread: owner,
            count: 0,
            event,
            ticks: Ticks(0),
        });
        contradicted.count += 1;
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
        self.holds.update(hold, |hold| {
            hold.end = Ticks(now.time);
            hold.last = now.event;
            hold.ending = ending;
        });
    }

    fn give(&mut self, resource: ResourceId, owner: ContextId, now: EventTime, contended: bool) {
        let hold = self.begin(resource, owner, now, true, contended);
        let slot = self.slot(resource);
        let inherits = slot.is_some_and(|lock| lock.inherits);
        *slot = Some(MutexState {
            ownership: Ownership::recorded(owner, 1),
            hold: Some(hold),
            released_for_owner: false,
            inherits,
            got_by_waiting: contended,
        });
    }

    /// `thread` requests a mutex with this ownership.
    pub(super) fn acquire(
        &mut self,
        resource: ResourceId,
        thread: ContextId,
        before: Ownership,
        inherits: bool,
        now: EventTime,
    ) {
        // A thread that goes on has not ended.
        while let Some(at) = self.early_puts.iter().position(|(by, _)| *by == thread) {
            let (_, event) = self.early_puts.swap_remove(at);
            self.contradict(thread, event);
        }
        self.observe(resource, before, now);
        let is_free = before == Ownership::FREE;
        if let Some(lock) = self.slot(resource) {
            lock.inherits = inherits;
            // Code without a thread gets a mutex, too.
            if is_free || before.owner == thread {
                lock.ownership = lock.ownership.nested();
                if std::mem::take(&mut lock.got_by_waiting) {
                    // FreeRTOS calls its hook once more after a wait.
                    lock.ownership.count = None;
                }
            }
        }
        if is_free && thread > Contexts::IDLE {
            self.give(resource, thread, now, false);
        }
    }

    /// `by` releases a mutex with this ownership.
    pub(super) fn release(
        &mut self,
        resource: ResourceId,
        by: ContextId,
        before: Ownership,
        now: EventTime,
    ) {
        let last = before.count == Some(1);
        let owner = before.owner;
        let known = self.slot(resource).map(|lock| lock.ownership);
        let is_early = known.is_some_and(|it| it.owner == owner && it.count > before.count);
        if last && is_early {
            if by == owner && self.early_puts.len() < MAX_EARLY_PUTS {
                self.early_puts.push((owner, now.event));
            }
        } else {
            self.observe(resource, before, now);
        }
        if last {
            self.last_released = Some(resource);
        }
        let Some(lock) = self.slot(resource) else {
            return;
        };
        if by != owner {
            lock.released_for_owner |= last;
            return;
        }
        if !last {
            lock.ownership = lock.ownership.put();
            return;
        }
        lock.ownership = Ownership::FREE;
        if let Some(hold) = lock.hold.take() {
            self.end(hold, now, LockEnding::Done);
        }
    }

    /// A thread ends.
    pub(super) fn end_thread(&mut self, thread: ContextId) {
        self.early_puts.retain(|(by, _)| *by != thread);
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
        let is_free = lock.ownership.owner == Contexts::IDLE || lock.released_for_owner;
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
        lock.ownership = Ownership::FREE;
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
        self.early_puts.clear();
    }
}

/// Maximum number of early puts to remember.
const MAX_EARLY_PUTS: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    const MUTEX: ResourceId = ResourceId(0);
    const FIRST: ContextId = ContextId(Contexts::IDLE.0 + 1);
    const SECOND: ContextId = ContextId(Contexts::IDLE.0 + 2);

    fn at(event: u32) -> EventTime {
        EventTime {
            time: event.into(),
            event: EventIndex(event),
        }
    }

    /// A call by a thread with the recorded owner and count.
    #[derive(Clone, Copy)]
    enum Call {
        Get(ContextId, ContextId, u8),
        Put(ContextId, ContextId, u8),
    }

    fn follow(calls: &[Call]) -> MutexTracker {
        let mut locks = MutexTracker::default();
        follow_from(&mut locks, 1, calls);
        locks
    }

    fn follow_from(locks: &mut MutexTracker, first: u32, calls: &[Call]) {
        for (call, event) in calls.iter().zip(first..) {
            match *call {
                Call::Get(thread, owner, count) => {
                    let before = Ownership::recorded(owner, count);
                    locks.acquire(MUTEX, thread, before, false, at(event));
                }
                Call::Put(thread, owner, count) => {
                    let before = Ownership::recorded(owner, count);
                    locks.release(MUTEX, thread, before, at(event));
                }
            }
        }
    }

    fn contradictions(calls: &[Call]) -> Option<(u32, u64)> {
        let found = follow(calls).contradicted?;
        assert_eq!(found.kind, ContradictionKind::MutexOwner);
        Some((found.event.0, found.count))
    }

    #[test]
    fn the_recorded_owner_wins() {
        use Call::Get;
        let sound = [Get(FIRST, Contexts::IDLE, 0), Get(SECOND, FIRST, 1)];
        assert_eq!(contradictions(&sound), None);
        // The put of the first, and the get of the second are missing.
        let calls = [&sound[..], &[Get(SECOND, Contexts::IDLE, 0)]].concat();
        assert_eq!(contradictions(&calls), Some((3, 1)));
        assert_eq!(follow(&calls).owner(MUTEX), Some(SECOND));
    }

    #[test]
    fn the_recorded_count_wins() {
        use Call::{Get, Put};
        let nested = [
            Get(FIRST, Contexts::IDLE, 0),
            Get(FIRST, FIRST, 1),
            Get(SECOND, FIRST, 2),
            Put(FIRST, FIRST, 2),
            Put(FIRST, FIRST, 1),
            Get(SECOND, Contexts::IDLE, 0),
        ];
        assert_eq!(contradictions(&nested), None);
        for missing in [1, 3] {
            let mut calls = nested.to_vec();
            calls.remove(missing);
            calls.push(Put(SECOND, SECOND, 1));
            calls.push(Get(FIRST, Contexts::IDLE, 0));
            assert!(contradictions(&calls).is_some(), "{missing}");
            assert_eq!(follow(&calls).owner(MUTEX), Some(FIRST));
        }
    }

    #[test]
    fn a_get_after_a_wait_may_be_the_same_call() {
        use Call::{Get, Put};
        let waits = [
            Get(FIRST, Contexts::IDLE, 0),
            Get(SECOND, FIRST, 1),
            Put(FIRST, FIRST, 1),
        ];
        let after = |calls: &[Call]| {
            let mut locks = follow(&waits);
            assert!(locks.resume(MUTEX, SECOND, at(4)));
            follow_from(&mut locks, 5, calls);
            (locks.contradicted, locks.owner(MUTEX))
        };
        let repeated = [Get(SECOND, SECOND, 1), Put(SECOND, SECOND, 1)];
        assert_eq!(after(&repeated), (None, None));
        let nested = [
            Get(SECOND, SECOND, 1),
            Put(SECOND, SECOND, 2),
            Put(SECOND, SECOND, 1),
        ];
        assert_eq!(after(&nested), (None, None));
    }

    #[test]
    fn a_thread_that_ends_frees_its_mutexes_at_once() {
        use Call::{Get, Put};
        let calls = [
            Get(FIRST, Contexts::IDLE, 0),
            Get(FIRST, FIRST, 1),
            Put(FIRST, FIRST, 1),
            Get(SECOND, Contexts::IDLE, 0),
        ];
        assert_eq!(contradictions(&calls), None);
        assert_eq!(follow(&calls).owner(MUTEX), Some(SECOND));
        // It goes on: a put is missing.
        let calls = [&calls[..], &[Get(FIRST, SECOND, 1)]].concat();
        assert_eq!(contradictions(&calls), Some((3, 1)));
    }
}
