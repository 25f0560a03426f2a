//! Transfers: what is put into queues and semaphores, and taken from them.

use crate::rendezvous::{Meeting, Resumption, Waiter, WaitingPartners};
use rtoscope_trace::{ContextId, EventIndex, LevelEffect, ResourceId, SchedEvent};
use std::collections::HashMap;
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
}

/// The puts that are still in an object.
#[derive(Debug, Clone, Default)]
struct StoredPuts {
    /// In the order of the takes. `None` was put before the start of the trace.
    puts: VecDeque<Option<EventIndex>>,
    /// Number of further items after the oldest, all from before the trace.
    older: u32,
    /// The last call was a put that was not taken.
    untaken_put: bool,
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
    /// The offers that threads accept when they continue.
    accepted: HashMap<ContextId, (ResourceId, EventIndex)>,
    pub(super) all: Vec<Transfer>,
}

impl TransferTracker {
    /// Forgets everything before this point.
    pub(super) fn forget(&mut self) {
        for resource in std::mem::take(&mut self.used) {
            *self.store(resource) = StoredPuts::default();
        }
        self.rendezvous.clear();
        self.accepted.clear();
    }

    /// A call of a thread on a queue without storage.
    pub(super) fn call_rendezvous(&mut self, resource: ResourceId, caller: Waiter, waits: bool) {
        self.accepted.remove(&caller.context);
        let partners = self.rendezvous.entry(resource).or_default();
        match partners.call(caller, waits) {
            Meeting::Partner(partner) if partner.offers => self.all.push(Transfer {
                resource,
                put: partner.event,
                take: caller.event,
            }),
            Meeting::Partner(partner) => {
                let offer = (resource, caller.event);
                self.accepted.insert(partner.context, offer);
            }
            Meeting::Waits | Meeting::Refused => {}
        }
    }

    /// The wait of a thread ends without a hand-over.
    pub(super) fn give_up(&mut self, thread: ContextId) {
        for partners in self.rendezvous.values_mut() {
            partners.leave(thread);
        }
    }

    /// A thread that waited for a partner continues.
    fn end_rendezvous(&mut self, resource: ResourceId, thread: ContextId, event: EventIndex) {
        let accepted = self.accepted.remove(&thread);
        let accepted = accepted.filter(|(queue, _)| *queue == resource);
        let put = accepted.map(|(_, put)| put).or_else(|| {
            match self.rendezvous.get_mut(&resource)?.resume(thread) {
                Resumption::Unrecorded(last) if last.offers => Some(last.event),
                _ => None,
            }
        });
        self.all.extend(put.map(|put| Transfer {
            resource,
            put,
            take: event,
        }));
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
        event: EventIndex,
    ) {
        if effect == LevelEffect::Flush {
            if let Some(partners) = self.rendezvous.get_mut(&resource) {
                partners.forget();
            }
            let store = self.store(resource);
            store.puts.clear();
            (store.older, store.untaken_put) = (0, false);
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
        // The records give the number of items: surplus puts were taken without
        // a record and are dropped; missing ones were put before the trace.
        let held = store.puts.len() as u32;
        if held > level {
            store.puts.truncate(level as usize);
            store.older = 0;
        } else {
            store.older = level - held;
        }
        store.untaken_put = matches!(
            effect,
            LevelEffect::Put | LevelEffect::PutFront | LevelEffect::Deliver
        );
        match effect {
            LevelEffect::Put | LevelEffect::Store | LevelEffect::Deliver => {
                store.puts.push_back(Some(event));
            }
            LevelEffect::PutFront => store.puts.push_front(Some(event)),
            LevelEffect::Offer
            | LevelEffect::Accept
            | LevelEffect::Refuse
            | LevelEffect::Add
            | LevelEffect::Remove
            | LevelEffect::Flush
            | LevelEffect::Other => {}
            LevelEffect::Take => {
                if store.older > 0 {
                    store.older -= 1;
                } else if let Some(Some(put)) = store.puts.pop_front() {
                    self.all.push(Transfer {
                        resource,
                        put,
                        take: event,
                    });
                }
            }
        }
        if is_new {
            self.used.push(resource);
        }
    }

    /// A thread that waited for the object continues: it got what was just put.
    pub(super) fn resume(&mut self, resource: ResourceId, thread: ContextId, event: EventIndex) {
        if self.rendezvous.contains_key(&resource) {
            self.end_rendezvous(resource, thread, event);
            return;
        }
        let store = self.store(resource);
        if !std::mem::take(&mut store.untaken_put) {
            return;
        }
        let put = if store.puts.len() == 1 {
            store.puts.pop_front()
        } else {
            None
        };
        if let Some(Some(put)) = put {
            self.all.push(Transfer {
                resource,
                put,
                take: event,
            });
        }
    }
}
