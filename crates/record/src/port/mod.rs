//! The interface between a recorder and its machine: masks and clocks.

mod clock;
#[cfg(cortex_ar)]
mod cortex_ar;
#[cfg(cortex_m)]
mod cortex_m;
#[cfg(feature = "critical-section")]
mod critical;
#[cfg(all(target_arch = "mips", target_os = "none"))]
mod mips;
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
mod riscv;
#[cfg(target_has_atomic = "8")]
mod spin;

pub use clock::{Clock, CounterRegister, NullClock};
#[cfg(cortex_ar)]
pub use cortex_ar::{CpsrIrq, CpsrIrqFiq, PhysicalCounter, PmuCycleCounter, VirtualCounter};
#[cfg(cortex_m)]
pub use cortex_m::{CycleCounter, Primask};
#[cfg(feature = "critical-section")]
pub use critical::CriticalSection;
#[cfg(all(target_arch = "mips", target_os = "none"))]
pub use mips::{CoprocessorCount, StatusInterrupts};
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
pub use riscv::{MachineCycles, MachineInterrupts};
#[cfg(target_has_atomic = "8")]
pub use spin::SpinLock;

/// The number of the interrupt handler that runs, if the processor has a register for it:
/// on Arm Cortex-M the exception number, 255 at most. 0 elsewhere.
#[inline(always)]
pub(crate) fn active_handler() -> u8 {
    #[cfg(cortex_m)]
    return cortex_m::active_exception();
    #[cfg(not(cortex_m))]
    0
}

/// Excludes all other code from a recorder for a short time.
///
/// # Safety
/// Between a [`Mask::acquire`] and its [`Mask::release`], no other code may return from
/// `acquire` of the same value, neither an interrupt on this core nor another core. Pairs
/// nest like calls if the mask allows nesting; recorders never nest them. A
/// [`SwitchObserver`](crate::hooks::SwitchObserver) acquires its log's mask inside its
/// own: if both are one value or exclude the same code, they must nest.
pub unsafe trait Mask {
    /// The state before `acquire`, to be restored.
    type State: Copy;

    /// Identifies the masks of this crate for which there is assembly.
    #[doc(hidden)]
    const BUILTIN: Option<builtin::BuiltinPort> = None;

    /// Excludes other code.
    fn acquire(&self) -> Self::State;

    /// Restores the state before `acquire`.
    ///
    /// # Safety
    /// `before` must come from the matching [`Mask::acquire`] of the same value.
    unsafe fn release(&self, before: Self::State);
}

/// No protection: for a recorder that is used only with interrupts disabled, as in a
/// scheduler, or by one thread only.
#[derive(Debug, Clone, Copy)]
pub struct Unmasked(());

impl Unmasked {
    /// # Safety
    /// Calls to a recorder with this mask must never overlap: not with calls from an
    /// interrupt, from another thread or from another core.
    pub const unsafe fn new() -> Self {
        Self(())
    }
}

// SAFETY: the creator of the value guarantees that calls do not overlap.
unsafe impl Mask for Unmasked {
    type State = ();
    const BUILTIN: Option<builtin::BuiltinPort> = Some(builtin::BuiltinPort::Unmasked);

    #[inline(always)]
    fn acquire(&self) {}

    #[inline(always)]
    unsafe fn release(&self, (): ()) {}
}

/// Ports for which there is assembly.
pub(crate) mod builtin {
    /// Identifies the ports of this crate. The type is private to the crate, so that no other
    /// type can claim to be one of them.
    #[derive(Debug, Clone, Copy)]
    pub enum BuiltinPort {
        /// `Primask`
        Primask,
        /// `Unmasked`
        Unmasked,
        /// `CounterRegister`
        CounterRegister,
    }
}
