//! 32-bit RISC-V in machine mode, with the core-local interruptor of SiFive's and most
//! other microcontrollers.
//!
//! The stack of a thread that is not running contains, from low to high addresses, RA, T0
//! to T6, A0 to A7, S0 to S11, `mepc`, `mstatus`. Interrupts use the stack of the
//! interrupted context and do not nest.

use super::InterruptState;
use core::arch::{asm, global_asm};
use core::sync::atomic::{AtomicU32, Ordering};

/// Registers of the interruptor, for the first hart.
const SOFTWARE_INTERRUPT: *mut u32 = 0x0200_0000 as *mut u32;
const TIME_TO_COMPARE: *mut u32 = 0x0200_4000 as *mut u32;
const TIME: *const u32 = 0x0200_BFF8 as *const u32;

/// Bits of `mstatus`: interrupts on; on after MRET; machine mode after MRET.
const MIE: usize = 1 << 3;
const MPIE: u32 = 1 << 7;
const MPP: u32 = 0b11 << 11;
/// Bits of `mie`, and causes in `mcause`.
const SOFTWARE: u32 = 3;
const TIMER: u32 = 7;
const EXTERNAL: u32 = 11;
const INTERRUPT: u32 = 1 << 31;

/// Number of saved words, including RA, and the index of `mepc`.
const SAVED: usize = 32;
const PC: usize = 28;

unsafe extern "C" {
    fn kernel_switch(stack: *mut u32) -> *mut u32;
    fn SysTick();
    fn ExternalInterrupt();
    /// Gets the registers at the exception: RA is the first, and the stack pointer was the
    /// address after the last.
    fn Exception(registers: *const [u32; SAVED]) -> !;
}

/// Timer ticks between two ticks of the kernel.
static PERIOD: AtomicU32 = AtomicU32::new(0);
/// Where the interrupted thread continues.
static INTERRUPTED: AtomicU32 = AtomicU32::new(0);

global_asm!(
    ".section .text.kernel_trap, \"ax\"",
    ".balign 4",
    ".global kernel_trap",
    "kernel_trap:",
    "addi sp, sp, -128",
    ".set offset, 0",
    ".irp register, ra, t0, t1, t2, t3, t4, t5, t6, a0, a1, a2, a3, a4, a5, a6, a7, \
                    s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11",
    "sw \\register, offset(sp)",
    ".set offset, offset + 4",
    ".endr",
    "csrr t0, mepc",
    "sw t0, 112(sp)",
    "csrr t0, mstatus",
    "sw t0, 116(sp)",
    "mv a0, sp",
    "csrr a1, mcause",
    "call kernel_interrupt",
    "mv sp, a0",
    "lw t0, 112(sp)",
    "csrw mepc, t0",
    "lw t0, 116(sp)",
    "csrw mstatus, t0",
    ".set offset, 0",
    ".irp register, ra, t0, t1, t2, t3, t4, t5, t6, a0, a1, a2, a3, a4, a5, a6, a7, \
                    s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11",
    "lw \\register, offset(sp)",
    ".set offset, offset + 4",
    ".endr",
    "addi sp, sp, 128",
    "mret",
);

/// Handles an interrupt of the thread with this stack, and returns the stack of the
/// thread that continues.
#[unsafe(no_mangle)]
extern "C" fn kernel_interrupt(stack: *mut u32, cause: u32) -> *mut u32 {
    // SAFETY: the registers saved immediately before.
    let address = unsafe { resumption_address(stack) };
    INTERRUPTED.store(address as u32, Ordering::Relaxed);
    if cause == INTERRUPT | SOFTWARE {
        // SAFETY: this register has no other effect; the stack belongs to the thread.
        return unsafe {
            SOFTWARE_INTERRUPT.write_volatile(0);
            kernel_switch(stack)
        };
    }
    // SAFETY: handlers of the program.
    unsafe {
        if cause == INTERRUPT | TIMER {
            compare_after(PERIOD.load(Ordering::Relaxed));
            SysTick();
        } else if cause == INTERRUPT | EXTERNAL {
            ExternalInterrupt();
        } else {
            Exception(stack.cast());
        }
    }
    stack
}

