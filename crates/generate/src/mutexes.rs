//! Mutexes, and the priorities that their owners inherit.

use crate::event::{NO_WAIT, id};
use crate::kernel::Kernel;
use crate::thread::{Awaited, ThreadIndex, ThreadState};
use crate::truth::Cause;
use crate::witness::Fact;

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
        if let Some(owner) = owner.filter(|_| is_foreign && wait != NO_WAIT) {
            self.tell(Fact::Contends {
                thread: self.number(index),
                mutex: pointer,
                owner: self.number(owner),
            });
            let priority = self.threads[index.slot()].priority;
            if inherits && self.threads[owner.slot()].priority > priority {
                self.change_priority(owner, priority);
            }
            self.limit_wait(index, wait, Awaited::Mutex);
            self.suspend(ThreadState::MutexSuspended);
            let waiters = &mut self.sets[set].mutex.waiters;
            waiters.push(&mut self.threads, index);
        }
    }

    pub(crate) fn put_mutex(&mut self, index: ThreadIndex, set: usize) {
        let stack = self.stack_pointer();
        let mutex = &mut self.sets[set].mutex;
        if mutex.owner != Some(index) {
            return;
        }
        let (pointer, count) = (mutex.pointer, mutex.count);
        let (inherits, waiting) = (mutex.inherits, mutex.waiters.len());
        mutex.count -= 1;
        let is_last = mutex.count == 0;
        let mut waiter = None;
        if is_last {
            waiter = if inherits {
                mutex.waiters.take_highest(&mut self.threads)
            } else {
                mutex.waiters.pop(&self.threads)
            };
            mutex.owner = waiter;
            mutex.count = u64::from(waiter.is_some());
        }
        let info = [pointer, self.pointer(Some(index)), count, stack];
        self.log(id::MUTEX_PUT, info);
        if is_last && inherits {
            self.give_back(index, pointer, waiting);
        }
        if let Some(waiter) = waiter {
            self.resume(waiter, ThreadState::MutexSuspended);
            self.tell(Fact::Owns {
                thread: self.number(waiter),
                mutex: pointer,
            });
        }
        self.reschedule(Cause::PreemptionSolicited);
    }

    /// The owner of a mutex with inheritance gives it back: the highest of
    /// several waiting threads comes first, and the owner has its own priority
    /// again.
    fn give_back(&mut self, index: ThreadIndex, mutex: u64, waiting: u32) {
        if waiting > 1 {
            let stack = self.stack_pointer();
            self.log(id::MUTEX_PRIORITIZE, [mutex, waiting.into(), stack, 0]);
        }
        let thread = &self.threads[index.slot()];
        let own = thread.role.priority;
        if thread.priority != own {
            self.change_priority(index, own);
        }
    }

    /// Gives a thread another priority, as `_tx_mutex_priority_change` does: one
    /// that is ready is suspended and resumed for it, without a switch; of one
    /// that waits, nothing is logged.
    fn change_priority(&mut self, index: ThreadIndex, priority: u8) {
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
            if self.running == Some(index) {
                self.ready.push_first(&mut self.threads, index);
                self.enter_thread_context();
            } else {
                self.ready.push(&mut self.threads, index);
            }
            let stack = self.stack_pointer();
            let next = self.execute_pointer();
            self.log(id::THREAD_RESUME, [pointer, state, stack, next]);
        }
        self.tell(Fact::Priority {
            thread: self.number(index),
            priority,
        });
    }
}
