//! What all steps together say about a clock.

use super::modulus::ClockModulus;
use super::partition::TimestampPart;
use rtoscope_trace::clock::ClockDirection;

/// What the steps to the stamps of a part look like.
#[derive(Default, Clone, Copy)]
pub(super) struct StepStats {
    /// Steps that are shorter for a clock that counts up.
    pub(super) up: u64,
    /// Steps that are shorter for a clock that counts down.
    pub(super) down: u64,
    pub(super) zero: u64,
    /// The shortest and the longest step up that is not 0.
    extremes: Option<(u64, u64)>,
    /// Steps that would be small ones back, by direction.
    backward_steps_up: u64,
    backward_steps_down: u64,
    /// Ticks of all steps, by direction.
    ticks_up: u64,
    ticks_down: u64,
    /// Stamps with bits above the mask.
    pub(super) junk: u64,
    /// The highest stamp, masked.
    pub(super) highest: u64,
}

impl StepStats {
    pub(super) fn count<W: Copy + Into<u64>>(
        part: &TimestampPart<'_, W>,
        modulus: ClockModulus,
    ) -> Self {
        let mut steps = Self::default();
        let half = modulus.half();
        let longest = modulus.max_step();
        let above_mask = modulus.above_mask();
        let (mut shortest, mut longest_up) = (u64::MAX, 0);
        let mut before = part.previous;
        for stamp in part.timestamps {
            let stamp: u64 = (*stamp).into();
            steps.junk += u64::from(stamp & above_mask != 0);
            steps.highest = steps.highest.max(modulus.masked(stamp));
            let up = modulus.forward(before, stamp);
            let down = modulus.reversed(up);
            steps.zero += u64::from(up == 0);
            steps.up += u64::from(up != 0 && up < half);
            steps.down += u64::from(up > half);
            // 0 wraps to the largest value, so that it is never the shortest.
            shortest = shortest.min(up.wrapping_sub(1));
            longest_up = longest_up.max(up);
            steps.backward_steps_up += u64::from(up > longest);
            steps.backward_steps_down += u64::from(down > longest);
            steps.ticks_up = steps.ticks_up.saturating_add(up);
            steps.ticks_down = steps.ticks_down.saturating_add(down);
            before = stamp;
        }
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
        }
    }

    /// The direction in which most steps are shorter; up on a tie.
    pub(super) fn direction(&self) -> ClockDirection {
        if self.down > self.up {
            ClockDirection::Down
        } else {
            ClockDirection::Up
        }
    }

    /// Small steps back of a clock of that direction.
    pub(super) fn backward_steps(&self, direction: ClockDirection) -> u64 {
        match direction {
            ClockDirection::Up => self.backward_steps_up,
            ClockDirection::Down => self.backward_steps_down,
        }
    }

    /// Ticks of all steps of a clock of that direction.
    pub(super) fn ticks(&self, direction: ClockDirection) -> u64 {
        match direction {
            ClockDirection::Up => self.ticks_up,
            ClockDirection::Down => self.ticks_down,
        }
    }

    /// The ticks of each step if all are the same, in the direction in which
    /// they are fewer. The first stamp counts as a step of 0.
    pub(super) fn constant(&self, modulus: ClockModulus) -> Option<u64> {
        match (self.zero, self.extremes) {
            (1.., None) => Some(0),
            (1, Some((shortest, longest))) if shortest == longest => {
                Some(shortest.min(modulus.reversed(shortest)))
            }
            _ => None,
        }
    }
}
