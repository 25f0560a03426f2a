//! The durations of two groups of recordings in the same bins.

use super::figures::FigureUnit;
use crate::report::{Distribution, View, bin_ranges};
use rtoscope_trace::Ticks;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Durations, each rounded down by less than 0.2 %.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Durations {
    /// Whether they are in nanoseconds; otherwise in ticks of a clock of unknown frequency.
    pub is_time: bool,
    /// The durations, the shortest first, and the number of each.
    pub counts: Vec<(u64, u64)>,
}

/// The durations of two groups of recordings, in the same bins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OverlaidHistogram {
    /// Nanoseconds, or ticks.
    pub unit: FigureUnit,
    /// Whether the width of the bins grows.
    pub is_logarithmic: bool,
    /// The bins, the shortest durations first.
    pub bins: Vec<OverlaidBin>,
    /// The number of durations of the baseline.
    pub before: u64,
    /// The number of durations of the recordings.
    pub after: u64,
}

/// Durations in a part of the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OverlaidBin {
    /// The smallest duration that belongs to it.
    pub min: u64,
    /// The largest duration that belongs to it.
    pub max: u64,
    /// How many there are of the baseline.
    pub before: u64,
    /// How many there are of the recordings.
    pub after: u64,
}

impl Durations {
    /// The durations of a distribution.
    pub(super) fn new(view: &View<'_>, found: &Distribution) -> Self {
        let scale = view.trace.timescale();
        let is_time = scale.frequency().is_some();
        let counts = found.counts.iter().map(|(ticks, count)| {
            let time = scale.duration(Ticks(*ticks)).map(|time| time.0);
            (time.filter(|_| is_time).unwrap_or(*ticks), *count)
        });
        Self {
            is_time,
            counts: counts.collect(),
        }
    }

    pub(super) const fn memory_bytes(&self) -> usize {
        size_of_val(self.counts.as_slice())
    }

    /// Adds those of another recording, unless only one of the two has a known clock.
    pub fn add(&mut self, other: &Self) {
        if self.counts.is_empty() {
            self.clone_from(other);
        } else if self.is_time == other.is_time {
            let mut sums: BTreeMap<u64, u64> = self.counts.iter().copied().collect();
            for (duration, count) in &other.counts {
                let sum = sums.entry(*duration).or_default();
                *sum = sum.saturating_add(*count);
            }
            self.counts = sums.into_iter().collect();
        }
    }
}

impl OverlaidHistogram {
    /// Divides the durations of a baseline and of recordings into the same bins; `None` if one
    /// side has none, or only one has a known clock.
    pub fn new(before: &Durations, after: &Durations) -> Option<Self> {
        if before.is_time != after.is_time || before.counts.is_empty() || after.counts.is_empty() {
            return None;
        }
        let mut all = before.clone();
        all.add(after);
        let ranges: Vec<_> = bin_ranges(range(&all.counts)?).collect();
        let is_logarithmic = match (ranges.first(), ranges.iter().rev().nth(1)) {
            (Some(first), Some(late)) => late[1] - late[0] > 2 * (first[1] - first[0] + 1),
            _ => false,
        };
        let count = |counts: &[(u64, u64)], [min, max]: [u64; 2]| {
            let from = counts.partition_point(|(duration, _)| *duration < min);
            let to = counts.partition_point(|(duration, _)| *duration <= max);
            total(counts.get(from..to).unwrap_or_default())
        };
        let bins = ranges.into_iter().map(|range| OverlaidBin {
            min: range[0],
            max: range[1],
            before: count(&before.counts, range),
            after: count(&after.counts, range),
        });
        Some(Self {
            unit: match before.is_time {
                true => FigureUnit::Nanoseconds,
                false => FigureUnit::Ticks,
            },
            is_logarithmic,
            bins: bins.collect(),
            before: total(&before.counts),
            after: total(&after.counts),
        })
    }
}

fn total(counts: &[(u64, u64)]) -> u64 {
    let counts = counts.iter().map(|(_, count)| count);
    counts.fold(0, |sum, count| sum.saturating_add(*count))
}

/// The minimum, the 90th percentile and the maximum.
fn range(counts: &[(u64, u64)]) -> Option<[u64; 3]> {
    let rank = total(counts).div_ceil(10).saturating_mul(9);
    let mut sum = 0_u64;
    let p90 = counts.iter().find(|(_, count)| {
        sum = count.saturating_add(sum);
        sum >= rank
    });
    let (min, max) = (counts.first()?.0, counts.last()?.0);
    Some([min, p90.map_or(max, |(duration, _)| *duration), max])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn durations(counts: &[(u64, u64)]) -> Durations {
        Durations {
            is_time: true,
            counts: counts.to_vec(),
        }
    }

    #[test]
    fn both_sides_have_the_same_bins() {
        let before = durations(&[(100, 3), (110, 1)]);
        let after = durations(&[(110, 5), (240, 2)]);
        let found = OverlaidHistogram::new(&before, &after).unwrap();
        assert_eq!((found.before, found.after), (4, 7));
        let sums = found.bins.iter().fold((0, 0), |(before, after), bin| {
            (before + bin.before, after + bin.after)
        });
        assert_eq!(sums, (4, 7));
        let of = |duration| {
            let mut bins = found.bins.iter();
            let bin = bins.find(|bin| (bin.min..=bin.max).contains(&duration));
            bin.map(|bin| (bin.before, bin.after))
        };
        assert_eq!(
            [of(100), of(110), of(240)],
            [Some((3, 0)), Some((1, 5)), Some((0, 2))]
        );
        assert!(!found.is_logarithmic);
    }

    #[test]
    fn a_long_tail_of_one_side_makes_the_bins_grow() {
        let long = durations(&[(10, 99), (1_000_000, 1)]);
        let found = OverlaidHistogram::new(&durations(&[(10, 99)]), &long).unwrap();
        assert!(found.is_logarithmic);
    }

    #[test]
    fn times_and_ticks_have_no_bins_in_common() {
        let ticks = Durations {
            is_time: false,
            ..durations(&[(1, 1)])
        };
        assert_eq!(OverlaidHistogram::new(&durations(&[(1, 1)]), &ticks), None);
        assert_eq!(
            OverlaidHistogram::new(&durations(&[]), &durations(&[(1, 1)])),
            None
        );
    }
}