#[inline(always)]
pub(crate) fn disable_interrupts() -> InterruptState {
    let before: usize;
    // SAFETY: reads mstatus and clears MIE; memory accesses remain after it.
    unsafe {
        asm!("csrrci {}, mstatus, 8", out(reg) before, options(nostack));
    }
    InterruptState(before & MIE == 0)
}

#[inline(always)]
pub(crate) fn restore_interrupts(before: InterruptState) {
    if !before.0 {
        // SAFETY: interrupts were enabled when `disable_interrupts` was called.
        unsafe {
            asm!("csrsi mstatus, 8", options(nostack));
        }
    }
}

/// Waits for an interrupt, including a masked one.
pub(crate) fn wait() {
    // SAFETY: it only takes time.
    unsafe {
        asm!("wfi", options(nostack));
    }
}

/// The address of the code that calls this.
#[inline(always)]
pub fn address_here() -> usize {
    let address: usize;
    // SAFETY: reads the program counter.
    unsafe {
        asm!("auipc {}, 0", out(reg) address, options(nomem, nostack, preserves_flags));
    }
    address
}

/// Requests a call of `kernel_switch` after the interrupt handler.
pub(crate) fn pend_switch() {
    // SAFETY: this register has no other effect.
    unsafe {
        SOFTWARE_INTERRUPT.write_volatile(1);
    }
}

/// Where the thread continues that the interrupt interrupted.
pub(crate) fn interrupted_address() -> usize {
    INTERRUPTED.load(Ordering::Relaxed) as usize
}

/// Where a thread with this stack pointer continues.
///
/// # Safety
/// The stack pointer must come from an argument of `kernel_switch` or from `prepare`.
pub(crate) unsafe fn resumption_address(stack: *const u32) -> usize {
    // SAFETY: the saved registers are there.
    unsafe { stack.add(PC).read() as usize }
}

/// The stack pointer of a new thread that starts at `entry`, and continues at `end` when
/// that returns.
///
/// # Safety
/// `top` must be the end of an unused stack of at least [`super::FRAME`] words, aligned
/// to 16 bytes.
pub(crate) unsafe fn prepare(top: *mut u32, entry: fn(), end: fn() -> !) -> *mut u32 {
    // SAFETY: the caller guarantees the room.
    unsafe {
        let stack = top.sub(SAVED);
        for word in 0..SAVED {
            stack.add(word).write(0);
        }
        stack.write(end as usize as u32);
        stack.add(PC).write(entry as usize as u32);
        stack.add(PC + 1).write(MPP | MPIE);
        stack
    }
}

/// Starts the tick: an interrupt every `period` ticks of the timer.
pub fn start_tick(period: u32) {
    PERIOD.store(period, Ordering::Relaxed);
    compare_after(period);
}

/// Sets the next timer interrupt to `period` ticks from now.
fn compare_after(period: u32) {
    // SAFETY: only the kernel uses the timer.
    unsafe {
        let high = TIME.add(1).read_volatile();
        let (next, carry) = TIME.read_volatile().overflowing_add(period);
        // Prevents an interrupt between the two writes.
        TIME_TO_COMPARE.write_volatile(u32::MAX);
        TIME_TO_COMPARE
            .add(1)
            .write_volatile(high.wrapping_add(u32::from(carry)));
        TIME_TO_COMPARE.write_volatile(next);
    }
}

/// Leaves `main` for the first thread. `spare` is the end of a stack of at least
/// [`super::FRAME`] words for the registers of `main`, which are never needed again.
///
/// # Safety
/// Call it once, with interrupts off, when all threads are prepared.
pub(crate) unsafe fn start(spare: *mut u32) -> ! {
    pend_switch();
    // SAFETY: from here on, only the memory of `spare` is used.
    unsafe {
        asm!(
            "la t0, kernel_trap",
            "csrw mtvec, t0",
            "csrw mie, {sources}",
            "mv sp, {spare}",
            "csrsi mstatus, 8",
            "1: j 1b",
            sources = in(reg) 1 << SOFTWARE | 1 << TIMER | 1 << EXTERNAL,
            spare = in(reg) spare,
            options(noreturn),
        )
    }
}
