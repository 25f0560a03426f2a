//! The scheduler: the selection of the next thread, and context switches.

use crate::arch;
use crate::event::{Event, Observer};
use crate::kernel::Kernel;
use crate::thread::{State, Thread};

impl<O: Observer, const THREADS: usize> Kernel<O, THREADS> {
    /// Stores the stack pointer of the thread that stops and returns that of the next
    /// one. Only for `kernel_switch`.
    pub fn switch(&self, stack: *mut u32) -> *mut u32 {
        let before = arch::disable_interrupts();
        let first = !self.started.replace(true);
        if !first {
            let stopped = self.running().unwrap_or(&self.idle);
            stopped.stack_pointer.set(stack);
        }
        // A thread that stopped and was resumed in the meantime is dispatched again.
        let redispatch = self.stopping.replace(false) || first;
        let next = self.next_index();
        if next != self.running.replace(next) || redispatch {
            match self.running() {
                Some(thread) => self.dispatch(thread),
                None => self.enter_idle(),
            }
        }
        arch::restore_interrupts(before);
        self.running().unwrap_or(&self.idle).stack_pointer.get()
    }

    fn dispatch(&self, thread: &Thread) {
        // SAFETY: the thread is not running yet.
        let address = unsafe { arch::resumption_address(thread.stack_pointer.get()) };
        let interrupted = thread.interrupted.replace(false);
        self.notify(Event::Dispatched {
            thread,
            interrupted,
            address,
        });
    }

    fn enter_idle(&self) {
        self.waiting_for_interrupt.set(true);
        self.notify(Event::IdleEntered);
    }

    /// The end of the outermost handler.
    pub(crate) fn leave_outermost_handler(&self) {
        let next = self.next_index();
        match self.running() {
            _ if !self.started.get() => {}
            Some(thread) if self.stopping.get() || next != self.running.get() => {
                thread
                    .interrupted
                    .set(thread.is_ready() && !self.stopping.get());
            }
            Some(thread) => {
                let address = arch::interrupted_address();
                self.notify(Event::Returned { thread, address });
            }
            None if next.is_none() => self.enter_idle(),
            None => {}
        }
    }

    /// Makes a waiting or new thread ready.
    pub(crate) fn resume(&self, thread: &Thread) {
        let displaced = self.next();
        let from = thread.state.replace(State::Ready);
        thread.order.set(self.next_order());
        thread.remaining_slice.set(thread.slice);
        let next = self.next();
        let displaced = displaced.filter(|_| next.is_some_and(|next| is_same(next, thread)));
        self.notify(Event::Resumed {
            thread,
            from,
            next,
            displaced,
        });
        self.reschedule();
    }

    /// Suspends the running thread.
    pub(crate) fn suspend(&self, thread: &Thread, into: State, object: usize) {
        thread.state.set(into);
        thread.blocked_on.set(object);
        thread.order.set(self.next_order());
        self.stopping.set(true);
        let next = self.next();
        self.notify(Event::Suspended { thread, into, next });
        self.reschedule();
    }

    /// Changes the priority of a thread, which becomes the last of its new priority.
    pub(crate) fn change_priority(&self, thread: &Thread, priority: u8) {
        if thread.priority.replace(priority) == priority || !thread.is_ready() {
            return;
        }
        thread.order.set(self.next_order());
        let next = self.next();
        self.notify(Event::PriorityChanged { thread, next });
        self.reschedule();
    }

    /// Accounts a tick to the running thread.
    pub(crate) fn account_tick(&self) {
        // A thread that has to give way uses nothing of its time slice.
        let continues = self.next_index() == self.running.get() && !self.stopping.get();
        let sliced = self
            .running()
            .filter(|thread| continues && thread.slice > 0);
        let Some(thread) = sliced else {
            return;
        };
        let remaining = thread.remaining_slice.get().saturating_sub(1);
        thread.remaining_slice.set(remaining);
        if remaining > 0 {
            return;
        }
        thread.remaining_slice.set(thread.slice);
        let others = self.threads.iter().filter(|other| other.is_ready());
        if others
            .filter(|other| other.priority() == thread.priority())
            .count()
            > 1
        {
            thread.order.set(self.next_order());
            let next = self.next();
            self.notify(Event::TimeSliceExpired { thread, next });
            self.reschedule();
        }
    }

    /// The first thread in the order of service that waits for an object.
    pub(crate) fn first_waiting(&self, object: usize, by_priority: bool) -> Option<&Thread> {
        let waiting = self
            .threads
            .iter()
            .filter(|thread| thread.is_blocked_on(object));
        waiting.min_by_key(|thread| {
            let priority = if by_priority { thread.priority() } else { 0 };
            (priority, thread.order.get())
        })
    }

    /// Index of a thread in the table.
    pub(crate) fn index(&self, thread: &Thread) -> Option<usize> {
        self.threads.iter().position(|other| is_same(other, thread))
    }

    /// Number of threads that wait for an object.
    pub(crate) fn waiting_count(&self, object: usize) -> u32 {
        let waiting = self
            .threads
            .iter()
            .filter(|thread| thread.is_blocked_on(object));
        waiting.count() as u32
    }

    /// The running thread, unless it is the idle thread.
    pub(crate) fn running(&self) -> Option<&Thread> {
        self.running.get().and_then(|index| self.threads.get(index))
    }

    pub(crate) fn notify(&self, event: Event<'_>) {
        self.observer()
            .observe(self.running(), self.depth.get(), event);
    }

    fn next(&self) -> Option<&Thread> {
        self.next_index().and_then(|index| self.threads.get(index))
    }

    /// The thread of the highest priority that has been ready for the longest time.
    fn next_index(&self) -> Option<usize> {
        let ready = self.threads.iter().enumerate();
        let ready = ready.filter(|(_, thread)| thread.is_ready());
        let first = ready.min_by_key(|(_, thread)| (thread.priority(), thread.order.get()));
        first.map(|(index, _)| index)
    }

    fn reschedule(&self) {
        if self.started.get() && (self.stopping.get() || self.next_index() != self.running.get()) {
            arch::pend_switch();
        }
    }

    fn next_order(&self) -> u32 {
        let order = self.order_counter.get().wrapping_add(1);
        self.order_counter.set(order);
        order
    }
}

/// Whether both are the same thread.
fn is_same(one: &Thread, other: &Thread) -> bool {
    core::ptr::eq(one, other)
}
