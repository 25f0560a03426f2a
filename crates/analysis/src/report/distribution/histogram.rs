//! Histograms of durations.

use schemars::JsonSchema;
use serde::Serialize;

/// Durations in a part of the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HistogramBin {
    /// The smallest duration that belongs to it, in ticks.
    pub min: u64,
    /// The largest duration that belongs to it, in ticks.
    pub max: u64,
    /// Number of durations.
    pub count: u64,
}

/// Maximum number of bins.
const MAX_BINS: u64 = 24;
/// A tail is long if the maximum is this many times the 90th percentile.
const LONG_TAIL_FACTOR: u64 = 16;

/// Counts durations by bins: of equal width or, if a few durations are far
/// longer than the others, of growing width.
pub(super) fn histogram(ticks: impl Iterator<Item = u64>, range: [u64; 3]) -> Vec<HistogramBin> {
    let mut bins: Vec<_> = bin_ranges(range)
        .map(|[min, max]| HistogramBin { min, max, count: 0 })
        .collect();
    for duration in ticks {
        let after = bins.partition_point(|bin| bin.min <= duration);
        if let Some(bin) = after.checked_sub(1).and_then(|bin| bins.get_mut(bin)) {
            bin.count += 1;
        }
    }
    bins
}

/// The least and the largest duration of each bin, for durations with this minimum, 90th
/// percentile and maximum.
pub(crate) fn bin_ranges([min, p90, max]: [u64; 3]) -> impl Iterator<Item = [u64; 2]> {
    let span = max - min;
    let is_long = span / LONG_TAIL_FACTOR > (p90 - min).max(1);
    let mut starts: Vec<u64> = if is_long {
        let whole = (span as f64).ln_1p();
        let offset = |bin: u64| (whole * bin as f64 / MAX_BINS as f64).exp_m1();
        (0..MAX_BINS)
            .map(|bin| min.saturating_add(offset(bin).round() as u64))
            .collect()
    } else {
        let width = span / MAX_BINS + 1;
        (0..=span / width).map(|bin| min + bin * width).collect()
    };
    starts.dedup();
    let ends: Vec<_> = starts.iter().skip(1).map(|next| next - 1).collect();
    let ends = ends.into_iter().chain([max]);
    starts.into_iter().zip(ends).map(|(from, to)| [from, to])
}

/// Durations with this many significant bits are counted apart.
const SIGNIFICANT_BITS: u32 = 10;

/// Counts durations, each rounded down to 10 significant bits, which is less than 0.2 %, except
/// for the minimum and the maximum: the counts of several recordings can be divided into any bins
/// that they have in common.
pub(super) fn count_rounded(
    ticks: impl Iterator<Item = u64>,
    [min, max]: [u64; 2],
) -> Vec<(u64, u64)> {
    let first = place(min);
    let mut counts = vec![0_u64; place(max) - first + 1];
    for duration in ticks {
        if let Some(count) = counts.get_mut(place(duration) - first) {
            *count += 1;
        }
    }
    let counted = counts.into_iter().zip(first..);
    let counted = counted.filter(|(count, _)| *count > 0);
    let mut counted: Vec<_> = counted
        .map(|(count, place)| (rounded(place), count))
        .collect();
    for (end, exact) in [(0, min), (counted.len().saturating_sub(1), max)] {
        if let Some((duration, _)) = counted.get_mut(end) {
            *duration = exact;
        }
    }
    counted
}

/// The number of a rounded duration among all.
fn place(duration: u64) -> usize {
    let shift = (u64::BITS - SIGNIFICANT_BITS).saturating_sub(duration.leading_zeros());
    ((shift as usize) << (SIGNIFICANT_BITS - 1)) + (duration >> shift) as usize
}

/// The rounded duration with a number.
fn rounded(place: usize) -> u64 {
    let half = 1 << (SIGNIFICANT_BITS - 1);
    let shift = (place / half).saturating_sub(1);
    ((place - shift * half) as u64) << shift
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_durations_are_one_bin() {
        let bins = histogram([7, 7, 7].into_iter(), [7, 7, 7]);
        let expected = HistogramBin {
            min: 7,
            max: 7,
            count: 3,
        };
        assert_eq!(bins, [expected]);
    }

    #[test]
    fn rounded_durations_keep_their_order_and_precision() {
        let all = [0, 1, 511, 512, 1023, 1024, 1025, 123_456_789, u64::MAX];
        for (duration, next) in all.into_iter().zip(all.into_iter().skip(1)) {
            let near = rounded(place(duration));
            assert!(
                near <= duration && duration - near <= duration / 512,
                "{duration}"
            );
            assert!(place(duration) <= place(next));
        }
        assert_eq!(
            count_rounded([1025, 3, 4099, 1024, 3].into_iter(), [3, 4099]),
            [(3, 2), (1024, 2), (4099, 1)]
        );
    }

    #[test]
    fn a_long_tail_has_bins_that_grow() {
        let mut ticks = vec![10; 99];
        ticks.push(1_000_000);
        let bins = histogram(ticks.into_iter(), [10, 10, 1_000_000]);
        let widths: Vec<_> = bins.iter().map(|bin| bin.max - bin.min).collect();
        assert!(widths.is_sorted());
        assert_eq!(bins.first().map(|bin| (bin.max, bin.count)), Some((10, 99)));
    }

    proptest! {
        #[test]
        fn every_duration_is_in_one_bin(mut ticks in prop::collection::vec(any::<u64>(), 1..80)) {
            ticks.sort_unstable();
            let p90 = ticks[(ticks.len() * 9).div_ceil(10) - 1];
            let [min, max] = [ticks[0], ticks[ticks.len() - 1]];
            let bins = histogram(ticks.iter().copied(), [min, p90, max]);
            prop_assert!(bins.len() as u64 <= MAX_BINS);
            prop_assert_eq!((bins[0].min, bins[bins.len() - 1].max), (min, max));
            for pair in bins.windows(2) {
                prop_assert_eq!(pair[0].max + 1, pair[1].min);
            }
            for bin in bins {
                let inside = ticks.iter().filter(|one| (bin.min..=bin.max).contains(one));
                prop_assert_eq!(inside.count() as u64, bin.count);
            }
        }
    }
}
