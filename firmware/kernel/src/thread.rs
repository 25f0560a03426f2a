//! Threads and their stacks.

use crate::arch;
use core::cell::{Cell, UnsafeCell};
use core::ffi::CStr;

/// The state of a thread, with ThreadX's numbers (`tx_api.h`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum State {
    /// Running, or ready to run.
    Ready = 0,
    /// Its function has returned.
    Completed = 1,
    /// Not started yet.
    Suspended = 3,
    /// Waits for time to pass.
    Sleep = 4,
    /// Waits for a message, or for room for one.
    Queue = 5,
    /// Waits for a count.
    Semaphore = 6,
    /// Waits for a mutex.
    Mutex = 13,
}

/// Memory for a thread's stack.
#[repr(C, align(16))]
pub struct Stack<const WORDS: usize>(UnsafeCell<[u32; WORDS]>);

// SAFETY: only the thread that owns the stack uses it.
unsafe impl<const WORDS: usize> Sync for Stack<WORDS> {}

impl<const WORDS: usize> Stack<WORDS> {
    /// Unused memory.
    pub const fn new() -> Self {
        assert!(WORDS >= 2 * arch::FRAME && WORDS % 4 == 0);
        Self(UnsafeCell::new([0; WORDS]))
    }
}

impl<const WORDS: usize> Default for Stack<WORDS> {
    fn default() -> Self {
        Self::new()
    }
}

/// A thread: its definition and its current state.
pub struct Thread {
    name: &'static CStr,
    entry: fn(),
    stack: *mut u32,
    stack_words: usize,
    own_priority: Cell<u8>,
    /// Length of its time slice in ticks; 0 for none.
    pub(crate) slice: u32,

    pub(crate) remaining_slice: Cell<u32>,
    pub(crate) priority: Cell<u8>,
    pub(crate) state: Cell<State>,
    /// The object on which it is blocked.
    pub(crate) blocked_on: Cell<usize>,
    /// Its position among the ready or waiting threads of its priority.
    pub(crate) order: Cell<u32>,
    /// The tick at which it wakes up.
    pub(crate) wake_tick: Cell<u32>,
    /// The message that it sends or has received.
    pub(crate) message: Cell<u32>,
    /// Whether an interrupt preempted it.
    pub(crate) interrupted: Cell<bool>,
    pub(crate) stack_pointer: Cell<*mut u32>,
}

impl Thread {
    /// Creates a thread that starts at `entry` when the kernel starts.
    ///
    /// No other thread may use the stack.
    pub const fn new<const WORDS: usize>(
        name: &'static CStr,
        entry: fn(),
        priority: u8,
        slice: u32,
        stack: &'static Stack<WORDS>,
    ) -> Self {
        Self {
            name,
            entry,
            stack: stack.0.get().cast(),
            stack_words: WORDS,
            own_priority: Cell::new(priority),
            slice,
            remaining_slice: Cell::new(slice),
            priority: Cell::new(priority),
            state: Cell::new(State::Suspended),
            blocked_on: Cell::new(0),
            order: Cell::new(0),
            wake_tick: Cell::new(0),
            message: Cell::new(0),
            interrupted: Cell::new(false),
            stack_pointer: Cell::new(core::ptr::null_mut()),
        }
    }

    /// Replaces its priority before the kernel starts.
    pub fn set_priority(&self, priority: u8) {
        self.own_priority.set(priority);
        self.priority.set(priority);
    }

    /// The address that identifies the thread.
    pub fn address(&self) -> usize {
        core::ptr::from_ref(self) as usize
    }

    /// Its name.
    pub fn name(&self) -> &'static CStr {
        self.name
    }

    /// Its current priority, which may be inherited.
    pub fn priority(&self) -> u8 {
        self.priority.get()
    }

    /// Its priority without inheritance.
    pub fn own_priority(&self) -> u8 {
        self.own_priority.get()
    }

    /// The lowest address of its stack, and the stack's size in bytes.
    pub fn stack(&self) -> (usize, usize) {
        (self.stack as usize, 4 * self.stack_words)
    }

    /// Whether it can run.
    pub fn is_ready(&self) -> bool {
        self.state.get() == State::Ready
    }

    /// Whether it is blocked on this object.
    pub(crate) fn is_blocked_on(&self, object: usize) -> bool {
        let state = self.state.get();
        let is_blocked = matches!(state, State::Queue | State::Semaphore | State::Mutex);
        is_blocked && self.blocked_on.get() == object
    }

    /// Prepares the thread for its start.
    ///
    /// # Safety
    /// No code may be using the stack.
    pub(crate) unsafe fn prepare(&self, end: fn() -> !) {
        // SAFETY: this is the end of the stack, which has room for more than a frame and
        // is aligned.
        let stack = unsafe { arch::prepare(self.stack.add(self.stack_words), self.entry, end) };
        self.stack_pointer.set(stack);
    }

    /// The end of the stack.
    pub(crate) fn top(&self) -> *mut u32 {
        self.stack.wrapping_add(self.stack_words)
    }
}
