//! Transfers: what is put into queues and semaphores, and taken from them.

use crate::packed_vec::{Columns, Pack, PackedVec, columns, pack_id, unpack_id};
use crate::rendezvous::{Meeting, Resumption, Waiter, WaitingPartners};
use crate::waiting_list::WaitingList;
use foldhash::HashMap;
use rtoscope_trace::{ContextId, EventIndex, LevelEffect, ResourceId, SchedEvent};
use std::collections::VecDeque;

/// An item that one call put into an object and another took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer {
    /// The object.
    pub resource: ResourceId,
    /// The call that put it.
    pub put: EventIndex,
    /// The call that took it, or the resumption of the thread that waited for it.
    pub take: EventIndex,
    /// The context that put it.
    pub putter: ContextId,
    /// The context that took it.
    pub taker: ContextId,
}

impl Pack for Transfer {
    const COLUMNS: usize = 5;

    fn pack(&self) -> Columns {
        columns([
            pack_id(self.resource.0),
            self.take.0.into(),
            self.take.0.wrapping_sub(self.put.0).into(),
            pack_id(self.putter.0),
            pack_id(self.taker.0),
        ])
    }

    fn unpack([resource, take, events, putter, taker, ..]: Columns) -> Self {
        Self {
            resource: ResourceId(unpack_id(resource)),
            put: EventIndex((take as u32).wrapping_sub(events as u32)),
            take: EventIndex(take as u32),
            putter: ContextId(unpack_id(putter)),
            taker: ContextId(unpack_id(taker)),
        }
    }
}

/// A put whose item is not taken, as far as known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UntakenPut {
    /// The object.
    pub resource: ResourceId,
    /// The call that puts.
    pub put: EventIndex,
    /// The event from which on that is so.
    pub end: EventIndex,
    /// Why it is not taken.
    pub reason: UntakenReason,
}

/// Why the item of a put is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UntakenReason {
    /// The thread waited for room until its wait timed out or was aborted.
    GaveUp,
    /// The object was emptied.
    Flushed,
    /// The trace ends while the item is in the object, or while the thread waits for room.
    TraceEnded,
    /// Not known: events are missing, or the levels in later records show that the item
    /// was not put, or was taken without a record.
    Unknown,
}

/// A call that puts into an object.
#[derive(Debug, Clone, Copy)]
struct PutCall {
    event: EventIndex,
    context: ContextId,
    /// It puts at the front.
    front: bool,
}

impl PutCall {
    fn taken(self, resource: ResourceId, taker: ContextId, take: EventIndex) -> Transfer {
        Transfer {
            resource,
            put: self.event,
            take,
            putter: self.context,
            taker,
        }
    }
}

/// The puts that are still in an object.
#[derive(Debug, Clone, Default)]
struct StoredPuts {
    /// In the order of the takes.
    puts: VecDeque<PutCall>,
    /// Number of items that are taken before these: the calls that put them are not
    /// known.
    older: u32,
    /// The calls that wait for room, in the order of the calls.
    waiting: WaitingList<PutCall>,
    /// The last call took something while threads wait for room: the kernel resumes the
    /// first of them.
    has_room: bool,
    /// The last call, if it put something that was not taken.
    untaken_put: Option<PutCall>,
    /// Whether any call was recorded in the known part of the trace.
    used: bool,
}

/// Tracks puts and takes.
#[derive(Debug, Clone, Default)]
pub(super) struct TransferTracker {
    stores: Vec<StoredPuts>,
    /// The objects that may hold items.
    used: Vec<ResourceId>,
    /// The queues without storage, few if any.
    rendezvous: HashMap<ResourceId, WaitingPartners>,
    /// Where each thread may wait for a partner.
    rendezvous_of: HashMap<ContextId, Vec<ResourceId>>,
    /// The offers that threads accept when they continue.
    accepted: HashMap<ContextId, (ResourceId, Waiter)>,
    /// The objects that threads wait to put into.
    blocked_putters: HashMap<ContextId, ResourceId>,
    pub(super) all: PackedVec<Transfer>,
    pub(super) untaken: Vec<UntakenPut>,
}

