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

/// A counter in memory, as all counters of a Cortex-M and of this machine are.
#[cfg(any(cortex_m, not(target_os = "none")))]
pub(crate) type SelectedCounter = CounterRegister;

/// The counter at `place`.
#[cfg(any(cortex_m, not(target_os = "none")))]
pub(crate) const fn select_counter(place: *const rto_counter) -> SelectedCounter {
    // SAFETY: the header requires a counter that is readable at any time.
    unsafe { CounterRegister::new(place) }
}

#[cfg(all(target_os = "none", not(cortex_m)))]
pub(crate) use core_counter::{SelectedCounter, select_counter};

#[cfg(all(target_os = "none", not(cortex_m)))]
mod core_counter {
    use super::{Clock, CounterRegister, rto_counter};

    #[cfg(target_arch = "mips")]
    use rtoscope_record::port::CoprocessorCount as CoreCounter;
    #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
    use rtoscope_record::port::MachineCycles as CoreCounter;
    #[cfg(cortex_ar)]
    use rtoscope_record::port::PmuCycleCounter as CoreCounter;

    /// `RTO_CORE_COUNTER` in the header: aligned, and not the address of a counter.
    const CORE_COUNTER: usize = 4;

    /// The counter of the core, which has no address, or a counter in memory.
    #[derive(Clone, Copy)]
    pub(crate) struct SelectedCounter(*const rto_counter);

    /// The counter at `place`, or that of the core.
    pub(crate) const fn select_counter(place: *const rto_counter) -> SelectedCounter {
        SelectedCounter(place)
    }

    // SAFETY: the address is only read, and the header requires that this is sound at any
    // time.
    unsafe impl Send for SelectedCounter {}
    // SAFETY: as above.
    unsafe impl Sync for SelectedCounter {}

    impl Clock for SelectedCounter {
        #[inline(always)]
        fn now(&self) -> u32 {
            if self.0 as usize == CORE_COUNTER {
                CoreCounter.now()
            } else {
                // SAFETY: as above.
                unsafe { CounterRegister::new(self.0) }.now()
            }
        }
    }
}

/// A counter whose address the C program sets.
struct Counter(Cell<SelectedCounter>);

// SAFETY: it only changes while no recorder uses it, as the header requires.
unsafe impl Sync for Counter {}

static COMMON_COUNTER: Counter = Counter(Cell::new(select_counter(&NO_COUNTER)));

/// The counter of the program's event trace and stream.
pub struct CommonCounter;

impl Clock for CommonCounter {
    #[inline(always)]
    fn now(&self) -> u32 {
        COMMON_COUNTER.0.get().now()
    }
}

/// Sets the counter of the ThreadX event trace and of the RKH stream: a 32-bit register
/// or variable that counts up and wraps, `RTO_CORE_COUNTER`, or NULL if there is none. Call
/// it before using them.
#[no_mangle]
pub extern "C" fn rto_set_counter(counter: *const rto_counter) {
    COMMON_COUNTER
        .0
        .set(select_counter(counter_or_default(counter)));
}
