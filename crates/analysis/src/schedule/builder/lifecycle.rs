//! Threads that are created, terminated, reset and deleted, and calls that
//! suspend them once they no longer wait.

use super::ScheduleBuilder;
use crate::schedule::ThreadState;
use rtoscope_trace::{ContextId, Contexts, Wait};

impl ScheduleBuilder {
    /// A thread comes into being, maybe where another was.
    pub(super) fn create(&mut self, id: ContextId, priority: u16) {
        let now = self.now;
        let Some(thread) = self.threads.get_mut(id.index()) else {
            return;
        };
        if id <= Contexts::IDLE || thread.core.is_some() {
            return;
        }
        if thread.state() == ThreadState::Unknown {
            self.known_threads.push(id);
        }
        thread.priority = Some(priority);
        thread.base_priority = Some(priority);
        thread.inherited = None;
        thread.suspends_later = false;
        let state = ThreadState::Waiting {
            wait_reason: Wait::Suspended,
            resource: None,
        };
        thread.enter(now, state, false);
    }

    /// A thread is terminated. `wait_reason` is what it waited for: then no record of
    /// its suspension follows.
    pub(super) fn terminate(
        &mut self,
        place: usize,
        context: ContextId,
        id: ContextId,
        wait: Option<Wait>,
    ) {
        let Some(thread) = self.threads.get_mut(id.index()) else {
            return;
        };
        let Some(wait) = wait.filter(|_| id > Contexts::IDLE) else {
            return;
        };
        thread.requested = None;
        thread.impending_inversion = None;
        if thread.state() == ThreadState::Unknown {
            self.known_threads.push(id);
            let resource = None;
            thread.correct(
                ThreadState::Waiting {
                    wait_reason: wait,
                    resource,
                },
                self.since,
            );
        }
        if thread.is_runnable() {
            // Its suspension was not recorded.
            self.count_unrecorded(self.now.event);
            self.suspend(place, context, id, Wait::Terminated, ContextId::UNKNOWN);
            return;
        }
        self.records_states = true;
        self.give_up_wait(id);
        self.stop(id, Wait::Terminated, true);
    }

    /// A thread that has ended is suspended, until it is resumed.
    pub(super) fn reset(&mut self, id: ContextId) {
        self.stop(id, Wait::Suspended, true);
    }

    /// A thread that has ended no longer exists.
    pub(super) fn delete(&mut self, id: ContextId) {
        let thread = self.threads.get(id.index());
        if thread.is_some_and(|thread| !thread.has_ended()) {
            self.give_up_wait(id);
            self.stop(id, Wait::Terminated, false);
        }
    }

    /// A thread that has no core waits from now on, or for something else.
    fn stop(&mut self, id: ContextId, wait: Wait, seen: bool) {
        let now = self.now;
        let Some(thread) = self.threads.get_mut(id.index()) else {
            return;
        };
        if id <= Contexts::IDLE || thread.core.is_some() && thread.is_runnable() {
            return;
        }
        if thread.state() == ThreadState::Unknown {
            self.known_threads.push(id);
        }
        let resource = None;
        thread.enter(
            now,
            ThreadState::Waiting {
                wait_reason: wait,
                resource,
            },
            seen,
        );
    }

    /// A thread that waits will be suspended once its wait ends, or no longer.
    pub(super) fn delay_suspension(&mut self, id: ContextId, pending: bool) {
        if let Some(thread) = self.threads.get_mut(id.index()) {
            thread.suspends_later = pending;
        }
    }
}
