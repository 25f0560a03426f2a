//! The counters that stamps are read from.

use crate::c::rto_counter;
use core::cell::Cell;
use rtoscope_record::port::{Clock, Register};

/// What is read where there is no counter.
pub(crate) static NONE: rto_counter = 0;

/// The counter at `place`, if there is one.
pub(crate) fn or_none(place: *const rto_counter) -> *const rto_counter {
    if place.is_null() { &NONE } else { place }
}

/// The counter at `place`.
pub(crate) const fn register(place: *const rto_counter) -> Register {
    // SAFETY: the header asks for a counter that can be read at any time.
    unsafe { Register::new(place) }
}

/// A counter whose place the C program tells.
struct Counter(Cell<Register>);

// SAFETY: it is only changed while nobody uses it, as the header asks.
unsafe impl Sync for Counter {}

static COMMON: Counter = Counter(Cell::new(register(&NONE)));

/// The counter of the program's event trace and stream.
pub struct Common;

impl Clock for Common {
    #[inline(always)]
    fn now(&self) -> u32 {
        COMMON.0.get().now()
    }
}

/// Says where the counter of the ThreadX event trace and of the RKH stream is: a
/// register or variable of 32 bits that counts up and wraps, or NULL if there is
/// none. To be called before they are used.
#[no_mangle]
pub extern "C" fn rto_set_counter(counter: *const rto_counter) {
    COMMON.0.set(register(or_none(counter)));
}
