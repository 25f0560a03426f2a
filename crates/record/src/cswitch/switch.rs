#[cfg(not(target_has_atomic = "8"))]
use core::cell::UnsafeCell;
#[cfg(target_has_atomic = "8")]
use core::sync::atomic::{AtomicBool, Ordering};

/// Whether a recorder is on, to be asked outside its mask: what keeps a
/// recorder that is off cheap.
#[cfg(target_has_atomic = "8")]
pub(super) struct Switch(AtomicBool);

/// As above, for cores that have no atomic exchange and, with some compilers,
/// no atomic types at all.
#[cfg(not(target_has_atomic = "8"))]
pub(super) struct Switch(UnsafeCell<bool>);

#[cfg(target_has_atomic = "8")]
impl Switch {
    pub(super) const fn off() -> Self {
        Self(AtomicBool::new(false))
    }

    #[inline(always)]
    pub(super) fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn set(&self, on: bool) {
        self.0.store(on, Ordering::Relaxed);
    }
}

#[cfg(not(target_has_atomic = "8"))]
impl Switch {
    pub(super) const fn off() -> Self {
        Self(UnsafeCell::new(false))
    }

    #[inline(always)]
    pub(super) fn is_on(&self) -> bool {
        // SAFETY: one byte, read by one instruction: on a core without atomic
        // exchange the only others are its own interrupts.
        unsafe { self.0.get().read_volatile() }
    }

    pub(super) fn set(&self, on: bool) {
        // SAFETY: as above.
        unsafe { self.0.get().write_volatile(on) }
    }
}
