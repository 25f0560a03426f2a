//! What a recorder needs of the machine that it runs on.

pub(crate) mod builtin;
mod clock;
#[cfg(all(target_arch = "arm", target_os = "none"))]
mod cortex_m;
#[cfg(feature = "critical-section")]
mod critical;
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
mod riscv;
#[cfg(target_has_atomic = "8")]
mod spin;

pub use clock::{Clock, CounterRegister, NullClock};
#[cfg(all(target_arch = "arm", target_os = "none"))]
pub use cortex_m::{CycleCounter, Primask};
#[cfg(feature = "critical-section")]
pub use critical::CriticalSection;
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
pub use riscv::{MachineCycles, MachineInterrupts};
#[cfg(target_has_atomic = "8")]
pub use spin::SpinLock;

/// A way to keep everybody else away from a recorder for a moment.
///
/// # Safety
/// Between a [`Mask::acquire`] and its [`Mask::release`] nobody else may
/// return from `acquire` of the same value: neither an interrupt on this core
/// nor another core. Pairs nest as calls do where the mask allows nesting;
/// recorders never nest them. A
/// [`SwitchObserver`](crate::hooks::SwitchObserver) acquires its log's mask
/// within its own: if both are one value or keep away the same, they must nest.
pub unsafe trait Mask {
    /// What was before, to be restored.
    type State: Copy;

    /// Whether it is one of this crate's own.
    #[doc(hidden)]
    const BUILTIN: Option<builtin::BuiltinPort> = None;

    /// Keeps others away.
    fn acquire(&self) -> Self::State;

    /// Lets others in as far as they were before.
    ///
    /// # Safety
    /// `before` must come from the matching [`Mask::acquire`] of the same
    /// value.
    unsafe fn release(&self, before: Self::State);
}

/// No protection: for a recorder that is only used where interrupts are off
/// already, as in a scheduler, or that one thread alone uses.
#[derive(Debug, Clone, Copy)]
pub struct Unmasked(());

impl Unmasked {
    /// # Safety
    /// Calls into a recorder with this mask must never overlap: not from an
    /// interrupt, not from another thread, not from another core.
    pub const unsafe fn new() -> Self {
        Self(())
    }
}

// SAFETY: whoever made the value promised that calls do not overlap.
unsafe impl Mask for Unmasked {
    type State = ();
    const BUILTIN: Option<builtin::BuiltinPort> = Some(builtin::BuiltinPort::Unmasked);

    #[inline(always)]
    fn acquire(&self) {}

    #[inline(always)]
    unsafe fn release(&self, (): ()) {}
}
