//! The counters that provide timestamps.

use crate::c::rto_counter;
use core::cell::Cell;
use rtoscope_record::port::{Clock, CounterRegister};

/// The counter of a recorder without one.
pub(crate) static NO_COUNTER: rto_counter = 0;

/// The counter at `place`, or [`NO_COUNTER`] if it is null.
pub(crate) fn counter_or_default(place: *const rto_counter) -> *const rto_counter {
    if place.is_null() { &NO_COUNTER } else { place }
}

/// The counter at `place`.
pub(crate) const fn counter_register(place: *const rto_counter) -> CounterRegister {
    // SAFETY: the header requires a counter that is readable at any time.
    unsafe { CounterRegister::new(place) }
}

/// A counter whose address the C program sets.
struct Counter(Cell<CounterRegister>);

// SAFETY: it only changes while no recorder uses it, as the header requires.
unsafe impl Sync for Counter {}

static COMMON_COUNTER: Counter = Counter(Cell::new(counter_register(&NO_COUNTER)));

/// The counter of the program's event trace and stream.
pub struct CommonCounter;

impl Clock for CommonCounter {
    #[inline(always)]
    fn now(&self) -> u32 {
        COMMON_COUNTER.0.get().now()
    }
}

/// Sets the counter of the ThreadX event trace and of the RKH stream: a 32-bit register
/// or variable that counts up and wraps, or NULL if there is none. Call it before using
/// them.
#[no_mangle]
pub extern "C" fn rto_set_counter(counter: *const rto_counter) {
    COMMON_COUNTER
        .0
        .set(counter_register(counter_or_default(counter)));
}
