//! Deferral and recall of events.

use super::super::{ActiveObjects, Deferral, PostId};
use foldhash::HashMap;
use rtoscope_trace::{Address, ContextId, Signal};
use std::collections::VecDeque;

/// Maximum number of queues of deferred events. Targets have few, and a recall
/// does not name its queue.
const MAX_QUEUES: usize = 64;

/// Which step handles which signal, and the deferred events.
#[derive(Debug, Clone, Default)]
pub(super) struct DeferredEvents {
    /// Number of objects that handle each signal, and the XOR of their numbers,
    /// which is the object itself if there is one.
    handling: HashMap<Signal, (u32, u32)>,
    queues: Vec<DeferralQueue>,
}

#[derive(Debug, Clone)]
struct DeferralQueue {
    address: Address,
    /// Deferrals in the queue; `None` if it may hold unknown ones.
    waiting: Option<VecDeque<usize>>,
}

impl DeferredEvents {
    /// Forgets everything before this point.
    pub(super) fn invalidate(&mut self) {
        *self = Self::default();
    }

    /// Updates the signal that an object's open step handles.
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

    /// Defers an event. `whole` is false if the queue may hold events that the
    /// trace does not contain.
    pub(super) fn defer(&mut self, active: &mut ActiveObjects, deferral: Deferral, complete: bool) {
        let at = active.deferrals.len();
        active.deferrals.push(deferral);
        let mut queues = self.queues.iter();
        let index = queues.position(|queue| queue.address == deferral.queue);
        let index = index.unwrap_or(self.queues.len());
        if index == self.queues.len() && index < MAX_QUEUES {
            self.queues.push(DeferralQueue {
                address: deferral.queue,
                waiting: Some(VecDeque::new()),
            });
        }
        if let Some(queue) = self.queues.get_mut(index) {
            queue.waiting = queue.waiting.take().filter(|_| complete);
            if let Some(waiting) = &mut queue.waiting {
                waiting.push_back(at);
            }
        }
    }

    /// Recalls the first event of one of the queues to the object.
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
        let indices: Vec<_> = fitting().map(|(index, _)| index).collect();
        match indices.as_slice() {
            [index] => {
                let waiting = self.queues.get_mut(*index).map(|queue| &mut queue.waiting);
                let first = waiting.and_then(|waiting| waiting.as_mut()?.pop_front());
                if let Some(deferral) = first.and_then(|at| active.deferrals.get_mut(at)) {
                    deferral.recalled = post;
                }
            }
            // The record does not name the queue.
            indices => {
                for index in indices {
                    if let Some(queue) = self.queues.get_mut(*index) {
                        queue.waiting = None;
                    }
                }
            }
        }
    }
}
