//! Arm microcontrollers, all profiles since Armv6-M.

use super::builtin::BuiltinPort;
use super::{Clock, Mask};
use core::arch::asm;

/// Masks all interrupts of configurable priority with `PRIMASK`. On a chip with several
/// cores, it only excludes interrupts of the own core: give each core its own recorder.
#[derive(Debug, Clone, Copy)]
pub struct Primask(());

impl Primask {
    /// # Safety
    /// Only one core may use the recorder with this mask, never from a handler of NMI or
    /// HardFault, and always in privileged mode.
    pub const unsafe fn new() -> Self {
        Self(())
    }
}

// SAFETY: with PRIMASK set, this core takes no interrupt except NMI and HardFault, which
// do not record, as the creator of the value guarantees.
unsafe impl Mask for Primask {
    type State = u32;
    const BUILTIN: Option<BuiltinPort> = Some(BuiltinPort::Primask);

    #[inline(always)]
    fn acquire(&self) -> u32 {
        let before;
        // SAFETY: reads and sets PRIMASK. Because the assembly block may access memory,
        // the compiler moves no access before it.
        unsafe {
            asm!(
                "mrs {}, PRIMASK",
                "cpsid i",
                out(reg) before,
                options(nostack, preserves_flags),
            );
        }
        before
    }

    #[inline(always)]
    unsafe fn release(&self, before: u32) {
        // SAFETY: restores what `acquire` found.
        unsafe {
            asm!("msr PRIMASK, {}", in(reg) before, options(nostack, preserves_flags));
        }
    }
}

/// The cycle counter `DWT_CYCCNT` of Armv7-M and Armv8-M Mainline. The program must start
/// it (`DEMCR.TRCENA`, then `DWT_CTRL.CYCCNTENA`). If it is not started, or the core has
/// none, its value does not change.
#[derive(Debug, Clone, Copy)]
pub struct CycleCounter;

/// `DWT_CYCCNT`, Armv7-M Architecture Reference Manual, C1.8.
const CYCCNT: *const u32 = 0xE000_1004 as *const u32;

impl Clock for CycleCounter {
    #[inline(always)]
    fn now(&self) -> u32 {
        // SAFETY: a word of the private peripheral bus, readable at any time in
        // privileged mode on every core with an Arm `none` target.
        unsafe { CYCCNT.read_volatile() }
    }
}

/// The exception number in `IPSR`, 255 at most.
#[inline(always)]
pub(super) fn active_exception() -> u8 {
    let number: u32;
    // SAFETY: reads a register.
    unsafe {
        asm!("mrs {}, IPSR", out(reg) number, options(nomem, nostack, preserves_flags));
    }
    number.min(u32::from(u8::MAX)) as u8
}
