//! Arm Versatile PB with a Cortex-R or Cortex-A: the interrupt controller PL190, whose first
//! line the program requests, and a timer SP804.

use core::arch::asm;
use rtoscope_record::port::{
    Clock, CpsrIrqFiq, Mask as _, PhysicalCounter, PmuCycleCounter, VirtualCounter,
};

pub(crate) use rtoscope_record::port::CpsrIrq as Mask;

/// Registers of the controller, as word offsets: raw state, enable, disable, request, take
/// the request back.
const CONTROLLER: *mut u32 = 0x1014_0000 as *mut u32;
const RAW: usize = 2;
const ENABLE: usize = 4;
const DISABLE: usize = 5;
const REQUEST: usize = 6;
const TAKE_BACK: usize = 7;
/// Its lines.
const SOFTWARE: u32 = 1 << 1;
const TIMER: u32 = 1 << 4;

/// Registers of the timer, as word offsets: period, control, clear.
const TIMER_BASE: *mut u32 = 0x101E_2000 as *mut u32;
const TIMER_LOAD: usize = 0;
const TIMER_CONTROL: usize = 2;
const TIMER_CLEAR: usize = 3;
/// On, periodic, with interrupt, 32 bits.
const TIMER_ON: u32 = 0b1110_0010;
/// Microseconds between two interrupts.
const PERIOD: u32 = 307;

/// Bits of `CPSR`.
const I: u32 = 1 << 7;
const F: u32 = 1 << 6;

/// A word that a test may write before the program starts: 0 for `PMCCNTR`, 1 for the
/// virtual count, 2 for the physical count.
#[unsafe(no_mangle)]
#[unsafe(link_section = ".data")]
static mut COUNTER: u32 = 0;

/// The counter that the test selects.
pub(crate) struct Counter;

impl Clock for Counter {
    fn now(&self) -> u32 {
        // SAFETY: the program does not write it.
        match unsafe { (&raw const COUNTER).read_volatile() } {
            0 => PmuCycleCounter.now(),
            1 => VirtualCounter.now(),
            _ => PhysicalCounter.now(),
        }
    }
}

fn status() -> u32 {
    let status: u32;
    // SAFETY: reads a register.
    unsafe { asm!("mrs {}, cpsr", out(reg) status, options(nostack)) };
    status
}

/// Each mask sets its bits and restores them; from one within the other, too.
pub(crate) fn check_masks() {
    // SAFETY: no source of interrupts is enabled yet.
    unsafe { asm!("cpsie if") };
    super::check(status() & (I | F) == 0);
    // SAFETY: one core, in a privileged mode.
    let fiq = unsafe { CpsrIrqFiq::new() };
    super::without_interrupts(|| {
        super::check(status() & (I | F) == I);
        let before = fiq.acquire();
        super::check(status() & (I | F) == I | F);
        super::without_interrupts(|| super::check(status() & (I | F) == I | F));
        super::check(status() & (I | F) == I | F);
        // SAFETY: the state before.
        unsafe { fiq.release(before) };
        super::check(status() & (I | F) == I);
    });
    super::check(status() & (I | F) == 0);
    stop();
}

/// Starts the cycle counter and the timer, and enables interrupts.
pub(crate) fn start() {
    // SAFETY: only this code uses these registers, and all handlers are ready.
    unsafe {
        asm!("mcr p15, 0, {}, c9, c12, 0", in(reg) 0b101_u32);
        asm!("mcr p15, 0, {}, c9, c12, 1", in(reg) 1_u32 << 31);
        TIMER_BASE.add(TIMER_LOAD).write_volatile(PERIOD);
        TIMER_BASE.add(TIMER_CONTROL).write_volatile(TIMER_ON);
        CONTROLLER.add(ENABLE).write_volatile(SOFTWARE | TIMER);
        asm!("cpsie i");
    }
}

/// Disables interrupts.
pub(crate) fn stop() {
    // SAFETY: sets I.
    unsafe { asm!("cpsid i") };
}

pub(crate) fn interrupts_are_enabled() -> bool {
    status() & I == 0
}

pub(crate) fn request_interrupt() {
    // SAFETY: this register has no other effect.
    unsafe { CONTROLLER.add(REQUEST).write_volatile(SOFTWARE) };
}

/// Whether an interrupt was requested; takes the request back.
pub(crate) fn take_request() -> bool {
    let requested = raw() & SOFTWARE != 0;
    // SAFETY: this register has no other effect.
    unsafe { CONTROLLER.add(TAKE_BACK).write_volatile(SOFTWARE) };
    requested
}

pub(crate) fn timer_is_pending() -> bool {
    raw() & TIMER != 0
}

fn raw() -> u32 {
    // SAFETY: reads a register.
    unsafe { CONTROLLER.add(RAW).read_volatile() }
}

/// The next interrupt comes after a period.
pub(crate) fn clear_timer() {
    // SAFETY: this register has no other effect.
    unsafe { TIMER_BASE.add(TIMER_CLEAR).write_volatile(0) };
}

/// Runs `work` in the timer's handler, which requested interrupts may interrupt.
pub(crate) fn with_requests_enabled(work: fn()) {
    // SAFETY: the code at the vector has saved the registers of the interrupted context.
    unsafe {
        CONTROLLER.add(DISABLE).write_volatile(TIMER);
        asm!("cpsie i");
    }
    work();
    // SAFETY: as before.
    unsafe {
        asm!("cpsid i");
        CONTROLLER.add(ENABLE).write_volatile(TIMER);
    }
}
