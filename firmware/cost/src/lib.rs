//! Shared code of all programs whose cost is measured.
#![no_std]

// The vector table and the startup code.
use boot as _;
use core::arch::asm;
use core::panic::PanicInfo;
use rtoscope_record::port::{CounterRegister, Primask, Unmasked};

/// For recorders that are used only with interrupts off.
// SAFETY: one core, and no interrupt is ever enabled.
pub const UNMASKED: Unmasked = unsafe { Unmasked::new() };

/// For recorders that threads and interrupts use.
// SAFETY: one core, in privileged mode, and neither NMI nor HardFault records.
pub const PRIMASK: Primask = unsafe { Primask::new() };

/// `DWT_CYCCNT`.
// SAFETY: can be read at any time.
pub const CYCLES: CounterRegister = unsafe { CounterRegister::new(0xE000_1004 as *const u32) };

/// Exits QEMU through semihosting's `SYS_EXIT`, with success or failure.
pub fn end(success: bool) -> ! {
    let reason: u32 = if success { 0x2_0026 } else { 0x2_0023 };
    loop {
        // SAFETY: the debugger, here QEMU, does not return.
        unsafe { asm!("bkpt 0xab", in("r0") 0x18, in("r1") reason) };
    }
}

/// A static buffer, handed out once.
#[macro_export]
macro_rules! buffer {
    ($name:ident: [$kind:ty; $length:expr]) => {{
        static mut $name: [core::mem::MaybeUninit<$kind>; $length] =
            [const { core::mem::MaybeUninit::uninit() }; $length];
        // SAFETY: only this macro names the static, and each use of it runs once.
        unsafe { &mut *core::ptr::addr_of_mut!($name) }
    }};
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    end(false)
}
