//! Services by which one thread controls another, as the kernel implements them
//! without `TX_NOT_INTERRUPTABLE` and `TX_INLINE_THREAD_RESUME_SUSPEND`. Each
//! logs its call with the previous state, even if it has no effect.

use crate::event::id;
use crate::facts::KernelFact;
use crate::kernel::Kernel;
use crate::thread::{NO_PRIORITY, ThreadIndex, ThreadState};
use crate::truth::DispatchCause;

impl Kernel {
    fn state(&self, index: ThreadIndex) -> ThreadState {
        self.threads[index.slot()].state
    }

    /// Changes the state of a thread that is not ready before or after.
    fn set_state(&mut self, index: ThreadIndex, state: ThreadState) {
        self.threads[index.slot()].state = state;
        self.record_fact(KernelFact::State {
            thread: self.number(index),
            state,
            object: 0,
        });
    }

    fn set_delayed_suspend(&mut self, index: ThreadIndex, is_set: bool) {
        self.threads[index.slot()].delayed_suspend = is_set;
        self.record_fact(KernelFact::DelayedSuspend {
            thread: self.number(index),
            is_set,
        });
    }

    /// `tx_thread_terminate`. The suspension of a waiting thread is not logged.
    /// Its mutex is put in the context of the caller, and only then can another
    /// thread run.
    pub(crate) fn terminate(&mut self, index: ThreadIndex) {
        let state = self.state(index);
        let stack = self.stack_pointer();
        let pointer = self.pointer(Some(index));
        self.log(id::THREAD_TERMINATE, [pointer, state.word(), stack, 0]);
        if state.is_end() {
            return;
        }
        self.threads[index.slot()].deadline = 0;
        let mut cause = DispatchCause::PreemptionSolicited;
        if state == ThreadState::Ready {
            if self.running == Some(index) {
                cause = DispatchCause::Suspension;
            }
            self.suspend_ready(index, ThreadState::Terminated, 0);
        } else {
            if state.is_wait() {
                self.end_wait(index);
            }
            self.set_state(index, ThreadState::Terminated);
        }
        self.release_owned_mutex(index);
        self.reschedule(cause);
    }

    /// A thread's entry function returns.
    pub(crate) fn complete(&mut self, index: ThreadIndex) {
        self.release_owned_mutex(index);
        self.suspend(ThreadState::Completed, 0);
    }

    /// The kernel puts the mutex of a thread that ends, as often as the thread
    /// owned it.
    fn release_owned_mutex(&mut self, index: ThreadIndex) {
        let set = usize::from(self.threads[index.slot()].set);
        let mutex = &mut self.sets[set].mutex;
        if mutex.owner == Some(index) {
            mutex.count = 1;
            let stack = self.stack_pointer();
            self.release_mutex(set, index, stack);
        }
    }

    /// `tx_thread_reset` of a thread that has ended. A delayed suspension and
    /// the priorities stay as they are.
    pub(crate) fn reset(&mut self, index: ThreadIndex) {
        let state = ThreadState::Suspended;
        self.restart_script(index);
        let pointer = self.pointer(Some(index));
        self.log(id::THREAD_RESET, [pointer, state.word(), 0, 0]);
        self.set_state(index, state);
    }

    /// `tx_thread_delete` of a thread that has ended.
    pub(crate) fn delete(&mut self, index: ThreadIndex) {
        let stack = self.stack_pointer();
        let pointer = self.pointer(Some(index));
        self.log(id::THREAD_DELETE, [pointer, stack, 0, 0]);
        self.set_state(index, ThreadState::Deleted);
    }

