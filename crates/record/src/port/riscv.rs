//! RISC-V in machine mode.

use super::{Clock, Mask};
use core::arch::asm;

/// Bit `MIE` of `mstatus`.
const MIE: usize = 1 << 3;

/// Masks all interrupts of the own hart with `mstatus.MIE`.
#[derive(Debug, Clone, Copy)]
pub struct MachineInterrupts(());

impl MachineInterrupts {
    /// # Safety
    /// Only one hart may use the recorder with this mask, never from a handler of a
    /// non-maskable interrupt, and always in machine mode.
    pub const unsafe fn new() -> Self {
        Self(())
    }
}

// SAFETY: with MIE clear, this hart takes no interrupt in machine mode.
unsafe impl Mask for MachineInterrupts {
    type State = usize;

    #[inline(always)]
    fn acquire(&self) -> usize {
        let before: usize;
        // SAFETY: reads mstatus and clears MIE. Because the assembly block may access
        // memory, the compiler moves no access before it.
        unsafe {
            asm!("csrrci {}, mstatus, 8", out(reg) before, options(nostack));
        }
        before & MIE
    }

    #[inline(always)]
    unsafe fn release(&self, before: usize) {
        // SAFETY: sets MIE if it was set.
        unsafe {
            asm!("csrs mstatus, {}", in(reg) before, options(nostack));
        }
    }
}

/// The low 32 bits of the cycle counter `mcycle`.
#[derive(Debug, Clone, Copy)]
pub struct MachineCycles;

impl Clock for MachineCycles {
    #[inline(always)]
    fn now(&self) -> u32 {
        let cycles: usize;
        // SAFETY: reads a counter that every hart has in machine mode.
        unsafe {
            asm!("csrr {}, mcycle", out(reg) cycles, options(nomem, nostack, preserves_flags));
        }
        cycles as u32
    }
}