impl TransferTracker {
    /// The trace ends with the event `last`.
    pub(super) fn finish(&mut self, last: EventIndex) {
        self.end_all(last, UntakenReason::TraceEnded);
    }

    fn end_all(&mut self, last: EventIndex, reason: UntakenReason) {
        for resource in std::mem::take(&mut self.used) {
            let store = std::mem::take(self.store(resource));
            let puts = store.puts.into_iter().chain(store.waiting.into_items());
            self.end_puts(resource, puts, last, reason);
        }
    }

    /// Forgets everything up to `last`, the last event before a gap.
    pub(super) fn forget(&mut self, last: EventIndex) {
        self.end_all(last, UntakenReason::Unknown);
        self.rendezvous.clear();
        self.rendezvous_of.clear();
        self.accepted.clear();
        self.blocked_putters.clear();
    }

    /// A call of a thread on a queue without storage.
    pub(super) fn call_rendezvous(&mut self, resource: ResourceId, caller: Waiter, waits: bool) {
        self.accepted.remove(&caller.context);
        let partners = self.rendezvous.entry(resource).or_default();
        match partners.call(caller, waits) {
            Meeting::Partner(partner) if partner.offers => {
                let offer = PutCall::from(partner);
                let transfer = offer.taken(resource, caller.context, caller.event);
                self.all.push(transfer);
            }
            Meeting::Partner(partner) => {
                self.accepted.insert(partner.context, (resource, caller));
            }
            Meeting::Waits => {
                let queues = self.rendezvous_of.entry(caller.context).or_default();
                if queues.last() != Some(&resource) {
                    queues.push(resource);
                }
            }
            Meeting::Refused => {}
        }
    }

    /// The wait of a thread ends without a hand-over.
    pub(super) fn give_up(&mut self, thread: ContextId, event: EventIndex) {
        for queue in self.rendezvous_of.remove(&thread).unwrap_or_default() {
            if let Some(partners) = self.rendezvous.get_mut(&queue) {
                partners.leave(thread);
            }
        }
        if let Some(resource) = self.blocked_putters.remove(&thread) {
            let put = self.store(resource).waiting.take(thread);
            self.end_puts(resource, put, event, UntakenReason::GaveUp);
        }
    }

    /// Puts end without a take.
    fn end_puts(
        &mut self,
        resource: ResourceId,
        puts: impl IntoIterator<Item = PutCall>,
        end: EventIndex,
        reason: UntakenReason,
    ) {
        self.untaken.extend(puts.into_iter().map(|put| UntakenPut {
            resource,
            put: put.event,
            end,
            reason,
        }));
    }

    /// A thread waits for the object after its call.
    pub(super) fn block(&mut self, resource: ResourceId, thread: ContextId) {
        let store = self.store(resource);
        let Some(put) = store.untaken_put.filter(|put| put.context == thread) else {
            return;
        };
        store.untaken_put = None;
        store.undo(put);
        store.waiting.push_back(put.context, put);
        // It may have been one whose order is not known.
        self.untaken
            .pop_if(|it| it.resource == resource && it.put == put.event);
        self.blocked_putters.insert(thread, resource);
    }

    /// A thread that waited for a partner continues.
    fn end_rendezvous(&mut self, resource: ResourceId, thread: ContextId, event: EventIndex) {
        let accepted = self.accepted.remove(&thread);
        let accepted = accepted.filter(|(queue, _)| *queue == resource);
        let put = accepted.map(|(_, offer)| offer).or_else(|| {
            match self.rendezvous.get_mut(&resource)?.resume(thread) {
                Resumption::Unrecorded(last) if last.offers => Some(last),
                _ => None,
            }
        });
        let transfer = put.map(|put| PutCall::from(put).taken(resource, thread, event));
        self.all.extend(transfer);
    }

    fn store(&mut self, resource: ResourceId) -> &mut StoredPuts {
        if self.stores.len() <= resource.index() {
            self.stores
                .resize_with(resource.index() + 1, StoredPuts::default);
        }
        &mut self.stores[resource.index()]
    }