    /// `tx_thread_create` of a deleted thread, at the same address.
    pub(crate) fn create(&mut self, index: ThreadIndex, starts: bool) {
        self.restart_script(index);
        let thread = &mut self.threads[index.slot()];
        let priority = thread.role.priority;
        thread.state = ThreadState::Suspended;
        (thread.priority, thread.own_priority) = (priority, priority);
        thread.inherited_priority = NO_PRIORITY;
        let (start, bytes) = (thread.stack_start, thread.role.stack_bytes);
        let pointer = thread.pointer;
        self.log(
            id::THREAD_CREATE,
            [pointer, u64::from(priority), start, bytes],
        );
        let number = self.number(index);
        self.log_priority(index, priority);
        self.record_fact(KernelFact::Created(number));
        self.set_delayed_suspend(index, false);
        if starts {
            self.resume(index);
            self.reschedule(DispatchCause::PreemptionSolicited);
        }
    }

    /// Restarts a thread's script.
    fn restart_script(&mut self, index: ThreadIndex) {
        let work = self.timing.work(&mut self.random);
        let thread = &mut self.threads[index.slot()];
        thread.step = 0;
        thread.work = work;
    }

    /// `tx_thread_suspend`: immediately if the thread is ready, else when its
    /// wait ends.
    pub(crate) fn suspend_thread(&mut self, index: ThreadIndex) {
        let state = self.state(index);
        let stack = self.stack_pointer();
        let pointer = self.pointer(Some(index));
        self.log(id::THREAD_SUSPEND_API, [pointer, state.word(), stack, 0]);
        if state == ThreadState::Ready {
            self.suspend_ready(index, ThreadState::Suspended, 0);
            self.reschedule(DispatchCause::Suspension);
        } else if state.is_wait() {
            self.set_delayed_suspend(index, true);
        }
    }

    /// `tx_thread_resume`, which also cancels a delayed suspension.
    pub(crate) fn resume_thread(&mut self, index: ThreadIndex) {
        let state = self.state(index);
        let stack = self.stack_pointer();
        let pointer = self.pointer(Some(index));
        self.log(id::THREAD_RESUME_API, [pointer, state.word(), stack, 0]);
        if state == ThreadState::Suspended {
            self.resume(index);
            self.reschedule(DispatchCause::PreemptionSolicited);
        } else if self.threads[index.slot()].delayed_suspend {
            self.set_delayed_suspend(index, false);
        }
    }

    /// `tx_thread_wait_abort`. The thread is resumed as if it were suspended.
    pub(crate) fn abort_wait(&mut self, index: ThreadIndex) {
        let state = self.state(index);
        let pointer = self.pointer(Some(index));
        self.log(id::THREAD_WAIT_ABORT, [pointer, state.word(), 0, 0]);
        if state.is_wait() {
            self.end_wait(index);
            self.threads[index.slot()].state = ThreadState::Suspended;
            self.resume(index);
            self.reschedule(DispatchCause::PreemptionSolicited);
        }
    }

    /// `tx_thread_priority_change`: a higher inherited priority stays in
    /// effect.
    pub(crate) fn set_own_priority(&mut self, index: ThreadIndex, priority: u8) {
        let thread = &mut self.threads[index.slot()];
        thread.own_priority = priority;
        let effective = priority.min(thread.inherited_priority);
        let info = [
            thread.pointer,
            priority.into(),
            thread.priority.into(),
            thread.state.word(),
        ];
        self.log(id::THREAD_PRIORITY_CHANGE, info);
        self.log_priority(index, effective);
        self.move_to_priority(index, effective, priority);
        self.reschedule(DispatchCause::PreemptionSolicited);
    }

    /// `tx_queue_flush`: also resumes all threads that wait for room, unless
    /// the queue is empty.
    pub(crate) fn flush_queue(&mut self, set: usize) {
        let stack = self.stack_pointer();
        let queue = &mut self.sets[set].queue;
        let pointer = queue.pointer;
        let is_empty = queue.enqueued == 0;
        queue.enqueued = 0;
        self.log(id::QUEUE_FLUSH, [pointer, stack, 0, 0]);
        self.record_fact(KernelFact::Level(pointer, 0));
        if is_empty {
            return;
        }
        while let Some(sender) = self.sets[set].queue.senders.pop(&self.threads) {
            self.resume(sender);
        }
        self.reschedule(DispatchCause::PreemptionSolicited);
    }
}
