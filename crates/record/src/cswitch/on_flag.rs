use core::sync::atomic::{AtomicBool, Ordering};

/// Whether a recorder is on, to be asked outside its mask: what keeps a
/// recorder that is off cheap. It is loaded and stored only, which cores without
/// atomic exchange can do, too.
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
