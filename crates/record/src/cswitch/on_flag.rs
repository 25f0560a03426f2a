use core::sync::atomic::{AtomicBool, Ordering};

/// Whether a recorder is on, readable without its mask, so that a recorder that is off
/// costs little. It uses loads and stores only, which cores without atomic
/// compare-and-exchange support too.
pub(super) struct OnFlag(AtomicBool);

impl OnFlag {
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