    /// A call on an object that had `level` before.
    pub(super) fn record_call(
        &mut self,
        resource: ResourceId,
        effect: LevelEffect,
        level: u32,
        context: ContextId,
        event: EventIndex,
    ) {
        if effect == LevelEffect::Flush {
            if let Some(partners) = self.rendezvous.get_mut(&resource) {
                partners.forget();
            }
            let store = self.store(resource);
            let stored = std::mem::take(&mut store.puts);
            let waiting = std::mem::take(&mut store.waiting);
            (store.older, store.untaken_put) = (0, None);
            let puts = stored.into_iter().chain(waiting.into_items());
            self.end_puts(resource, puts, event, UntakenReason::Flushed);
            return;
        }
        let moves_one = matches!(
            effect,
            LevelEffect::Put
                | LevelEffect::PutFront
                | LevelEffect::Store
                | LevelEffect::Deliver
                | LevelEffect::Take
        );
        if level == SchedEvent::UNKNOWN_LEVEL || !moves_one {
            return;
        }
        let store = self.store(resource);
        let is_new = !std::mem::replace(&mut store.used, true);
        let unseen = store.agree_with(level);
        if !unseen.is_empty() {
            self.end_puts(resource, unseen, event, UntakenReason::Unknown);
        }
        let store = self.store(resource);
        store.has_room = effect == LevelEffect::Take && !store.waiting.is_empty();
        let call = PutCall {
            event,
            context,
            front: effect == LevelEffect::PutFront,
        };
        if effect == LevelEffect::Take {
            store.untaken_put = None;
            let taken = store.take();
            self.all
                .extend(taken.map(|put| put.taken(resource, context, event)));
        } else {
            store.untaken_put = (effect != LevelEffect::Store).then_some(call);
            let unknown = store.put(call);
            self.end_puts(resource, unknown, event, UntakenReason::Unknown);
        }
        if is_new {
            self.used.push(resource);
        }
    }

    /// A thread that waited for the object continues: it got what was just put, or put
    /// what it waited to put.
    pub(super) fn resume(&mut self, resource: ResourceId, thread: ContextId, event: EventIndex) {
        if self.rendezvous.contains_key(&resource) {
            self.end_rendezvous(resource, thread, event);
            return;
        }
        let waited_to_put = self.blocked_putters.remove(&thread) == Some(resource);
        let store = self.store(resource);
        if waited_to_put {
            let has_room = std::mem::take(&mut store.has_room);
            let put = store.waiting.take(thread);
            match put {
                Some(put) if has_room => {
                    let unknown = store.put(put);
                    self.end_puts(resource, unknown, event, UntakenReason::Unknown);
                }
                put => self.end_puts(resource, put, event, UntakenReason::GaveUp),
            }
            return;
        }
        if store.untaken_put.take().is_some() && (store.older, store.puts.len()) == (0, 1) {
            let put = store.take();
            self.all
                .extend(put.map(|put| put.taken(resource, thread, event)));
        }
    }
}

impl StoredPuts {
    /// The records give the number of items: a last put that is not there was refused, or
    /// taken at once; other surplus items were taken without a record. Missing items are
    /// those of the threads that wait for room, if their resumptions are not recorded, or
    /// were put before the trace. Returns the puts whose items are not there.
    fn agree_with(&mut self, level: u32) -> Vec<PutCall> {
        let level = level as usize;
        let mut unseen = Vec::new();
        if let Some(put) = self.untaken_put.take()
            && self.puts.len() + (self.older as usize) > level
        {
            unseen.extend(self.undo(put));
        }
        while self.puts.len() + (self.older as usize) < level
            && let Some(put) = self.waiting.pop_front()
        {
            unseen.extend(self.put(put));
        }
        let surplus = self.puts.len().saturating_sub(level);
        unseen.extend(self.puts.drain(..surplus));
        self.older = (level - self.puts.len()) as u32;
        unseen
    }

