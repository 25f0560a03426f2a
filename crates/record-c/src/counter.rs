//! The counters that stamps are read from.

use crate::c::rto_counter;
use core::cell::Cell;
use rtoscope_record::port::{Clock, CounterRegister};

/// What is read where there is no counter.
pub(crate) static NO_COUNTER: rto_counter = 0;

/// The counter at `place`, if there is one.
pub(crate) fn counter_or_default(place: *const rto_counter) -> *const rto_counter {
    if place.is_null() { &NO_COUNTER } else { place }
}

/// The counter at `place`.
pub(crate) const fn counter_register(place: *const rto_counter) -> CounterRegister {
    // SAFETY: the header asks for a counter that can be read at any time.
    unsafe { CounterRegister::new(place) }
}

/// A counter whose place the C program tells.
struct Counter(Cell<CounterRegister>);

// SAFETY: it is only changed while nobody uses it, as the header asks.
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

/// Says where the counter of the ThreadX event trace and of the RKH stream is: a
/// register or variable of 32 bits that counts up and wraps, or NULL if there is
/// none. To be called before they are used.
#[no_mangle]
pub extern "C" fn rto_set_counter(counter: *const rto_counter) {
    COMMON_COUNTER
        .0
        .set(counter_register(counter_or_default(counter)));
}
