//! Threads and their stacks.

use crate::arch;
use core::cell::{Cell, UnsafeCell};
use core::ffi::CStr;

/// What a thread waits for, numbered as ThreadX numbers it (`tx_api.h`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum State {
    /// For nothing: it executes, or would if it had the processor.
    Ready = 0,
    /// Its function returned.
    Completed = 1,
    /// It is yet to be started.
    Suspended = 3,
    /// For time to pass.
    Sleep = 4,
    /// For a message, or for room for one.
    Queue = 5,
    /// For a count.
    Semaphore = 6,
    /// For a mutex.
    Mutex = 13,
}

/// Memory for a thread's stack.
#[repr(C, align(16))]
pub struct Stack<const WORDS: usize>(UnsafeCell<[u32; WORDS]>);

// SAFETY: only the thread that the stack is given to uses it.
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

/// A thread: what it is, and how it is now.
pub struct Thread {
    name: &'static CStr,
    entry: fn(),
    stack: *mut u32,
    stack_words: usize,
    own_priority: u8,
    /// Ticks after which others of the same priority have their turn; 0: never.
    pub(crate) slice: u32,

    pub(crate) slice_left: Cell<u32>,
    pub(crate) priority: Cell<u8>,
    pub(crate) state: Cell<State>,
    /// The object that it waits for.
    pub(crate) object: Cell<usize>,
    /// Its turn among those of its priority that are ready or wait.
    pub(crate) turn: Cell<u32>,
    /// The tick at which it wakes up.
    pub(crate) wake: Cell<u32>,
    /// The message that it sends or was given.
    pub(crate) message: Cell<u32>,
    /// Whether an interrupt took the processor from it.
    pub(crate) interrupted: Cell<bool>,
    pub(crate) stack_pointer: Cell<*mut u32>,
}

impl Thread {
    /// A thread that begins with `entry` when the kernel starts.
    ///
    /// The stack must be the thread's alone.
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
            own_priority: priority,
            slice,
            slice_left: Cell::new(slice),
            priority: Cell::new(priority),
            state: Cell::new(State::Suspended),
            object: Cell::new(0),
            turn: Cell::new(0),
            wake: Cell::new(0),
            message: Cell::new(0),
            interrupted: Cell::new(false),
            stack_pointer: Cell::new(core::ptr::null_mut()),
        }
    }

    /// What the thread is known by.
    pub fn address(&self) -> usize {
        core::ptr::from_ref(self) as usize
    }

    /// Its name.
    pub fn name(&self) -> &'static CStr {
        self.name
    }

    /// Its priority now, which may be inherited.
    pub fn priority(&self) -> u8 {
        self.priority.get()
    }

    /// Its priority when it has inherited none.
    pub fn own_priority(&self) -> u8 {
        self.own_priority
    }

    /// The lowest address of its stack, and the bytes of it.
    pub fn stack(&self) -> (usize, usize) {
        (self.stack as usize, 4 * self.stack_words)
    }

    /// Whether it could execute.
    pub fn is_ready(&self) -> bool {
        self.state.get() == State::Ready
    }

    /// Whether it waits for this object.
    pub(crate) fn waits_for(&self, object: usize) -> bool {
        let state = self.state.get();
        let waits = matches!(state, State::Queue | State::Semaphore | State::Mutex);
        waits && self.object.get() == object
    }

    /// Puts the thread at its beginning.
    ///
    /// # Safety
    /// Nothing may use the stack.
    pub(crate) unsafe fn prepare(&self, end: fn() -> !) {
        // SAFETY: this is the end of the stack, which has room for more than a
        // frame and is aligned.
        let stack = unsafe { arch::prepare(self.stack.add(self.stack_words), self.entry, end) };
        self.stack_pointer.set(stack);
    }

    /// The end of the stack.
    pub(crate) fn top(&self) -> *mut u32 {
        self.stack.wrapping_add(self.stack_words)
    }
}
