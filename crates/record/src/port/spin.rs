use super::Mask;
use core::hint::spin_loop;
use core::sync::atomic::{AtomicBool, Ordering};

/// A spinlock: for programs on an operating system with threads, such as simulations, and
/// as an addition to another mask on several cores.
///
/// An interrupt (or a signal handler) that occurs while its own core holds the lock would
/// wait for ever: such code must not record with this mask.
#[derive(Debug)]
pub struct SpinLock(AtomicBool);

impl SpinLock {
    /// Creates a lock that is not held.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }
}

impl Default for SpinLock {
    fn default() -> Self {
        Self::new()
    }
}

// SAFETY: only one holder at a time sets the flag, and its writes are visible to the next
// one.
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
