//! MIPS Malta: the timer of coprocessor 0 and its first software interrupt.

use core::arch::asm;

pub(crate) use rtoscope_record::port::CoprocessorCount as Counter;
pub(crate) use rtoscope_record::port::StatusInterrupts as Mask;

/// Ticks of `Count` between two interrupts.
const PERIOD: u32 = 29_989;

/// Bits of `Status` and `Cause`.
const IE: u32 = 1;
const EXL: u32 = 1 << 1;
const SOFTWARE: u32 = 1 << 8;
const TIMER: u32 = 1 << 15;

/// Defines a function that reads a register of coprocessor 0.
macro_rules! read {
    ($name:ident, $register:literal) => {
        fn $name() -> u32 {
            let value: u32;
            // SAFETY: reading the register has no effect.
            unsafe {
                asm!(".set noat", concat!("mfc0 {}, ", $register), ".set at", out(reg) value);
            }
            value
        }
    };
}

/// Defines a function that writes a register of coprocessor 0.
macro_rules! write {
    ($name:ident, $register:literal) => {
        fn $name(value: u32) {
            // SAFETY: a register of the timer or of interrupts, for which handlers are ready.
            unsafe {
                asm!(".set noat", concat!("mtc0 {}, ", $register), "ehb", ".set at", in(reg) value);
            }
        }
    };
}

read!(count, "$9");
read!(status, "$12");
read!(cause, "$13");
write!(set_compare, "$11");
write!(set_status, "$12");
write!(set_cause, "$13");

pub(crate) fn check_masks() {
    super::check(!interrupts_are_enabled());
    super::without_interrupts(|| super::check(!interrupts_are_enabled()));
}

/// Starts the timer and enables interrupts.
pub(crate) fn start() {
    clear_timer();
    set_status(SOFTWARE | TIMER | IE);
}

/// Disables interrupts.
pub(crate) fn stop() {
    set_status(0);
}

pub(crate) fn interrupts_are_enabled() -> bool {
    status() & (IE | EXL) == IE
}

pub(crate) fn request_interrupt() {
    set_cause(cause() | SOFTWARE);
}

/// Whether an interrupt was requested; takes the request back.
pub(crate) fn take_request() -> bool {
    let cause = cause();
    set_cause(cause & !SOFTWARE);
    cause & SOFTWARE != 0
}

pub(crate) fn timer_is_pending() -> bool {
    cause() & TIMER != 0
}

/// The next interrupt comes after a period.
pub(crate) fn clear_timer() {
    set_compare(count().wrapping_add(PERIOD));
}

/// Runs `work` in the timer's handler, which requested interrupts may interrupt.
pub(crate) fn with_requests_enabled(work: fn()) {
    let before = status();
    set_status(before & !TIMER | IE);
    work();
    set_status(before);
}
