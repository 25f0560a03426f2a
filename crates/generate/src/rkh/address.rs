//! Addresses in the simulated target.

use rtoscope_record::rkh::Address;

const CODE: u32 = 0x0800_1000;
const CONSTANTS: u32 = 0x0800_8000;
const VARIABLES: u32 = 0x2000_0000;
const OBJECTS: u32 = VARIABLES + 0x1000;
const OBJECT_BYTES: u32 = 0x80;

/// An active object by its number.
pub(super) const fn object(number: u8) -> Address {
    Address(OBJECTS + number as u32 * OBJECT_BYTES)
}

/// The queue of an active object.
pub(super) const fn queue(number: u8) -> Address {
    Address(object(number).0 + 0x08)
}

/// The timer of an active object.
pub(super) const fn timer(number: u8) -> Address {
    Address(object(number).0 + 0x40)
}

/// The station's queue of deferred events.
pub(super) const DEFERRED_QUEUE: Address = Address(VARIABLES + 0x100);
/// The sender of events posted by the timer interrupt.
pub(super) const TICK_INTERRUPT: Address = Address(VARIABLES + 0x10);

/// A memory pool, counted from 0.
pub(super) const fn pool(number: u8) -> Address {
    Address(VARIABLES + 0x200 + number as u32 * 0x20)
}

/// A vertex of a kind of state machine.
pub(super) const fn vertex(machine: u32, number: usize) -> Address {
    Address(CONSTANTS + machine * 0x400 + number as u32 * 0x40)
}

/// A function by its number.
pub(super) const fn function(number: u32) -> Address {
    Address(CODE + number * 0x20)
}
