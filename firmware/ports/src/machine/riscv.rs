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
    ".set offset, 0",
    ".irp register, ra, t0, t1, t2, t3, t4, t5, t6, a0, a1, a2, a3, a4, a5, a6, a7",
    "sw \\register, offset(sp)",
    ".set offset, offset + 4",
    ".endr",
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
    ".set offset, 0",
    ".irp register, ra, t0, t1, t2, t3, t4, t5, t6, a0, a1, a2, a3, a4, a5, a6, a7",
    "lw \\register, offset(sp)",
    ".set offset, offset + 4",
    ".endr",
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
