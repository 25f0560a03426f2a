//! Whose queues are whose.

use crate::session::Session;
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::{Address, ContextId, EventIndex, ObjectClass};
use std::collections::BTreeMap;

/// As many posts to an active object, or steps of it, are enough to tell its queue.
const ENOUGH: u32 = 32;

impl Session {
    /// The active objects by the address of their queue: the one of which the
    /// record before a post to them, or before a step of theirs, mostly speaks.
    pub(crate) fn queue_owners(&self) -> BTreeMap<Address, ContextId> {
        let active = &self.analysis.active;
        let posts = active.posts.iter().map(|post| (post.to, post.event));
        let steps = active.steps.iter().map(|step| (step.object, step.first));
        let objects = active.objects.iter();
        let mut wanted: BTreeMap<_, _> = objects.map(|object| (*object, ENOUGH)).collect();
        let mut votes: BTreeMap<(ContextId, Address), u32> = BTreeMap::new();
        for (object, event) in posts.chain(steps) {
            if wanted.is_empty() {
                break;
            }
            let Some(left) = wanted.get_mut(&object) else {
                continue;
            };
            *left -= 1;
            if *left == 0 {
                wanted.remove(&object);
            }
            if let Some(queue) = self.queue_before(event) {
                *votes.entry((object, queue)).or_default() += 1;
            }
        }
        let mut votes: Vec<_> = votes.into_iter().collect();
        votes.sort_by_key(|(_, count)| *count);
        // The most votes come last, and count.
        let queues = votes
            .into_iter()
            .map(|((object, queue), _)| (object, queue));
        let queues: BTreeMap<_, _> = queues.collect();
        queues
            .into_iter()
            .map(|(object, queue)| (queue, object))
            .collect()
    }

    /// The queue of which the record before an event speaks.
    fn queue_before(&self, event: EventIndex) -> Option<Address> {
        let before = EventIndex(event.0.checked_sub(1)?);
        let before = self.trace.events.get(before)?;
        let kind = self.trace.catalogue.get(before.kind)?;
        let is_queue = Meaning::Object(ObjectClass::Queue);
        let mut words = self.trace.words(kind, &before);
        let queue = words.find(|(argument, value)| argument.meaning == is_queue && *value != 0);
        queue.map(|(_, address)| Address(address))
    }
}
