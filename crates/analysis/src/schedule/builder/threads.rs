//! Threads that are resumed and suspended, and that request mutexes.

use super::ScheduleBuilder;
use crate::schedule::inversion::UnseenWait;
use crate::schedule::lock::Ownership;
use crate::schedule::thread::{ImpendingInversion, ThreadTracker};
use crate::schedule::{LockEnding, SwitchCause, ThreadState};
use rtoscope_trace::{ContextId, Contexts, ResourceId, WaitReason};

impl ScheduleBuilder {
    pub(super) fn resume(&mut self, id: ContextId, wait: WaitReason, interrupt: bool) {
        self.records_states = true;
        let now = self.now;
        let Some(thread) = self.threads.get_mut(id.index()) else {
            return;
        };
        let state = thread.state();
        if id <= Contexts::IDLE || matches!(state, ThreadState::Ready | ThreadState::Running) {
            return;
        }
        // A call that aborts the wait of a thread (`tx_thread_wait_abort`)
        // suspends it in passing: the thread does not get the object.
        let aborted = match state {
            ThreadState::Waiting {
                wait_reason: known, ..
            } if wait == WaitReason::Suspended => {
                Some(known).filter(|known| *known != WaitReason::Suspended && !known.is_end())
            }
            _ => None,
        };
        let wait = aborted.unwrap_or(wait);
        let mut resource = thread.waits_for();
        let since = thread.since().time.max(self.since.time);
        if state == ThreadState::Unknown {
            self.known_threads.push(id);
        }
        if resource.is_none() && wait == WaitReason::Mutex {
            resource = self.locks.released();
        }
        let is_first = self.is_explicit && thread.is_unseen();
        thread.is_deleted = false;
        if !is_first && (state == ThreadState::Unknown || resource.is_some()) {
            thread.correct(
                ThreadState::Waiting {
                    wait_reason: wait,
                    resource,
                },
                self.since,
            );
        }
        if state == ThreadState::Unknown
            && wait == WaitReason::Mutex
            && let Some(resource) = resource
        {
            self.found_inversion(resource, id, since);
        }
        if aborted.is_some() {
            self.give_up_wait(id);
        } else {
            self.grant(id, wait, resource);
        }
        if let Some(thread) = self.threads.get_mut(id.index()) {
            if std::mem::take(&mut thread.suspends_later) {
                let (wait, resource) = (WaitReason::Suspended, None);
                thread.enter_by(
                    now,
                    ThreadState::Waiting {
                        wait_reason: wait,
                        resource,
                    },
                    true,
                    interrupt,
                );
                return;
            }
            thread.enter_by(now, ThreadState::Ready, true, interrupt);
            if self.cores.len() > 1 {
                self.recent_resumptions.push((now, id));
            }
            if let Some(core) = thread
                .core
                .and_then(|core_index| self.cores.get_mut(core_index))
            {
                core.steady = false;
            }
        }
    }

    /// A thread stops waiting for an object without getting it.
    pub(super) fn give_up_wait(&mut self, id: ContextId) {
        if let Some(thread) = self.threads.get_mut(id.index()) {
            self.inversions.end(thread, LockEnding::GaveUp, self.now);
        }
        self.transfers.give_up(id, self.now.event);
        self.watch_inversions_from(self.now);
    }

    /// A thread that waited for an object continues.
    pub(super) fn grant(&mut self, id: ContextId, wait: WaitReason, resource: Option<ResourceId>) {
        let Some(resource) = resource else { return };
        if wait != WaitReason::Mutex {
            self.transfers.resume(resource, id, self.now.event);
            return;
        }
        let ending = if self.locks.resume(resource, id, self.now) {
            self.inversions.hand_over(resource, id);
            LockEnding::Done
        } else {
            LockEnding::GaveUp
        };
        if let Some(thread) = self.threads.get_mut(id.index()) {
            self.inversions.end(thread, ending, self.now);
        }
        // The previous owner may continue to run, and no longer owns the mutex.
        self.watch_inversions_from(self.now);
    }

