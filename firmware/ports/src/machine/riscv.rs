//! QEMU's board "virt": RISC-V in machine mode, with the timer and the software interrupt of
//! the core-local interruptor.

use core::arch::{asm, global_asm};

pub(crate) use rtoscope_record::port::MachineCycles as Counter;
pub(crate) use rtoscope_record::port::MachineInterrupts as Mask;

const SOFTWARE_INTERRUPT: *mut u32 = 0x0200_0000 as *mut u32;
const TIME_TO_COMPARE: *mut u32 = 0x0200_4000 as *mut u32;
const TIME: *const u32 = 0x0200_BFF8 as *const u32;
/// Ticks of 100 ns between two interrupts.
const PERIOD: u32 = 2999;

/// Bits of `mstatus`, `mie` and `mip`.
const MIE: u32 = 1 << 3;
const SOFTWARE: u32 = 1 << 3;
const TIMER: u32 = 1 << 7;

// An interrupt uses the stack of the interrupted context.
global_asm!(
    ".section .text.trap, \"ax\"",
    ".balign 4",
    ".global trap",
    "trap:",
    "addi sp, sp, -80",
    "sw ra, 0(sp)",
    "sw t0, 4(sp)",
    "sw t1, 8(sp)",
    "sw t2, 12(sp)",
    "sw t3, 16(sp)",
    "sw t4, 20(sp)",
    "sw t5, 24(sp)",
    "sw t6, 28(sp)",
    "sw a0, 32(sp)",
    "sw a1, 36(sp)",
    "sw a2, 40(sp)",
    "sw a3, 44(sp)",
    "sw a4, 48(sp)",
    "sw a5, 52(sp)",
    "sw a6, 56(sp)",
    "sw a7, 60(sp)",
    "csrr t0, mepc",
    "sw t0, 64(sp)",
    "csrr t0, mstatus",
    "sw t0, 68(sp)",
    "csrr t0, mcause",
    "bgez t0, DefaultHandler",
    "call Interrupt",
    "lw t0, 64(sp)",
    "csrw mepc, t0",
    "lw t0, 68(sp)",
    "csrw mstatus, t0",
    "lw ra, 0(sp)",
    "lw t0, 4(sp)",
    "lw t1, 8(sp)",
    "lw t2, 12(sp)",
    "lw t3, 16(sp)",
    "lw t4, 20(sp)",
    "lw t5, 24(sp)",
    "lw t6, 28(sp)",
    "lw a0, 32(sp)",
    "lw a1, 36(sp)",
    "lw a2, 40(sp)",
    "lw a3, 44(sp)",
    "lw a4, 48(sp)",
    "lw a5, 52(sp)",
    "lw a6, 56(sp)",
    "lw a7, 60(sp)",
    "addi sp, sp, 80",
    "mret",
);

pub(crate) fn check_masks() {
    super::check(!interrupts_are_enabled());
    super::without_interrupts(|| super::check(!interrupts_are_enabled()));
}

/// Starts the timer and enables interrupts.
pub(crate) fn start() {
    clear_timer();
    // SAFETY: all handlers are ready.
    unsafe {
        asm!(
            "la {vector}, trap",
            "csrw mtvec, {vector}",
            "csrw mie, {sources}",
            "csrsi mstatus, 8",
            vector = out(reg) _,
            sources = in(reg) SOFTWARE | TIMER,
        );
    }
}

/// Disables interrupts.
pub(crate) fn stop() {
    // SAFETY: clears MIE.
    unsafe { asm!("csrci mstatus, 8") };
}

pub(crate) fn interrupts_are_enabled() -> bool {
    let status: u32;
    // SAFETY: reads a register.
    unsafe { asm!("csrr {}, mstatus", out(reg) status, options(nostack)) };
    status & MIE != 0
}

pub(crate) fn request_interrupt() {
    // SAFETY: this register has no other effect.
    unsafe { SOFTWARE_INTERRUPT.write_volatile(1) };
}

/// Whether an interrupt was requested; takes the request back.
pub(crate) fn take_request() -> bool {
    // SAFETY: this register has no other effect.
    unsafe {
        let requested = SOFTWARE_INTERRUPT.read_volatile() & 1 != 0;
        SOFTWARE_INTERRUPT.write_volatile(0);
        requested
    }
}

pub(crate) fn timer_is_pending() -> bool {
    let pending: u32;
    // SAFETY: reads a register.
    unsafe { asm!("csrr {}, mip", out(reg) pending, options(nostack)) };
    pending & TIMER != 0
}

/// The next interrupt comes after a period.
pub(crate) fn clear_timer() {
    // SAFETY: only this code uses the timer. The counter does not reach 2^32 in the test.
    unsafe {
        TIME_TO_COMPARE.add(1).write_volatile(0);
        TIME_TO_COMPARE.write_volatile(TIME.read_volatile() + PERIOD);
    }
}

/// Runs `work` in the timer's handler, which requested interrupts may interrupt.
pub(crate) fn with_requests_enabled(work: fn()) {
    // SAFETY: the code at the vector has saved the registers of the interrupted context.
    unsafe { asm!("csrc mie, {}", "csrsi mstatus, 8", in(reg) TIMER) };
    work();
    // SAFETY: as before.
    unsafe { asm!("csrci mstatus, 8", "csrs mie, {}", in(reg) TIMER) };
}
