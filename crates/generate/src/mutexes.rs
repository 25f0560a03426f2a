//! Mutexes, and the priorities that their owners inherit.

use crate::event::{NO_WAIT, id};
use crate::facts::KernelFact;
use crate::kernel::Kernel;
use crate::thread::{NO_PRIORITY, ThreadIndex, ThreadState, WaitTarget};
use crate::truth::DispatchCause;

impl Kernel {
    pub(crate) fn get_mutex(&mut self, index: ThreadIndex, set: usize, wait: u64) {
        let mutex = &mut self.sets[set].mutex;
        let (pointer, owner, count) = (mutex.pointer, mutex.owner, mutex.count);
        let inherits = mutex.inherits;
        let is_foreign = owner.is_some_and(|owner| owner != index);
        if !is_foreign {
            mutex.owner = Some(index);
            mutex.count += 1;
        }
        let info = [pointer, wait, self.pointer(owner), count];
        self.log(id::MUTEX_GET, info);
        if !is_foreign {
            self.record_fact(KernelFact::Mutex {
                mutex: pointer,
                owner: Some(self.number(index)),
                count: count + 1,
            });
        }
        if let Some(owner) = owner.filter(|_| is_foreign && wait != NO_WAIT) {
            self.record_fact(KernelFact::Contends {
                thread: self.number(index),
                mutex: pointer,
                owner: self.number(owner),
            });
            if inherits {
                self.inherit_priority(owner, self.threads[index.slot()].priority);
            }
            self.begin_wait(index, wait, WaitTarget::Mutex);
            self.suspend(ThreadState::MutexSuspended, pointer);
            let waiters = &mut self.sets[set].mutex.waiters;
            waiters.push(&mut self.threads, index);
        }
    }

    fn inherit_priority(&mut self, owner: ThreadIndex, priority: u8) {
        let thread = &mut self.threads[owner.slot()];
        thread.inherited_priority = thread.inherited_priority.min(priority);
        if thread.priority > priority {
            self.change_priority(owner, priority);
        }
    }

    pub(crate) fn put_mutex(&mut self, index: ThreadIndex, set: usize) {
        let stack = self.stack_pointer();
        if self.sets[set].mutex.owner == Some(index) {
            self.release_mutex(set, index, stack);
            self.reschedule(DispatchCause::PreemptionSolicited);
        }
    }

    /// Puts a mutex on behalf of its owner, which need not be the running
    /// thread, without a switch.
    pub(crate) fn release_mutex(&mut self, set: usize, owner: ThreadIndex, stack: u64) {
        let mutex = &mut self.sets[set].mutex;
        let (pointer, inherits, count) = (mutex.pointer, mutex.inherits, mutex.count);
        mutex.count -= 1;
        let is_last = mutex.count == 0;
        if is_last {
            mutex.owner = None;
        }
        let info = [pointer, self.pointer(Some(owner)), count, stack];
        self.log(id::MUTEX_PUT, info);
        self.record_fact(KernelFact::Mutex {
            mutex: pointer,
            owner: Some(self.number(owner)).filter(|_| !is_last),
            count: count - 1,
        });
        if !is_last {
            return;
        }
        if inherits {
            self.threads[owner.slot()].inherited_priority = NO_PRIORITY;
            if self.sets[set].mutex.waiters.len() > 1 {
                self.prioritize(set);
            }
        }
        let mutex = &mut self.sets[set].mutex;
        let waiter = mutex.waiters.pop(&self.threads);
        mutex.owner = waiter;
        mutex.count = u64::from(waiter.is_some());
        if inherits {
            if waiter.is_some() && mutex.waiters.len() > 0 {
                self.prioritize(set);
            }
            let thread = &self.threads[owner.slot()];
            let own = thread.own_priority;
            if thread.priority != own {
                self.change_priority(owner, own);
            }
        }
        if let Some(waiter) = waiter {
            self.resume(waiter);
            self.record_fact(KernelFact::Owns {
                thread: self.number(waiter),
                mutex: pointer,
            });
        }
    }

    /// Moves the waiting thread with the highest priority to the front.
    fn prioritize(&mut self, set: usize) {
        let stack = self.stack_pointer();
        let mutex = &mut self.sets[set].mutex;
        let info = [mutex.pointer, mutex.waiters.len().into(), stack, 0];
        mutex.waiters.prioritize(&mut self.threads);
        self.log(id::MUTEX_PRIORITIZE, info);
    }

    /// Changes the effective priority of a thread, as
    /// `_tx_mutex_priority_change` does.
    fn change_priority(&mut self, index: ThreadIndex, priority: u8) {
        self.move_to_priority(index, priority, priority);
        self.log_priority(index, priority);
    }

    pub(crate) fn log_priority(&mut self, index: ThreadIndex, priority: u8) {
        self.record_fact(KernelFact::Priority {
            thread: self.number(index),
            priority,
        });
    }

    /// Moves a thread to another priority. A ready thread is suspended and
    /// resumed for this, without a switch; nothing is logged for a waiting one.
    /// `wanted` is the priority that the call requested.
    pub(crate) fn move_to_priority(&mut self, index: ThreadIndex, priority: u8, wanted: u8) {
        let before = self.threads[index.slot()].priority;
        let was_first = self.ready.first() == Some(index);
        let is_ready = self.ready.remove(&mut self.threads, index);
        let pointer = self.pointer(Some(index));
        let state = ThreadState::PriorityChange.word();
        if is_ready {
            let stack = self.stack_pointer();
            let next = self.execute_pointer();
            self.log(id::THREAD_SUSPEND, [pointer, state, stack, next]);
        }
        self.threads[index.slot()].priority = priority;
        if is_ready {
            self.ready.push(&mut self.threads, index);
            if self.running == Some(index) {
                self.enter_thread_context();
            }
            let stack = self.stack_pointer();
            let next = self.execute_pointer();
            self.log(id::THREAD_RESUME, [pointer, state, stack, next]);
            // It stays ahead of others of its new priority if none is higher.
            if was_first && before < wanted && self.ready.len_at(priority) > 1 {
                self.ready.remove(&mut self.threads, index);
                self.ready.push_first(&mut self.threads, index);
            }
        }
    }
}
