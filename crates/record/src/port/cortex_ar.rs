//! Arm cores of the A and R profiles, and other cores since Armv6 that have a `CPSR`.

use super::{Clock, Mask};
use core::arch::asm;

/// Defines a mask that sets bits of `CPSR`.
macro_rules! cpsr_mask {
    ($(#[$about:meta])* $name:ident, $disable:literal) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name(());

        impl $name {
            /// # Safety
            /// Only one core may use the recorder with this mask, never from a handler of
            /// an exception that the mask does not exclude, and always in a privileged
            /// mode.
            pub const unsafe fn new() -> Self {
                Self(())
            }
        }

        // SAFETY: this core takes no masked exception, and the others do not record, as the
        // creator of the value guarantees.
        unsafe impl Mask for $name {
            type State = u32;

            #[inline(always)]
            fn acquire(&self) -> u32 {
                let before;
                // SAFETY: reads CPSR and sets bits of it. Because the assembly block may
                // access memory, the compiler moves no access before it.
                unsafe {
                    asm!(
                        "mrs {}, cpsr",
                        $disable,
                        out(reg) before,
                        options(nostack, preserves_flags),
                    );
                }
                before
            }

            #[inline(always)]
            unsafe fn release(&self, before: u32) {
                // SAFETY: restores what `acquire` found, in the same mode.
                unsafe {
                    asm!("msr cpsr_c, {}", in(reg) before, options(nostack, preserves_flags));
                }
            }
        }
    };
}

cpsr_mask! {
    /// Masks IRQ with bit I of `CPSR`, on Cortex-A, Cortex-R and others since Armv6.
    /// Handlers of FIQ and of aborts must not record.
    CpsrIrq, "cpsid i"
}

cpsr_mask! {
    /// Masks IRQ and FIQ with bits I and F of `CPSR`. On cores with non-maskable FIQs
    /// (`SCTLR.NMFI`) it masks IRQ only, and handlers of FIQ must not record.
    CpsrIrqFiq, "cpsid if"
}

/// The cycle counter `PMCCNTR` of Cortex-A and Cortex-R. The program must start it: bits E
/// of `PMCR` and C of `PMCNTENSET`, and not bit D of `PMCR`, which divides by 64. If it is
/// not started, its value does not change. It can stop while the core sleeps.
#[derive(Debug, Clone, Copy)]
pub struct PmuCycleCounter;

impl Clock for PmuCycleCounter {
    #[inline(always)]
    fn now(&self) -> u32 {
        let cycles;
        // SAFETY: reads a counter that is accessible in privileged modes.
        unsafe {
            asm!(
                "mrc p15, 0, {}, c9, c13, 0",
                out(reg) cycles,
                options(nomem, nostack, preserves_flags),
            );
        }
        cycles
    }
}

/// Defines a clock that reads a counter of the generic timer.
macro_rules! generic_timer {
    ($(#[$about:meta])* $name:ident, $read:literal) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name;

        impl Clock for $name {
            #[inline(always)]
            fn now(&self) -> u32 {
                let ticks;
                // SAFETY: reads a counter that is accessible in privileged modes. The
                // barrier prevents that it is read early.
                unsafe {
                    asm!(
                        "isb",
                        $read,
                        out(reg) ticks,
                        out(reg) _,
                        options(nomem, nostack, preserves_flags),
                    );
                }
                ticks
            }
        }
    };
}

generic_timer! {
    /// The low 32 bits of `CNTVCT`, the virtual count of cores with a generic timer, such as
    /// Cortex-A7, A15 and R52. `CNTFRQ` contains its frequency. It also counts while the core
    /// sleeps.
    VirtualCounter, "mrrc p15, 1, {}, {}, c14"
}

generic_timer! {
    /// The low 32 bits of `CNTPCT`, the physical count, which all cores share. A hypervisor
    /// can forbid to read it.
    PhysicalCounter, "mrrc p15, 0, {}, {}, c14"
}