    /// Adds an item; returns its call if it is not known which take it belongs to.
    fn put(&mut self, call: PutCall) -> Option<PutCall> {
        match (call.front, self.older) {
            (false, _) => self.puts.push_back(call),
            (true, 0) => self.puts.push_front(call),
            (true, _) => {
                // It is taken before items of unknown calls, and becomes one of them.
                self.older += 1;
                return Some(call);
            }
        }
        None
    }

    /// Reverts the last put; returns its call unless it is one of the unknown ones.
    fn undo(&mut self, call: PutCall) -> Option<PutCall> {
        match (call.front, self.older) {
            (false, _) => self.puts.pop_back(),
            (true, 0) => self.puts.pop_front(),
            (true, _) => {
                self.older -= 1;
                None
            }
        }
    }

    /// Takes the next item; returns the call that put it, if known.
    fn take(&mut self) -> Option<PutCall> {
        if self.older > 0 {
            self.older -= 1;
            return None;
        }
        self.puts.pop_front()
    }
}

impl From<Waiter> for PutCall {
    fn from(waiter: Waiter) -> Self {
        Self {
            event: waiter.event,
            context: waiter.context,
            front: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUEUE: ResourceId = ResourceId(0);
    const SENDER: ContextId = ContextId(10);
    const OTHER: ContextId = ContextId(11);
    const RECEIVER: ContextId = ContextId(12);

    #[derive(Default)]
    struct Calls {
        tracker: TransferTracker,
        next: u32,
    }

    impl Calls {
        fn call(&mut self, context: ContextId, effect: LevelEffect, level: u32) -> u32 {
            self.next += 1;
            let event = EventIndex(self.next);
            let tracker = &mut self.tracker;
            tracker.record_call(QUEUE, effect, level, context, event);
            self.next
        }

        fn resume(&mut self, thread: ContextId) -> u32 {
            self.next += 1;
            self.tracker.resume(QUEUE, thread, EventIndex(self.next));
            self.next
        }

        fn transfers(&self) -> Vec<(u32, u32)> {
            let all = self.tracker.all.iter();
            all.map(|it| (it.put.0, it.take.0)).collect()
        }

        fn untaken(&self) -> Vec<(u32, u32, UntakenReason)> {
            let all = self.tracker.untaken.iter();
            all.map(|it| (it.put.0, it.end.0, it.reason)).collect()
        }
    }

    #[test]
    fn a_thread_that_waits_for_room_puts_behind_the_stored_messages() {
        use LevelEffect::{Put, Take};
        let mut calls = Calls::default();
        let first = calls.call(SENDER, Put, 0);
        let second = calls.call(SENDER, Put, 1);
        let blocked = calls.call(SENDER, Put, 2);
        calls.tracker.block(QUEUE, SENDER);
        let refused = calls.call(OTHER, Put, 2);
        let takes: Vec<_> = [2, 2, 1]
            .into_iter()
            .map(|level| {
                let take = calls.call(RECEIVER, Take, level);
                if calls.tracker.blocked_putters.contains_key(&SENDER) {
                    calls.resume(SENDER);
                }
                take
            })
            .collect();
        let puts = [first, second, blocked];
        let expected: Vec<_> = puts.into_iter().zip(takes).collect();
        assert_eq!(calls.transfers(), expected, "{refused} was refused");
        let last = calls.tracker.all.last().unwrap();
        assert_eq!((last.putter, last.taker), (SENDER, RECEIVER));
    }

    #[test]
    fn resumptions_that_are_not_recorded_follow_from_the_level() {
        use LevelEffect::{Put, Take};
        let mut calls = Calls::default();
        let first = calls.call(SENDER, Put, 0);
        let blocked = calls.call(OTHER, Put, 1);
        calls.tracker.block(QUEUE, OTHER);
        let takes = [1, 1].map(|level| calls.call(RECEIVER, Take, level));
        assert_eq!(calls.transfers(), [(first, takes[0]), (blocked, takes[1])]);
    }

    #[test]
    fn a_put_that_is_given_up_is_not_taken() {
        use LevelEffect::{Put, PutFront, Take};
        let mut calls = Calls::default();
        let first = calls.call(SENDER, Put, 0);
        calls.call(OTHER, PutFront, 1);
        calls.tracker.block(QUEUE, OTHER);
        calls.tracker.give_up(OTHER, EventIndex(calls.next));
        let take = calls.call(RECEIVER, Take, 1);
        assert_eq!(calls.transfers(), [(first, take)]);
        // A receiver that waits gets the next message at once.
        let put = calls.call(SENDER, Put, 0);
        let resumed = calls.resume(RECEIVER);
        assert_eq!(calls.transfers(), [(first, take), (put, resumed)]);
    }

    #[test]
    fn a_put_whose_wait_times_out_is_given_up() {
        use LevelEffect::{Put, Take};
        let mut calls = Calls::default();
        let first = calls.call(SENDER, Put, 0);
        let blocked = calls.call(OTHER, Put, 1);
        calls.tracker.block(QUEUE, OTHER);
        let resumed = calls.resume(OTHER);
        let take = calls.call(RECEIVER, Take, 1);
        assert_eq!(calls.transfers(), [(first, take)]);
        assert_eq!(calls.untaken(), [(blocked, resumed, UntakenReason::GaveUp)]);
    }

    #[test]
    fn a_refused_put_does_not_replace_an_older_message() {
        use LevelEffect::{Put, Take};
        let mut calls = Calls::default();
        // Two messages are older than the trace.
        let put = calls.call(SENDER, Put, 2);
        let refused = calls.call(SENDER, Put, 3);
        let takes = [3, 2, 1].map(|level| calls.call(RECEIVER, Take, level));
        let expected = [(put, takes[2])];
        assert_eq!(calls.transfers(), expected, "{refused} was refused");
    }

    #[test]
    fn items_that_are_not_taken_are_known() {
        use LevelEffect::{Flush, Put, PutFront, Take};
        let mut calls = Calls::default();
        let [stored, waiting] = [0, 1].map(|level| calls.call(SENDER, Put, level));
        calls.tracker.block(QUEUE, SENDER);
        let flush = calls.call(OTHER, Flush, SchedEvent::UNKNOWN_LEVEL);
        let flushed = [stored, waiting].map(|put| (put, flush, UntakenReason::Flushed));
        assert_eq!(calls.untaken(), flushed);
        // The next record shows that the queue is empty again: the take was not recorded.
        let put = calls.call(SENDER, Put, 0);
        let next = calls.call(SENDER, Put, 0);
        let unknown = UntakenReason::Unknown;
        assert_eq!(calls.untaken()[2..], [(put, next, unknown)]);
        calls.tracker.forget(EventIndex(calls.next));
        assert_eq!(calls.untaken()[3..], [(next, calls.next, unknown)]);
        // Taken before messages that are older than the trace.
        let front = calls.call(SENDER, PutFront, 1);
        assert_eq!(calls.untaken()[4..], [(front, front, unknown)]);
        let last = calls.call(SENDER, Put, 2);
        calls.call(RECEIVER, Take, 3);
        assert_eq!(calls.untaken().len(), 5, "{last} is still in the queue");
        assert_eq!(calls.transfers(), []);
        calls.tracker.finish(EventIndex(calls.next));
        let ended = UntakenReason::TraceEnded;
        assert_eq!(calls.untaken()[5..], [(last, calls.next, ended)]);
    }

    #[test]
    fn a_message_put_in_front_is_taken_first() {
        use LevelEffect::{Put, PutFront, Take};
        let mut calls = Calls::default();
        // One message is older than the trace.
        let put = calls.call(SENDER, Put, 1);
        let front = calls.call(SENDER, PutFront, 2);
        let takes = [3, 2, 1].map(|level| calls.call(RECEIVER, Take, level));
        assert_eq!(calls.transfers(), [(put, takes[2])], "{front} is not known");
        let [put, front] =
            [(Put, 0), (PutFront, 1)].map(|(it, level)| calls.call(SENDER, it, level));
        let takes = [2, 1].map(|level| calls.call(RECEIVER, Take, level));
        assert_eq!(calls.transfers()[1..], [(front, takes[0]), (put, takes[1])]);
    }
}
