//! State shared by threads and interrupts.

use core::cell::UnsafeCell;

/// A value that is accessed only with interrupts off, by one user at a time.
#[repr(transparent)]
pub struct Shared<T>(UnsafeCell<T>);

// SAFETY: there is one core, and `with` is called with interrupts off.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// The initial value.
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Accesses the value. Call it with interrupts off and not from within another
    /// access.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: the caller guarantees that no other code accesses it meanwhile.
        work(unsafe { &mut *self.0.get() })
    }
}
