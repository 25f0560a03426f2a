//! Durations in ticks of the time source.

use fastrand::Rng;

/// Durations that suit a time source: those of a small target if its period is
/// long enough, else shorter ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timing {
    /// Timer period.
    pub(crate) tick: u64,
    /// One more than the number of timer interrupts that an idle core may skip.
    pub(crate) max_skip: u64,
    /// Maximum time between two events of a core, excluding the call after the
    /// first.
    pub(crate) max_gap: u64,
    min_call: u64,
    call_spread: u32,
    min_work: u64,
    work_spread: u64,
}

/// The timer period if the time source allows it (1 ms at 10 MHz).
const DEFAULT_TICK: u64 = 10_000;
/// Maximum number of timer interrupts that an idle core skips.
const MAX_SKIPPED: u64 = 500;
/// Length of a long computation relative to a usual one.
const LONG_WORK_FACTOR: u64 = 20;

impl Timing {
    /// Durations for a time source with a mask. No gap between two events of a
    /// core is longer than a quarter of its period: the timer interrupt ends
    /// every gap, and occurs three times per quarter.
    pub(crate) fn new(mask: u64) -> Self {
        let quarter = mask / 4 + 1;
        let tick = DEFAULT_TICK.min(quarter / 4 * 3);
        let least_call = (tick / 500).max(1);
        let most_call = (tick / 80).max(2);
        let least_work = (tick / 200).max(1);
        Self {
            tick,
            max_skip: ((quarter - most_call) / tick).clamp(1, MAX_SKIPPED),
            max_gap: quarter - most_call,
            min_call: least_call,
            call_spread: (most_call - least_call) as u32 + 1,
            min_work: least_work,
            work_spread: (tick / 8).max(5) - least_work,
        }
    }

    /// Time from one event within a call to the next.
    #[inline]
    pub(crate) fn call(&self, random: &mut Rng) -> u64 {
        self.min_call + u64::from(random.u32(0..self.call_spread))
    }

    /// Computation of a thread between two calls: mostly short.
    #[inline]
    pub(crate) fn work(&self, random: &mut Rng) -> u64 {
        // The product of two uniform fractions has a mean of a quarter.
        let bits = random.u64(..);
        let product = ((bits >> 32) * (bits & 0xFFFF_FFFF)) >> 32;
        self.min_work + ((self.work_spread * product) >> 32)
    }

    /// A computation of about a time slice.
    pub(crate) fn long_work(&self, random: &mut Rng) -> u64 {
        LONG_WORK_FACTOR * self.work(random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_stay_below_a_quarter_of_every_period() {
        for bits in 8..=64 {
            let mask = u64::MAX >> (64 - bits);
            let timing = Timing::new(mask);
            let longest_call = timing.min_call + u64::from(timing.call_spread) - 1;
            let longest_gap = timing.tick * timing.max_skip + longest_call;
            assert!(longest_gap <= mask / 4 + 1, "{bits} bits");
            assert!(timing.tick >= 48, "{bits} bits");
        }
    }
}
