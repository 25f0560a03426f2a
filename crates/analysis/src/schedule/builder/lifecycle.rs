//! Threads that are created, terminated, reset and deleted, and delayed
//! suspensions.

use super::ScheduleBuilder;
use crate::schedule::ThreadState;
use rtoscope_trace::{ContextId, Contexts, WaitReason};

impl ScheduleBuilder {
    /// A thread is created, possibly at the address of a previous one.
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
        thread.is_deleted = false;
        let state = ThreadState::Waiting {
            wait_reason: WaitReason::Suspended,
            resource: None,
        };
        thread.enter(now, state, false);
    }

    /// A thread is terminated. `wait` is the reason of its wait, if it waited:
    /// then no record of a suspension follows.
    pub(super) fn terminate(
        &mut self,
        core_index: usize,
        context: ContextId,
        id: ContextId,
        wait: Option<WaitReason>,
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
            self.suspend(
                core_index,
                context,
                id,
                WaitReason::Terminated,
                ContextId::UNKNOWN,
            );
            return;
        }
        self.records_states = true;
        self.give_up_wait(id);
        self.stop(id, WaitReason::Terminated, true);
    }

    /// A thread that has ended becomes suspended, until it is resumed.
    pub(super) fn reset(&mut self, id: ContextId) {
        self.stop(id, WaitReason::Suspended, true);
    }

    /// A thread is deleted. If it runs, it ends with the switch to another one.
    pub(super) fn delete(&mut self, id: ContextId) {
        let Some(thread) = self.threads.get_mut(id.index()) else {
            return;
        };
        thread.is_deleted = true;
        if !thread.has_ended() {
            self.give_up_wait(id);
        }
        self.stop(id, WaitReason::Terminated, true);
    }

    /// A thread without a core waits from now on, or for another reason.
    fn stop(&mut self, id: ContextId, wait: WaitReason, start_known: bool) {
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
            start_known,
        );
    }

    /// Requests or cancels the suspension of a waiting thread after its wait.
    pub(super) fn delay_suspension(&mut self, id: ContextId, pending: bool) {
        if let Some(thread) = self.threads.get_mut(id.index()) {
            thread.suspends_later = pending;
        }
    }
}
