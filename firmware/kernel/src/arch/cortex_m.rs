//! Cortex-M, with instructions of Armv6-M only.
//!
//! The stack of a thread that is not running contains, from low to high addresses, R4 to
//! R11 and the registers that the core pushes at an exception: R0 to R3, R12, LR, PC,
//! xPSR.

use super::InterruptState;
use core::arch::{asm, global_asm};

/// Registers of the system control space (Armv7-M Architecture Reference
/// Manual, B3.2 and B3.3; the same in Armv6-M).
const ICSR: *mut u32 = 0xE000_ED04 as *mut u32;
const SHPR3: *mut u32 = 0xE000_ED20 as *mut u32;
const SYST_CSR: *mut u32 = 0xE000_E010 as *mut u32;
const SYST_RVR: *mut u32 = 0xE000_E014 as *mut u32;
const SYST_CVR: *mut u32 = 0xE000_E018 as *mut u32;

const PENDSVSET: u32 = 1 << 28;
/// PendSV has the lowest priority, SysTick the second lowest.
const PRIORITIES: u32 = 0xC0FF_0000;
/// Only the T bit: Thumb state.
const FIRST_STATUS: u32 = 1 << 24;

/// Numbers of words that this code and the core save, and the index of PC in the latter.
const SAVED: usize = 8;
const PUSHED: usize = 8;
const PC: usize = 6;

// On entry, PSP points to the core's frame. `kernel_switch` takes the stack pointer of
// the thread that stops and returns that of the thread that continues.
global_asm!(
    ".section .text.PendSV, \"ax\"",
    ".syntax unified",
    ".thumb",
    ".global PendSV",
    ".type PendSV, %function",
    ".thumb_func",
    "PendSV:",
    "mrs r0, psp",
    "subs r0, r0, #32",
    "mov r1, r0",
    "stmia r1!, {{r4-r7}}",
    "mov r4, r8",
    "mov r5, r9",
    "mov r6, r10",
    "mov r7, r11",
    "stmia r1!, {{r4-r7}}",
    "push {{r4, lr}}",
    "bl kernel_switch",
    "pop {{r1, r2}}",
    "adds r0, r0, #16",
    "ldmia r0!, {{r4-r7}}",
    "mov r8, r4",
    "mov r9, r5",
    "mov r10, r6",
    "mov r11, r7",
    "msr psp, r0",
    "subs r0, r0, #32",
    "ldmia r0!, {{r4-r7}}",
    "bx r2",
);

#[inline(always)]
pub(crate) fn disable_interrupts() -> InterruptState {
    let before: u32;
    // SAFETY: reads and sets PRIMASK; memory accesses remain after it.
    unsafe {
        asm!("mrs {}, PRIMASK", "cpsid i", out(reg) before, options(nostack, preserves_flags));
    }
    InterruptState(before & 1 != 0)
}

#[inline(always)]
pub(crate) fn restore_interrupts(before: InterruptState) {
    if !before.0 {
        // SAFETY: interrupts were enabled when `disable_interrupts` was called; the
        // barrier lets a pending one occur before the next instruction.
        unsafe {
            asm!("cpsie i", "isb", options(nostack, preserves_flags));
        }
    }
}

/// Waits for an interrupt, including a masked one.
pub(crate) fn wait() {
    // SAFETY: it only takes time.
    unsafe {
        asm!("dsb", "wfi", options(nostack, preserves_flags));
    }
}

/// The address of the code that calls this.
#[inline(always)]
pub fn address_here() -> usize {
    let address: usize;
    // SAFETY: reads the program counter.
    unsafe {
        asm!("mov {}, pc", out(reg) address, options(nomem, nostack, preserves_flags));
    }
    address
}

/// Requests a call of `kernel_switch` after all interrupt handlers.
pub(crate) fn pend_switch() {
    // SAFETY: this bit has no other effect.
    unsafe {
        ICSR.write_volatile(PENDSVSET);
    }
}

/// Where the thread continues that the outermost interrupt interrupted.
pub(crate) fn interrupted_address() -> usize {
    let stack: *const u32;
    // SAFETY: reads PSP.
    unsafe {
        asm!("mrs {}, PSP", out(reg) stack, options(nomem, nostack, preserves_flags));
    }
    // SAFETY: in an interrupt, PSP points to the registers that the core pushed.
    unsafe { stack.add(PC).read_volatile() as usize }
}

/// Where a thread with this stack pointer continues.
///
/// # Safety
/// The stack pointer must come from an argument of `kernel_switch` or from `prepare`.
pub(crate) unsafe fn resumption_address(stack: *const u32) -> usize {
    // SAFETY: the core's registers follow those that PendSV saved.
    unsafe { stack.add(SAVED + PC).read() as usize }
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
        let stack = top.sub(SAVED + PUSHED);
        for word in 0..SAVED + PUSHED {
            stack.add(word).write(0);
        }
        stack.add(SAVED + PC - 1).write(end as usize as u32);
        stack.add(SAVED + PC).write(entry as usize as u32);
        stack.add(SAVED + PC + 1).write(FIRST_STATUS);
        stack
    }
}

/// Starts the tick: an interrupt every `cycles` cycles of the core, at most 2^24.
pub fn start_tick(cycles: u32) {
    // SAFETY: only the kernel uses the timer.
    unsafe {
        SYST_RVR.write_volatile(cycles.wrapping_sub(1));
        SYST_CVR.write_volatile(0);
        // Counts the core's clock, with the interrupt enabled.
        SYST_CSR.write_volatile(0b111);
    }
}

/// Leaves `main` for the first thread. `spare` is the end of a stack of at least
/// [`super::FRAME`] words for the registers of `main`, which are never needed again.
///
/// # Safety
/// Call it once, with interrupts off, when all threads are prepared.
pub(crate) unsafe fn start(spare: *mut u32) -> ! {
    // SAFETY: from here on, the thread stack is used. Handlers use the previous stack;
    // only its part above is still needed.
    unsafe {
        SHPR3.write_volatile(PRIORITIES);
        asm!(
            "msr PSP, {spare}",
            "msr CONTROL, {thread}",
            "isb",
            "str {set}, [{icsr}]",
            "cpsie i",
            "isb",
            "b .",
            spare = in(reg) spare,
            thread = in(reg) 2,
            set = in(reg) PENDSVSET,
            icsr = in(reg) ICSR,
            options(noreturn),
        )
    }
}