    /// The wait that ends began before the known part of the trace.
    pub(super) fn found_inversion(&mut self, resource: ResourceId, id: ContextId, since: u64) {
        let hold = self.locks.holds.iter().rev();
        let mut of_resource = hold
            .take(MAX_SEARCHED_HOLDS)
            .filter(|hold| hold.resource == resource);
        if let Some(owner) = of_resource.next().map(|hold| hold.owner) {
            let wait = UnseenWait {
                resource,
                blocked: id,
                owner,
                since,
            };
            self.inversions
                .begin_unseen(wait, &self.threads, &self.run_threads, self.now);
        }
    }

    pub(super) fn suspend(
        &mut self,
        core_index: usize,
        context: ContextId,
        id: ContextId,
        wait: WaitReason,
        next: ContextId,
    ) {
        self.records_states = true;
        let now = self.now;
        let Some(thread) = self.threads.get_mut(id.index()) else {
            return;
        };
        if id <= Contexts::IDLE {
            return;
        }
        if thread.state() == ThreadState::Unknown {
            self.known_threads.push(id);
            if !(self.is_explicit && thread.is_unseen()) {
                thread.correct(ThreadState::Ready, self.since);
            }
        }
        let asked = thread
            .requested
            .take()
            .filter(|_| wait.class().is_some() && id == context);
        if !thread.is_runnable() {
            // Suspended while it waits, or terminated.
            self.inversions.end(thread, LockEnding::GaveUp, now);
        }
        let resource = asked;
        thread.enter(
            now,
            ThreadState::Waiting {
                wait_reason: wait,
                resource,
            },
            true,
        );
        let on = thread.core;
        if wait.is_end() {
            self.locks.end_thread(id);
        }
        if let Some(resource) = resource {
            match wait {
                WaitReason::Mutex => self.inherit_priority(id, resource),
                _ => self.transfers.block(resource, id),
            }
        }
        let is_inverted = |thread: &ThreadTracker| thread.impending_inversion.is_some();
        if wait == WaitReason::Mutex && self.threads.get(id.index()).is_some_and(is_inverted) {
            self.inversions
                .begin(id, &mut self.threads, &self.locks, now);
        }
        match on {
            Some(here) if here == core_index => {
                let core = &mut self.cores[core_index];
                core.next = next;
                core.next_cause = SwitchCause::Suspension;
                core.steady = false;
            }
            Some(elsewhere) => {
                // Another core has to switch to another context.
                let core = &mut self.cores[elsewhere];
                core.settled_at = core.settled_at.max(now);
                core.steady = false;
            }
            None => {}
        }
        self.watch_inversions_from(now);
    }

    pub(super) fn acquire(
        &mut self,
        context: ContextId,
        resource: ResourceId,
        before: Ownership,
        waits: bool,
        inherits: bool,
    ) {
        let owner = before.owner;
        self.locks
            .acquire(resource, context, before, inherits, self.now);
        let inverted = match (self.priority(context), self.priority(owner)) {
            (Some(own_priority), Some(owner_priority)) if own_priority < owner_priority => {
                Some(owner_priority)
            }
            _ => None,
        };
        if context <= Contexts::IDLE || owner == context || !waits {
            return;
        }
        let event = self.now.event;
        if let Some(thread) = self.threads.get_mut(context.index()) {
            thread.requested = Some(resource);
            thread.impending_inversion = inverted.map(|owner_priority| ImpendingInversion {
                resource,
                owner,
                owner_priority,
                inherits,
                event,
            });
        }
    }

    pub(super) fn release(&mut self, context: ContextId, resource: ResourceId, before: Ownership) {
        let Ownership { owner, count } = before;
        let last = count == Some(1);
        let thread = self.threads.get_mut(owner.index());
        let ended = thread.as_ref().is_some_and(|owner| owner.has_ended());
        if let Some(thread) = thread
            && (context == owner || ended)
            && last
        {
            thread.inherited.take_if(|(of, _)| *of == resource);
        }
        // A thread that has ended releases nothing: the kernel does it on its
        // behalf.
        let by = if ended { owner } else { context };
        self.locks.release(resource, by, before, self.now);
        if ended {
            self.locks.end_thread(owner);
        }
    }
}

/// Maximum number of holds to search backwards for the one of the owner that
/// has just handed a mutex to a thread: it is among the last.
const MAX_SEARCHED_HOLDS: usize = 32;
