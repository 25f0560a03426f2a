//! The handler of HardFault on Arm's MPS2+ board.

use core::arch::global_asm;
use rtoscope_record::black_box::{CaptureFault as _, FaultRecord};

pub(crate) use rtoscope_record::port::Primask as Mask;

/// `COUNTER` of the board's FPGA I/O, and its frequency in Hz.
pub(crate) const COUNTER: *const u32 = 0x4002_8018 as *const u32;
pub(crate) const FREQUENCY: u32 = 25_000_000;

/// `AIRCR` (Armv7-M Architecture Reference Manual, B3.2.6): the key and SYSRESETREQ.
const AIRCR: *mut u32 = 0xE000_ED0C as *mut u32;
const RESET: u32 = 0x05FA_0004;

// Passes the stacked registers, which are on the stack of the thread or of the handler,
// and EXC_RETURN.
global_asm!(
    ".section .text.HardFault, \"ax\"",
    ".syntax unified",
    ".thumb",
    ".global HardFault",
    ".type HardFault, %function",
    ".thumb_func",
    "HardFault:",
    "mov r1, lr",
    "movs r2, #4",
    "tst r1, r2",
    "beq 1f",
    "mrs r0, PSP",
    "b 2f",
    "1:",
    "mrs r0, MSP",
    "2:",
    "ldr r2, =hard_fault",
    "bx r2",
    ".pool",
);

#[unsafe(no_mangle)]
unsafe extern "C" fn hard_fault(frame: *const u32, exc_return: u32) -> ! {
    // SAFETY: the core has stacked eight words there.
    crate::recorders::freeze(unsafe { FaultRecord::from_cortex_m(frame, exc_return) });
    // SAFETY: a reset.
    unsafe { AIRCR.write_volatile(RESET) };
    loop {
        core::hint::spin_loop();
    }
}

/// Executes an undefined instruction.
#[inline(never)]
#[unsafe(no_mangle)]
pub(crate) extern "C" fn crash() {
    // SAFETY: ends in the handler, which does not return.
    unsafe { core::arch::asm!("udf #0") };
}
