//! What all programs whose cost is counted have in common.
#![no_std]

// Its vectors and what comes before `main`.
use boot as _;
use core::arch::asm;
use core::panic::PanicInfo;
use rtoscope_record::port::{Primask, Unmasked};

/// For recorders that are used where interrupts are off already.
// SAFETY: one core, and no interrupt is ever enabled.
pub const UNMASKED: Unmasked = unsafe { Unmasked::new() };

/// For recorders that everybody uses.
// SAFETY: one core, in privileged mode, and nobody records in NMI or HardFault.
pub const PRIMASK: Primask = unsafe { Primask::new() };

/// Ends QEMU by semihosting's `SYS_EXIT`: well, or as a program that failed.
pub fn end(well: bool) -> ! {
    let reason: u32 = if well { 0x2_0026 } else { 0x2_0023 };
    loop {
        // SAFETY: the debugger, which QEMU is here, never comes back.
        unsafe { asm!("bkpt 0xab", in("r0") 0x18, in("r1") reason) };
    }
}

/// Memory that is given away for good: a static's, once.
#[macro_export]
macro_rules! buffer {
    ($name:ident: [$kind:ty; $length:expr]) => {{
        static mut $name: [core::mem::MaybeUninit<$kind>; $length] =
            [const { core::mem::MaybeUninit::uninit() }; $length];
        // SAFETY: nothing else names the static, and each place that takes it
        // runs once.
        unsafe { &mut *core::ptr::addr_of_mut!($name) }
    }};
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    end(false)
}
