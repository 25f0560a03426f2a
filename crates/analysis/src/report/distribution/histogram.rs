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
pub(super) fn histogram(ticks: &[u64], [min, p90, max]: [u64; 3]) -> Vec<HistogramBin> {
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
    let ends = starts.iter().skip(1).map(|next| next - 1).chain([max]);
    let bins = starts.iter().zip(ends);
    let mut bins: Vec<_> = bins
        .map(|(from, to)| HistogramBin {
            min: *from,
            max: to,
            count: 0,
        })
        .collect();
    for duration in ticks {
        let after = starts.partition_point(|start| start <= duration);
        if let Some(bin) = after.checked_sub(1).and_then(|bin| bins.get_mut(bin)) {
            bin.count += 1;
        }
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_durations_are_one_bin() {
        let bins = histogram(&[7, 7, 7], [7, 7, 7]);
        let expected = HistogramBin {
            min: 7,
            max: 7,
            count: 3,
        };
        assert_eq!(bins, [expected]);
    }

    #[test]
    fn a_long_tail_has_bins_that_grow() {
        let mut ticks = vec![10; 99];
        ticks.push(1_000_000);
        let bins = histogram(&ticks, [10, 10, 1_000_000]);
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
            let bins = histogram(&ticks, [min, p90, max]);
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
