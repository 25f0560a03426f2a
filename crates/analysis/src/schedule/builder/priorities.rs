//! Priorities that calls change, and that threads inherit.

use super::ScheduleBuilder;
use crate::schedule::PriorityChange;
use rtoscope_trace::{ContextId, ResourceId, Ticks};

impl ScheduleBuilder {
    pub(super) fn reprioritise(&mut self, thread: ContextId, done: bool) {
        if done {
            self.priority_changes.push(PriorityChange {
                time: Ticks(self.now.time),
                event: self.now.event,
                thread,
            });
        }
    }

    /// A call sets a thread's own priority. A higher inherited priority takes
    /// precedence. `effective` is its effective priority before the call: if it
    /// was higher than its own, it was inherited.
    pub(super) fn change_priority(&mut self, id: ContextId, priority: u16, effective: u16) {
        let now = self.now;
        let Some(thread) = self.threads.get_mut(id.index()) else {
            return;
        };
        let own_priority = thread.base_priority.replace(priority);
        let above = |own_priority: u16| effective < own_priority;
        let inherited = thread.inherited.map(|(_, inherited)| inherited);
        let inherited = inherited.or(own_priority.is_some_and(above).then_some(effective));
        let registered = thread.priority.filter(|_| own_priority.is_none());
        thread.priority = match inherited {
            Some(inherited) => Some(priority.min(inherited)),
            // Whether it inherits, or was changed before the start of the
            // trace, is not known.
            None if registered.is_some_and(above) && effective < priority => None,
            None => Some(priority),
        };
        if self.inversions.is_watching() {
            self.watched_since = Some(now);
        }
    }

    /// A thread waits for a mutex: its owner inherits its priority, if the
    /// mutex has inheritance.
    pub(super) fn inherit_priority(&mut self, waiter: ContextId, resource: ResourceId) {
        let Some(owner) = self.locks.inheriting_owner(resource) else {
            return;
        };
        let Some(priority) = self.priority(waiter) else {
            return;
        };
        if let Some(owner) = self.threads.get_mut(owner.index()) {
            let higher = owner.inherited.is_none_or(|(_, known)| priority < known);
            if higher {
                owner.inherited = Some((resource, priority));
            }
        }
    }
}
