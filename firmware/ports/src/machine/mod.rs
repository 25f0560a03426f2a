//! The machine: a timer, an interrupt that the program requests, and the masks and counters
//! under test.

#[cfg_attr(target_arch = "arm", path = "arm.rs")]
#[cfg_attr(target_arch = "mips", path = "mips.rs")]
#[cfg_attr(target_arch = "riscv32", path = "riscv.rs")]
mod current;

pub(crate) use current::{
    Counter, Mask, check_masks, clear_timer, interrupts_are_enabled, request_interrupt, start,
    stop, take_request, timer_is_pending, with_requests_enabled,
};

use crate::counts;
use rtoscope_record::port::Mask as _;

/// Runs `work` with interrupts off, as before or not.
pub(crate) fn without_interrupts(work: impl FnOnce()) {
    // SAFETY: one core, in a privileged mode.
    let mask = unsafe { Mask::new() };
    let before = mask.acquire();
    work();
    // SAFETY: the state before.
    unsafe { mask.release(before) };
}

/// Counts a wrong state of the interrupts.
fn check(is_right: bool) {
    if !is_right {
        counts::change(|truth| truth.wrong_states += 1);
    }
}
