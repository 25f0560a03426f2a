//! Statistics of all steps of a clock.

use super::modulus::ClockModulus;
use super::stamps::Stamps;
use super::unwrap_pass::previous;
use rtoscope_trace::clock::ClockDirection;
use std::ops::Range;

/// Minimum number of steps from which the clock's resolution is judged.
const MIN_STEPS: u64 = 100;

/// Statistics of the steps between the timestamps of a part.
#[derive(Default, Clone, Copy)]
pub(super) struct StepStats {
    /// Steps that are shorter if the clock counts up.
    pub(super) up: u64,
    /// Steps that are shorter if the clock counts down.
    pub(super) down: u64,
    pub(super) zero: u64,
    /// The minimum and the maximum upward step other than 0.
    extremes: Option<(u64, u64)>,
    /// Steps that would be small backward steps, by direction.
    backward_steps_up: u64,
    backward_steps_down: u64,
    /// Total ticks of all steps, by direction.
    ticks_up: u64,
    ticks_down: u64,
    /// Timestamps with bits above the mask.
    pub(super) junk: u64,
    /// The highest masked timestamp.
    pub(super) highest: u64,
    /// The lowest masked timestamp, if there are any.
    lowest: Option<u64>,
}

impl StepStats {
    pub(super) fn count(
        stamps: &(impl Stamps + ?Sized),
        part: Range<usize>,
        modulus: ClockModulus,
    ) -> Self {
        let mut steps = Self::default();
        let half = modulus.half();
        let max_step = modulus.max_step();
        let above_mask = modulus.above_mask();
        let (mut shortest, mut longest_up) = (u64::MAX, 0);
        let mut lowest = u64::MAX;
        let mut before = previous(stamps, &part);
        let is_empty = part.is_empty();
        stamps.visit(part, |timestamp| {
            steps.junk += u64::from(timestamp & above_mask != 0);
            let masked = modulus.masked(timestamp);
            steps.highest = steps.highest.max(masked);
            lowest = lowest.min(masked);
            let up = modulus.forward(before, timestamp);
            let down = modulus.reversed(up);
            steps.zero += u64::from(up == 0);
            steps.up += u64::from(up != 0 && up < half);
            steps.down += u64::from(up > half);
            // 0 wraps to the largest value, so that it is never the minimum.
            shortest = shortest.min(up.wrapping_sub(1));
            longest_up = longest_up.max(up);
            steps.backward_steps_up += u64::from(up > max_step);
            steps.backward_steps_down += u64::from(down > max_step);
            steps.ticks_up = steps.ticks_up.saturating_add(up);
            steps.ticks_down = steps.ticks_down.saturating_add(down);
            before = timestamp;
        });
        steps.lowest = (!is_empty).then_some(lowest);
        steps.extremes = (longest_up > 0).then(|| (shortest + 1, longest_up));
        steps
    }

    pub(super) fn merge(self, other: &Self) -> Self {
        Self {
            up: self.up + other.up,
            down: self.down + other.down,
            zero: self.zero + other.zero,
            extremes: match (self.extremes, other.extremes) {
                (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
                (one, other) => one.or(other),
            },
            backward_steps_up: self.backward_steps_up + other.backward_steps_up,
            backward_steps_down: self.backward_steps_down + other.backward_steps_down,
            ticks_up: self.ticks_up.saturating_add(other.ticks_up),
            ticks_down: self.ticks_down.saturating_add(other.ticks_down),
            junk: self.junk + other.junk,
            highest: self.highest.max(other.highest),
            lowest: [self.lowest, other.lowest].into_iter().flatten().min(),
        }
    }

    /// Steps, and how many of them are 0. The first timestamp counts as a step of 0.
    pub(super) fn zero_steps(&self) -> (u64, u64) {
        let steps = self.up + self.down + self.zero;
        (steps.saturating_sub(1), self.zero.saturating_sub(1))
    }

    /// Whether most of many steps are 0, so that the clock is coarse.
    pub(super) fn mostly_zero(&self) -> bool {
        let (steps, zero) = self.zero_steps();
        steps >= MIN_STEPS && zero > steps / 2
    }

    /// The lowest masked timestamp; 0 without timestamps.
    pub(super) fn lowest(&self) -> u64 {
        self.lowest.unwrap_or_default()
    }

    /// The shortest jump against the direction of a counter that restarts within the
    /// range of these timestamps.
    pub(super) fn min_restart(&self) -> u64 {
        self.highest / 8
    }

    /// The direction in which most steps are shorter; up on a tie.
    pub(super) fn direction(&self) -> ClockDirection {
        if self.down > self.up {
            ClockDirection::Down
        } else {
            ClockDirection::Up
        }
    }

    /// Small backward steps of a clock that counts in `direction`.
    pub(super) fn backward_steps(&self, direction: ClockDirection) -> u64 {
        match direction {
            ClockDirection::Up => self.backward_steps_up,
            ClockDirection::Down => self.backward_steps_down,
        }
    }

    /// Total ticks of all steps of a clock that counts in `direction`.
    pub(super) fn ticks(&self, direction: ClockDirection) -> u64 {
        match direction {
            ClockDirection::Up => self.ticks_up,
            ClockDirection::Down => self.ticks_down,
        }
    }

    /// The ticks of each step if all steps are equal, in the direction in which
    /// they are shorter. The first timestamp counts as a step of 0.
    pub(super) fn constant(&self, modulus: ClockModulus) -> Option<u64> {
        match (self.zero, self.extremes) {
            (1.., None) => Some(0),
            (1, Some((shortest, max_step))) if shortest == max_step => {
                Some(shortest.min(modulus.reversed(shortest)))
            }
            _ => None,
        }
    }
}
