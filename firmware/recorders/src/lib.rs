//! Passes the events of the kernel to the recorders.
//!
//! [`EventClock`] gives all observers of an event the same timestamp.
#![no_std]

pub mod cswitch;
pub mod threadx;

use kernel::Shared;
use rtoscope_record::port::Clock;

/// The timestamp of the observed event.
static EVENT_TIME: Shared<u32> = Shared::new(0);

/// The clock of the recorders: the time set last.
#[derive(Debug, Clone, Copy)]
pub struct EventClock;

impl EventClock {
    /// Sets the time of the next event. Call it with interrupts off.
    pub fn set(now: u32) {
        EVENT_TIME.with(|time| *time = now);
    }
}

impl Clock for EventClock {
    fn now(&self) -> u32 {
        EVENT_TIME.with(|time| *time)
    }
}
