//! Cortex-M. All instructions are those of Armv6-M.
//!
//! A thread that does not execute has on its stack, upwards: R4 to R11, and
//! what the core pushes at an exception: R0 to R3, R12, LR, PC, xPSR.

use super::Masked;
use core::arch::{asm, global_asm};

/// Registers of the system control space (Armv7-M Architecture Reference
/// Manual, B3.2 and B3.3; the same in Armv6-M).
const ICSR: *mut u32 = 0xE000_ED04 as *mut u32;
const SHPR3: *mut u32 = 0xE000_ED20 as *mut u32;
const SYST_CSR: *mut u32 = 0xE000_E010 as *mut u32;
const SYST_RVR: *mut u32 = 0xE000_E014 as *mut u32;
const SYST_CVR: *mut u32 = 0xE000_E018 as *mut u32;

const PENDSVSET: u32 = 1 << 28;
/// PendSV has the lowest priority of all, SysTick the second lowest.
const PRIORITIES: u32 = 0xC0FF_0000;
/// Only the T bit: Thumb state.
const FIRST_STATUS: u32 = 1 << 24;

/// Words that this saves and that the core saves, and where the latter has PC.
const SAVED: usize = 8;
const PUSHED: usize = 8;
const PC: usize = 6;

// In: PSP, which has the frame of the core. `kernel_switch` gets the stack
// pointer of the thread that stops and returns that of the one that goes on.
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
pub(crate) fn mask() -> Masked {
    let before: u32;
    // SAFETY: reads and sets PRIMASK; memory accesses stay behind it.
    unsafe {
        asm!("mrs {}, PRIMASK", "cpsid i", out(reg) before, options(nostack, preserves_flags));
    }
    Masked(before & 1 != 0)
}

#[inline(always)]
pub(crate) fn restore(before: Masked) {
    if !before.0 {
        // SAFETY: interrupts were on when `mask` was called; the barrier lets
        // one that is pending come before the next instruction.
        unsafe {
            asm!("cpsie i", "isb", options(nostack, preserves_flags));
        }
    }
}

/// Waits for an interrupt, also one that is masked.
pub(crate) fn wait() {
    // SAFETY: changes nothing but time.
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

/// Lets `kernel_switch` be called as soon as no interrupt is handled.
pub(crate) fn pend_switch() {
    // SAFETY: this bit does nothing else.
    unsafe {
        ICSR.write_volatile(PENDSVSET);
    }
}

/// Where the thread that the outermost interrupt interrupted goes on.
pub(crate) fn interrupted_address() -> usize {
    let stack: *const u32;
    // SAFETY: reads PSP.
    unsafe {
        asm!("mrs {}, PSP", out(reg) stack, options(nomem, nostack, preserves_flags));
    }
    // SAFETY: in an interrupt PSP points to what the core pushed.
    unsafe { stack.add(PC).read_volatile() as usize }
}

/// Where a thread with this stack pointer goes on.
///
/// # Safety
/// The stack pointer is one that `kernel_switch` got or `prepare` made.
pub(crate) unsafe fn resumption_address(stack: *const u32) -> usize {
    // SAFETY: what the core pushed lies behind what PendSV saved.
    unsafe { stack.add(SAVED + PC).read() as usize }
}

/// The stack pointer of a thread that is yet to begin with `entry`, and is at
/// `end` when that returns.
///
/// # Safety
/// `top` is the end of a stack of at least [`super::FRAME`] words that nobody
/// uses, aligned to 16 bytes.
pub(crate) unsafe fn prepare(top: *mut u32, entry: fn(), end: fn() -> !) -> *mut u32 {
    // SAFETY: there is room, as was promised.
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

/// Starts the tick: an interrupt every `cycles` cycles of the core, at most
/// 2^24.
pub fn start_tick(cycles: u32) {
    // SAFETY: the timer is the kernel's.
    unsafe {
        SYST_RVR.write_volatile(cycles.wrapping_sub(1));
        SYST_CVR.write_volatile(0);
        // Counts the core's clock, with the interrupt.
        SYST_CSR.write_volatile(0b111);
    }
}

/// Leaves `main` for the first thread; `spare` is the end of a stack of at
/// least [`super::FRAME`] words for what is saved of `main` and never needed.
///
/// # Safety
/// To be called once, with interrupts off, when all threads are prepared.
pub(crate) unsafe fn start(spare: *mut u32) -> ! {
    // SAFETY: from here on the thread stack is used; handlers have what was
    // the only stack, of which nothing is needed any more but what lies above.
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
