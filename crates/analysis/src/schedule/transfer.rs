//! What is put into queues and semaphores, and who takes it.

use rtoscope_trace::{EventIndex, LevelEffect, ResourceId, SchedEvent};
use std::collections::VecDeque;

/// Something that one call put into an object and another took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer {
    /// The object.
    pub resource: ResourceId,
    /// The call that put it.
    pub put: EventIndex,
    /// The call that took it, or the resumption of the thread that waited for it.
    pub take: EventIndex,
}

/// The puts that an object still holds.
#[derive(Debug, Clone, Default)]
struct StoredPuts {
    /// In the order in which they will be taken. `None` was put before the
    /// trace began.
    puts: VecDeque<Option<EventIndex>>,
    /// How many more there are behind the oldest, all from before the trace.
    older: u32,
    /// The last call was a put that nobody has taken.
    untaken_put: bool,
    /// Whether there was any call since anything is known.
    used: bool,
}

/// Follows what is put and taken.
#[derive(Debug, Clone, Default)]
pub(super) struct TransferTracker {
    stores: Vec<StoredPuts>,
    /// Those that may hold something.
    used: Vec<ResourceId>,
    pub(super) all: Vec<Transfer>,
}

impl TransferTracker {
    /// Nothing is known any more.
    pub(super) fn forget(&mut self) {
        for resource in std::mem::take(&mut self.used) {
            *self.store(resource) = StoredPuts::default();
        }
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
        flow: LevelEffect,
        level: u32,
        event: EventIndex,
    ) {
        if flow == LevelEffect::Flush {
            let store = self.store(resource);
            store.puts.clear();
            (store.older, store.untaken_put) = (0, false);
            return;
        }
        let moves_one = matches!(
            flow,
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
        // The records say how many there are: what was not taken by a recorded
        // call is forgotten, what was not put by one came before the trace.
        let held = store.puts.len() as u32;
        if held > level {
            store.puts.truncate(level as usize);
            store.older = 0;
        } else {
            store.older = level - held;
        }
        store.untaken_put = matches!(
            flow,
            LevelEffect::Put | LevelEffect::PutFront | LevelEffect::Deliver
        );
        match flow {
            LevelEffect::Put | LevelEffect::Store | LevelEffect::Deliver => {
                store.puts.push_back(Some(event))
            }
            LevelEffect::PutFront => store.puts.push_front(Some(event)),
            LevelEffect::Refuse
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

    /// A thread that waited for the object goes on: what was just put is its.
    pub(super) fn resume(&mut self, resource: ResourceId, event: EventIndex) {
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
