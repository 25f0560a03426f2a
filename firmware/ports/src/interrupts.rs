//! The interrupts: one of a timer, and one that the program requests, which interrupts the
//! handler of the other.

use crate::{counts, machine, recorders};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Numbers of the interrupts in the recordings.
pub(crate) const TIMER: u32 = 1;
/// See [`TIMER`].
pub(crate) const SOFTWARE: u32 = 2;

/// Number of handlers that run.
static DEPTH: AtomicUsize = AtomicUsize::new(0);
/// Whether the next entry at this depth requests an interrupt.
static REQUESTED: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];
/// Whether a recorder is writing.
static IS_WRITING: AtomicBool = AtomicBool::new(false);

/// The next entry of the running context requests an interrupt while it is written.
pub(crate) fn request_within_entry() {
    if let Some(requested) = REQUESTED.get(DEPTH.load(Ordering::Relaxed)) {
        requested.store(true, Ordering::Relaxed);
    }
}

/// Called by a recorder while it writes.
pub(crate) fn within_entry() {
    let requested = REQUESTED.get(DEPTH.load(Ordering::Relaxed));
    if requested.is_some_and(|requested| requested.load(Ordering::Relaxed)) {
        IS_WRITING.store(true, Ordering::Relaxed);
        machine::request_interrupt();
        // Long enough for the interrupt to come if it is not masked.
        crate::work(10);
        IS_WRITING.store(false, Ordering::Relaxed);
        if let Some(requested) = requested {
            requested.store(false, Ordering::Relaxed);
        }
        counts::change(|truth| truth.requested += 1);
    }
    if machine::timer_is_pending() {
        counts::change(|truth| truth.timer_waited += 1);
    }
    expect_enabled(false);
}

/// Counts a violation if interrupts are on or off, contrary to what is expected.
pub(crate) fn expect_enabled(expected: bool) {
    if machine::interrupts_are_enabled() != expected {
        counts::change(|truth| truth.wrong_states += 1);
    }
}

/// Called by the code at the vector, with interrupts off.
#[unsafe(no_mangle)]
extern "C" fn Interrupt() {
    if IS_WRITING.load(Ordering::Relaxed) {
        counts::change(|truth| truth.violations += 1);
    }
    if machine::take_request() {
        let nested = DEPTH.load(Ordering::Relaxed) > 0;
        counts::change(|truth| {
            truth.software += 1;
            truth.nested += u32::from(nested);
        });
        handle(SOFTWARE, crate::software);
    } else if machine::timer_is_pending() {
        machine::clear_timer();
        handle(TIMER, || machine::with_requests_enabled(crate::timer));
    }
}

/// Records a handler around its work.
fn handle(number: u32, handler: fn()) {
    let outer = DEPTH.fetch_add(1, Ordering::Relaxed);
    recorders::enter(number);
    handler();
    recorders::exit(number);
    if outer == 0 {
        recorders::resume();
    }
    DEPTH.store(outer, Ordering::Relaxed);
}
