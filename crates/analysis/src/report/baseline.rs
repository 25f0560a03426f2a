//! Robust statistics: what is usual, and what stands out from it.

use super::distribution::rank;
use std::collections::HashMap;
use std::hash::Hash;

/// A value stands out if it exceeds the median by this multiple of the median absolute
/// deviation: eight standard deviations of normally distributed values.
const MAX_DEVIATIONS: u64 = 12;
/// A value stands out if it exceeds the median by this multiple of what the 90th percentile
/// exceeds it by: the deviation alone underestimates values with a long tail.
const MAX_UPPER_SPREADS: u64 = 4;

/// The usual value of a quantity, and how much it varies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Baseline {
    /// The median.
    pub(super) median: u64,
    /// What a value may exceed the median by.
    tolerance: u64,
    /// The 90th percentile.
    pub(super) high: u64,
    /// From the 10th to the 90th percentile.
    pub(super) spread: u64,
}

impl Baseline {
    /// The baseline of `count` values: those of `values`, which are not kept, and zeros.
    pub(super) fn of(values: &mut [u64], count: usize) -> Self {
        if values.len() < count.div_ceil(10) {
            return Self::default();
        }
        let zeros = count.saturating_sub(values.len());
        let [low, middle, high] = [10, 50, 90].map(|share| rank(zeros + values.len(), share));
        let [low, median, high] = [low, middle, high].map(|rank| select(values, (0, zeros), rank));
        for value in &mut *values {
            *value = value.abs_diff(median);
        }
        let deviation = select(values, (median, zeros), middle);
        let tolerance = deviation.saturating_mul(MAX_DEVIATIONS);
        let upper = (high - median).saturating_mul(MAX_UPPER_SPREADS);
        Self {
            median,
            tolerance: tolerance.max(upper),
            high,
            spread: high - low,
        }
    }

    /// What a value exceeds the median by, if it stands out by more than `floor`.
    pub(super) fn excess(&self, value: u64, floor: u64) -> Option<u64> {
        let excess = value.saturating_sub(self.median);
        (excess > self.tolerance.max(floor)).then_some(excess)
    }
}

/// The value of a rank among `values` and one value that occurs several times.
fn select(values: &mut [u64], (repeated, times): (u64, usize), rank: usize) -> u64 {
    let less = match repeated {
        0 => 0,
        _ => values.iter().filter(|value| **value < repeated).count(),
    };
    let rank = match rank {
        rank if rank < less => rank,
        rank if rank < less + times => return repeated,
        rank => rank - times,
    };
    match rank < values.len() {
        true => *values.select_nth_unstable(rank).1,
        false => 0,
    }
}

/// The times of causes in samples of what is usual.
#[derive(Debug, Clone)]
pub(super) struct CauseSamples<C> {
    samples: usize,
    /// With the number of each sample.
    by_cause: HashMap<C, Vec<(usize, u64)>>,
}

/// The median time of each cause.
#[derive(Debug, Clone)]
pub(super) struct UsualTimes<C> {
    medians: HashMap<C, u64>,
}

impl<C> Default for CauseSamples<C> {
    fn default() -> Self {
        Self {
            samples: 0,
            by_cause: HashMap::new(),
        }
    }
}

impl<C> Default for UsualTimes<C> {
    fn default() -> Self {
        Self {
            medians: HashMap::new(),
        }
    }
}

impl<C: Copy + Eq + Hash> CauseSamples<C> {
    /// Adds a sample. Of several times of one cause the longest counts.
    pub(super) fn add(&mut self, times: impl IntoIterator<Item = (C, u64)>) {
        self.samples += 1;
        for (cause, ticks) in times {
            let of_cause = self.by_cause.entry(cause).or_default();
            match of_cause.last_mut() {
                Some((sample, longest)) if *sample == self.samples => {
                    *longest = ticks.max(*longest);
                }
                _ => of_cause.push((self.samples, ticks)),
            }
        }
    }

    /// The median of each cause; a sample without it has 0.
    pub(super) fn usual(self) -> UsualTimes<C> {
        let median = |(cause, times): (C, Vec<(usize, u64)>)| {
            let mut times: Vec<_> = times.into_iter().map(|(_, ticks)| ticks).collect();
            (cause, Baseline::of(&mut times, self.samples).median)
        };
        UsualTimes {
            medians: self.by_cause.into_iter().map(median).collect(),
        }
    }
}

impl<C: Copy + Eq + Hash> UsualTimes<C> {
    /// What a cause's time in some samples exceeds its median by.
    pub(super) fn excess(&self, cause: C, ticks: u64, samples: u64) -> i128 {
        let usual = self.medians.get(&cause).copied().unwrap_or_default();
        i128::from(ticks) - i128::from(usual) * i128::from(samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_values_stand_out_and_do_not_move_the_baseline() {
        let mut values: Vec<u64> = (0..90).map(|number| 1000 + number % 7).collect();
        values[31] = 5000;
        let found = Baseline::of(&mut values, 90);
        assert_eq!((found.median, found.spread), (1003, 6));
        assert_eq!(found.excess(5000, 30), Some(3997));
        // 24 is the tolerance: twelve deviations.
        assert_eq!(found.excess(1003 + 24, 0), None);
        assert_eq!(found.excess(1003 + 25, 0), Some(25));
        assert_eq!(found.excess(1003 + 25, 30), None);
        assert_eq!(found.excess(10, 0), None);
    }

    #[test]
    fn missing_values_are_zeros() {
        assert_eq!(Baseline::of(&mut [900, 900], 90), Baseline::default());
        assert_eq!(Baseline::of(&mut [900, 900], 90).excess(900, 0), Some(900));
        assert_eq!(Baseline::of(&mut [9; 60], 90).median, 9);
        assert_eq!(Baseline::of(&mut [], 0), Baseline::default());
        // A fifth of the samples has it: that is not rare.
        assert_eq!(Baseline::of(&mut [9; 20], 100).excess(9, 0), None);
    }

    #[test]
    fn the_usual_time_of_a_cause_is_its_median() {
        let mut samples = CauseSamples::default();
        for ticks in [10, 12, 400] {
            samples.add([('a', 3), ('a', ticks)]);
        }
        samples.add([('b', 7)]);
        let usual = samples.usual();
        assert_eq!(usual.excess('a', 50, 1), 40);
        assert_eq!(usual.excess('a', 50, 2), 30);
        assert_eq!(usual.excess('b', 5, 1), 5);
    }
}
