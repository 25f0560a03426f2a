//! The scheduler: RKH's own, which lets the object with the highest priority
//! that has an event handle it to completion.

use super::application::Application;
use super::events::RkhEvent;
use super::{RkhOptions, address};

/// Mean time that the steps of a pump, and of the station for it, take between
/// two timer interrupts, in ticks, as measured: for the first few pumps, and
/// for the others, which mostly wait.
const STAMPS_A_PUMP: u64 = 20;
const STAMPS_A_WAITING_PUMP: u64 = 7;
/// Pumps that hardly wait.
const FEW: u64 = 3;

impl Application<'_> {
    /// Runs until all records have been made.
    pub(super) fn run(&mut self, options: &RkhOptions) {
        let pumps = u64::from(options.pumps);
        let waiting = pumps.saturating_sub(FEW);
        let busy = STAMPS_A_PUMP * (pumps - waiting) + STAMPS_A_WAITING_PUMP * waiting;
        let period = busy * 100 / u64::from(options.load);
        self.start();
        if options.losses {
            self.tracer.pause_host();
        }
        let mut next = self.tracer.now() + period;
        while self.tracer.is_recording() {
            if self.tracer.now() >= next {
                self.tick();
                next += period;
            }
            let waits = self.objects.iter().find(|object| object.queue.len() > 0);
            match waits.map(|object| object.number) {
                Some(number) => self.step(number),
                None => self.tracer.idle_until(next),
            }
        }
    }

    /// The timer interrupt.
    fn tick(&mut self) {
        for index in 0..self.timers.len() {
            let Some(timer) = self.timers.get_mut(index) else {
                break;
            };
            let (owner, signal) = (timer.owner, timer.signal);
            if timer.tick(&mut self.tracer) {
                self.post(
                    owner,
                    RkhEvent::constant(signal),
                    address::TICK_INTERRUPT,
                    false,
                );
            }
        }
    }
}
