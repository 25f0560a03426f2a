//! Counts the steps of a clock one by one.

use super::modulus::ClockModulus;
use rtoscope_trace::clock::ClockDirection;

/// Steps between timestamps, in both directions.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StepCounts {
    pub(crate) count: u64,
    /// Steps that are shorter if the clock counts up.
    up: u64,
    /// Steps that are shorter if the clock counts down.
    down: u64,
    pub(crate) zero: u64,
    /// Upward steps of one tick.
    pub(crate) ones: u64,
    /// Ticks of all steps, by direction; small backward steps take no time.
    ticks_up: u64,
    ticks_down: u64,
}

impl StepCounts {
    /// Adds the step from one timestamp to the next.
    #[inline(always)]
    pub(crate) fn add(&mut self, modulus: ClockModulus, from: u64, to: u64) {
        let up = modulus.forward(from, to);
        let down = modulus.reversed(up);
        self.count += 1;
        self.zero += u64::from(up == 0);
        self.ones += u64::from(up == 1);
        self.up += u64::from(up != 0 && up < modulus.half());
        self.down += u64::from(up > modulus.half());
        let longest = modulus.max_step();
        let ticks = |step: u64| if step > longest { 0 } else { step };
        self.ticks_up = self.ticks_up.saturating_add(ticks(up));
        self.ticks_down = self.ticks_down.saturating_add(ticks(down));
    }

    /// Adds the numbers of steps of another part, which [`Self::direction`] compares.
    pub(crate) fn add_directions(&mut self, other: &Self) {
        self.up += other.up;
        self.down += other.down;
    }

    /// The direction in which most steps are shorter; up on a tie.
    pub(crate) fn direction(&self) -> ClockDirection {
        if self.down > self.up {
            ClockDirection::Down
        } else {
            ClockDirection::Up
        }
    }

    pub(crate) fn ticks(&self, direction: ClockDirection) -> u64 {
        match direction {
            ClockDirection::Up => self.ticks_up,
            ClockDirection::Down => self.ticks_down,
        }
    }

    /// Whether all timestamps are equal.
    pub(crate) fn is_static(&self) -> bool {
        self.zero == self.count
    }
}
