//! The program's own counters.

use crate::machine;
use core::cell::UnsafeCell;
use truth::DONE;
use truth::ports::PortsTruth;

#[repr(transparent)]
struct Counts(UnsafeCell<PortsTruth>);

// SAFETY: one core, and it is accessed with interrupts off.
unsafe impl Sync for Counts {}

/// The host finds it by its symbol.
#[unsafe(no_mangle)]
static GROUND_TRUTH: Counts = Counts(UnsafeCell::new(PortsTruth::ZERO));

/// Changes the counters.
pub(crate) fn change(change: impl FnOnce(&mut PortsTruth)) {
    machine::without_interrupts(|| {
        // SAFETY: no other code runs meanwhile, and `change` does not come here again.
        change(unsafe { &mut *GROUND_TRUTH.0.get() });
    });
}

/// Marks the end of the program.
pub(crate) fn finish() {
    change(|truth| truth.done = DONE);
}
