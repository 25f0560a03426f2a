//! What everybody shares.

use core::cell::UnsafeCell;

/// A value that is used only with interrupts off, by one at a time.
#[repr(transparent)]
pub(crate) struct Shared<T>(UnsafeCell<T>);

// SAFETY: there is one core, and `with` is called with interrupts off.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Uses the value, with interrupts off and not from within another use of
    /// it.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: nobody else uses it meanwhile, as was promised.
        work(unsafe { &mut *self.0.get() })
    }
}
