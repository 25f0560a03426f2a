//! Events that are put aside, and come back.

use super::super::{ActiveObjects, Deferral, PostId};
use rtoscope_trace::{Address, ContextId, Signal};
use std::collections::{HashMap, VecDeque};

/// Queues of deferred events that are watched at most: targets have a few, and a
/// recall does not say which one it speaks of.
const MAX_QUEUES: usize = 64;

/// Whose step handles what, and what was put aside.
#[derive(Debug, Default)]
pub(super) struct DeferredEvents {
    /// How many objects handle each signal, and the exclusive or of their
    /// numbers: the number itself if it is one.
    handling: HashMap<Signal, (u32, u32)>,
    queues: Vec<DeferralQueue>,
}

#[derive(Debug)]
struct DeferralQueue {
    address: Address,
    /// Deferrals in it; `None` if it may hold others.
    waiting: Option<VecDeque<usize>>,
}

impl DeferredEvents {
    /// Nothing of before is known.
    pub(super) fn invalidate(&mut self) {
        *self = Self::default();
    }

    /// The signal that an object's open step handles changes.
    pub(super) fn set_handled(
        &mut self,
        object: ContextId,
        before: Option<Signal>,
        now: Option<Signal>,
    ) {
        if before == now {
            return;
        }
        if let Some((count, numbers)) = before.and_then(|before| self.handling.get_mut(&before)) {
            *count = count.saturating_sub(1);
            *numbers ^= object.0;
        }
        if let Some(now) = now {
            let (count, numbers) = self.handling.entry(now).or_default();
            *count += 1;
            *numbers ^= object.0;
        }
    }

    /// The only object that handles an event of that signal.
    pub(super) fn sole_handler(&self, signal: Signal) -> Option<ContextId> {
        let (count, object) = self.handling.get(&signal)?;
        (*count == 1).then_some(ContextId(*object))
    }

    /// An event is put aside. `whole` says whether the queue can hold no event
    /// that the trace does not tell of.
    pub(super) fn defer(&mut self, active: &mut ActiveObjects, deferral: Deferral, whole: bool) {
        let at = active.deferrals.len();
        active.deferrals.push(deferral);
        let mut queues = self.queues.iter();
        let place = queues.position(|queue| queue.address == deferral.queue);
        let place = place.unwrap_or(self.queues.len());
        if place == self.queues.len() && place < MAX_QUEUES {
            self.queues.push(DeferralQueue {
                address: deferral.queue,
                waiting: Some(VecDeque::new()),
            });
        }
        if let Some(queue) = self.queues.get_mut(place) {
            queue.waiting = queue.waiting.take().filter(|_| whole);
            if let Some(waiting) = &mut queue.waiting {
                waiting.push_back(at);
            }
        }
    }

    /// The first event of one of the queues comes back to the object.
    pub(super) fn recall(
        &mut self,
        active: &mut ActiveObjects,
        object: ContextId,
        signal: Signal,
        post: Option<PostId>,
    ) {
        if self.queues.len() == MAX_QUEUES {
            return;
        }
        let fits = |queue: &DeferralQueue| {
            let Some(waiting) = &queue.waiting else {
                return true;
            };
            let first = waiting.front().and_then(|at| active.deferrals.get(*at));
            first.is_some_and(|first| (first.object, first.signal) == (Some(object), signal))
        };
        let fitting = || {
            self.queues
                .iter()
                .enumerate()
                .filter(|(_, queue)| fits(queue))
        };
        let places: Vec<_> = fitting().map(|(place, _)| place).collect();
        match places.as_slice() {
            [place] => {
                let waiting = self.queues.get_mut(*place).map(|queue| &mut queue.waiting);
                let first = waiting.and_then(|waiting| waiting.as_mut()?.pop_front());
                if let Some(deferral) = first.and_then(|at| active.deferrals.get_mut(at)) {
                    deferral.recalled = post;
                }
            }
            // Which one it was is not told.
            places => {
                for place in places {
                    if let Some(queue) = self.queues.get_mut(*place) {
                        queue.waiting = None;
                    }
                }
            }
        }
    }
}
