use super::Mask;
use core::hint::spin_loop;
use core::sync::atomic::{AtomicBool, Ordering};

/// A lock that waits: for programs of an operating system with threads, as
/// simulations are, and beside another mask for several cores.
///
/// An interrupt (or a signal handler) that comes while its own core holds the
/// lock would wait for ever: such code must not record through this mask.
#[derive(Debug)]
pub struct SpinLock(AtomicBool);

impl SpinLock {
    /// A free lock.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }
}

impl Default for SpinLock {
    fn default() -> Self {
        Self::new()
    }
}

// SAFETY: only one at a time sets the flag, and what it wrote is seen by the
// next that does.
unsafe impl Mask for SpinLock {
    type State = ();

    #[inline]
    fn acquire(&self) {
        while self
            .0
            .compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
        {
            spin_loop();
        }
    }

    #[inline]
    unsafe fn release(&self, (): ()) {
        self.0.store(false, Ordering::Release);
    }
}
