//! The kernel: the table of threads, interrupts and time.

use crate::arch;
use crate::event::{Event, Observer};
use crate::thread::{State, Thread};
use core::cell::Cell;

/// The kernel with its threads and its observer.
///
/// A program has one, as a `static`, and defines `kernel_switch`, which calls
/// [`Kernel::switch`].
pub struct Kernel<O, const THREADS: usize> {
    pub(crate) threads: [Thread; THREADS],
    /// Runs when no other thread can.
    pub(crate) idle: Thread,
    observer: O,
    pub(crate) started: Cell<bool>,
    /// Index of the running thread; `None` while `idle` runs.
    pub(crate) running: Cell<Option<usize>>,
    /// The running thread has suspended itself and has not stopped yet.
    pub(crate) stopping: Cell<bool>,
    pub(crate) waiting_for_interrupt: Cell<bool>,
    pub(crate) depth: Cell<u32>,
    pub(crate) order_counter: Cell<u32>,
    ticks: Cell<u32>,
}

// SAFETY: there is one core, and all fields are accessed with interrupts off.
unsafe impl<O: Sync, const THREADS: usize> Sync for Kernel<O, THREADS> {}

impl<O: Observer, const THREADS: usize> Kernel<O, THREADS> {
    /// Creates a kernel that is not started yet.
    pub const fn new(threads: [Thread; THREADS], idle: Thread, observer: O) -> Self {
        Self {
            threads,
            idle,
            observer,
            started: Cell::new(false),
            running: Cell::new(None),
            stopping: Cell::new(false),
            waiting_for_interrupt: Cell::new(false),
            depth: Cell::new(0),
            ticks: Cell::new(0),
            order_counter: Cell::new(0),
        }
    }

    /// Makes all threads ready and starts the first one. Threads whose function returned
    /// continue at `end`, which must call [`Kernel::complete`].
    ///
    /// # Safety
    /// Call it once, from `main`.
    pub unsafe fn start(&self, end: fn() -> !) -> ! {
        arch::disable_interrupts();
        for thread in self.threads.iter().chain([&self.idle]) {
            // SAFETY: the thread is not running yet.
            unsafe { thread.prepare(end) };
        }
        for thread in &self.threads {
            self.notify(Event::Created { thread });
            self.resume(thread);
        }
        let spare = self.idle.top().wrapping_sub(arch::FRAME);
        // SAFETY: all threads are prepared. Only the end of the idle thread's stack is in
        // use, and it runs only after `main` is left.
        unsafe { arch::start(spare) }
    }

    /// The observer.
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// The threads, in the order passed to [`Kernel::new`].
    pub fn threads(&self) -> &[Thread; THREADS] {
        &self.threads
    }

    /// Ticks since the start.
    pub fn ticks(&self) -> u32 {
        self.ticks.get()
    }

    /// Calls `work` with interrupts off, with events for the observer.
    #[inline]
    pub fn critical<R>(&self, address: usize, work: impl FnOnce() -> R) -> R {
        let before = arch::disable_interrupts();
        let already = before.0;
        self.notify(Event::InterruptsDisabled { already, address });
        let result = work();
        let still = already;
        self.notify(Event::InterruptsRestored { still, address });
        arch::restore_interrupts(before);
        result
    }

    /// Calls `work` with interrupts off, without events for the observer.
    pub fn without_interrupts<R>(&self, work: impl FnOnce() -> R) -> R {
        let before = arch::disable_interrupts();
        let result = work();
        arch::restore_interrupts(before);
        result
    }

    /// Suspends the calling thread for `ticks` ticks, at least 1.
    pub fn sleep(&self, ticks: u32) {
        self.critical(arch::address_here(), || {
            self.notify(Event::Sleep { ticks });
            if let Some(thread) = self.running() {
                let wake_tick = self.ticks.get().wrapping_add(ticks.max(1));
                thread.wake_tick.set(wake_tick);
                self.suspend(thread, State::Sleep, 0);
            }
        });
    }

    /// Ends the calling thread.
    pub fn complete(&self) -> ! {
        loop {
            self.critical(arch::address_here(), || {
                if let Some(thread) = self.running() {
                    self.suspend(thread, State::Completed, 0);
                }
            });
        }
    }

    /// Wraps a handler: call it from the vector of interrupt `number`.
    pub fn interrupt(&self, number: u32, handler: fn()) {
        let address = handler as usize;
        let before = arch::disable_interrupts();
        if self.waiting_for_interrupt.replace(false) {
            self.notify(Event::IdleLeft);
        }
        let depth = self.depth.get().wrapping_add(1);
        self.depth.set(depth);
        self.notify(Event::InterruptEntered {
            number,
            handler: address,
            depth,
        });
        arch::restore_interrupts(before);
        handler();
        let before = arch::disable_interrupts();
        self.notify(Event::InterruptLeft {
            number,
            handler: address,
            depth,
        });
        self.depth.set(depth.wrapping_sub(1));
        if depth == 1 {
            self.leave_outermost_handler();
        }
        arch::restore_interrupts(before);
    }

    /// The work of the tick's handler.
    pub fn tick(&self) {
        let before = arch::disable_interrupts();
        let now = self.ticks.get().wrapping_add(1);
        self.ticks.set(now);
        self.account_tick();
        for thread in &self.threads {
            if thread.state.get() == State::Sleep && thread.wake_tick.get() == now {
                self.resume(thread);
            }
        }
        arch::restore_interrupts(before);
    }

    /// Waits for an interrupt, in the idle thread.
    pub fn wait(&self) {
        let before = arch::disable_interrupts();
        // A pending interrupt ends it as well.
        arch::wait();
        arch::restore_interrupts(before);
    }
}
