//! Distributions of durations.

mod histogram;
mod tick_list;

pub use histogram::HistogramBin;
pub(crate) use histogram::bin_ranges;

use super::rounding::three_decimals;
use rtoscope_trace::{Clock, ContextId, EventIndex, Ticks};
use schemars::JsonSchema;
use serde::Serialize;
use tick_list::TickList;

/// Collected durations.
#[derive(Debug, Clone, Default)]
pub struct Samples {
    ticks: TickList,
    max: Option<(u64, EventIndex, Option<LongestInterval>)>,
}

impl Samples {
    /// Adds a duration; `event` is its event if it is the maximum.
    pub fn add(&mut self, duration: Ticks, event: EventIndex) {
        self.push(duration, event, None);
    }

    /// Adds the duration of an interval; of a context, if it belongs to one.
    pub fn add_interval(
        &mut self,
        [start, end]: [Ticks; 2],
        event: EventIndex,
        context: Option<ContextId>,
    ) {
        let interval = LongestInterval {
            start: start.0,
            end: end.0,
            context_number: context.map(|context| context.0),
        };
        let duration = Ticks(end.0.saturating_sub(start.0));
        self.push(duration, event, Some(interval));
    }

    fn push(&mut self, duration: Ticks, event: EventIndex, interval: Option<LongestInterval>) {
        self.ticks.push(duration.0);
        if self.max.is_none_or(|(longest, ..)| longest < duration.0) {
            self.max = Some((duration.0, event, interval));
        }
    }

    /// Adds the durations of `later`, after these.
    pub(super) fn append(&mut self, mut later: Self) {
        match self.is_empty() {
            true => *self = later,
            false => {
                self.ticks.append(&mut later.ticks);
                let longest = |it: &Self| it.max.map(|(longest, ..)| longest);
                if longest(self) < longest(&later) {
                    self.max = later.max;
                }
            }
        }
    }

    /// Number of durations.
    pub fn len(&self) -> usize {
        self.ticks.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The smallest duration that `share` percent of all do not exceed.
    pub(super) fn percentile(&mut self, share: u8) -> Option<Ticks> {
        let rank = rank(self.ticks.len(), share.into());
        self.ticks.select(0, rank).map(Ticks)
    }

    /// The shortest and the longest, in ticks.
    pub(super) fn range(&self) -> Option<[u64; 2]> {
        Some([self.ticks.iter().min()?, self.max?.0])
    }

    /// The standard deviation, in ticks.
    pub(super) fn standard_deviation(&self) -> Option<f64> {
        standard_deviation(self.ticks.iter())
    }

    /// Computes the distribution; `None` if there are no durations or the clock
    /// does not measure time.
    pub fn distribution(mut self, clock: &Clock) -> Option<Distribution> {
        self.summary(clock)
    }

    /// The same, of durations to which others may be added.
    pub(super) fn summary(&mut self, clock: &Clock) -> Option<Distribution> {
        let (max, event, longest) = self.max.filter(|_| clock.measures_time())?;
        let count = self.ticks.len();
        let sum: u128 = self.ticks.iter().map(u128::from).sum();
        // The smallest duration that `share` percent of all do not exceed.
        // Selecting the median first partitions the samples, so that the higher
        // ranks are found faster.
        let mut sorted = 0;
        let mut percentile = |share: u128| {
            let rank = rank(count, share);
            let found = self.ticks.select(sorted, rank);
            sorted = rank;
            found
        };
        let (p50, p90, p99) = (percentile(50)?, percentile(90)?, percentile(99)?);
        let [min, _] = self.range()?;
        let histogram = histogram::histogram(self.ticks.iter(), [min, p90, max]);
        let mean = sum as f64 / count as f64;
        // A duration does not depend on the origin.
        let scale = clock.timescale(Ticks(0));
        let time = |ticks| scale.duration(Ticks(ticks)).map(|time| time.0);
        Some(Distribution {
            count: count as u64,
            min,
            mean: three_decimals(mean),
            p50,
            p90,
            p99,
            max,
            max_ns: time(max),
            mean_ns: time(mean.round() as u64),
            event: event.0,
            longest,
            histogram,
            counts: histogram::count_rounded(self.ticks.iter(), [min, max]),
        })
    }
}

/// The index of the smallest duration that `share` percent of `count` sorted
/// ones do not exceed.
pub(super) fn rank(count: usize, share: u128) -> usize {
    let rank = (count as u128 * share).div_ceil(100).saturating_sub(1);
    let last = count.saturating_sub(1);
    usize::try_from(rank).unwrap_or_default().min(last)
}

/// The standard deviation of durations, in ticks; `None` if there are none.
fn standard_deviation(ticks: impl Iterator<Item = u64> + Clone) -> Option<f64> {
    let min = ticks.clone().min()?;
    // Differences from the minimum lose no precision, however long the durations are.
    let differences = ticks.map(|ticks| (ticks - min) as f64);
    let count = differences.clone().count() as f64;
    let mean = differences.clone().sum::<f64>() / count;
    let squares = differences.map(|it| (it - mean).powi(2));
    Some(three_decimals((squares.sum::<f64>() / count).sqrt()))
}

/// The histogram of the durations, as in their [`Distribution`].
pub fn bins(mut ticks: Vec<u64>) -> Vec<HistogramBin> {
    let (Some(min), Some(max)) = (ticks.iter().min().copied(), ticks.iter().max().copied()) else {
        return Vec::new();
    };
    let p90 = rank(ticks.len(), 90);
    let p90 = *ticks.select_nth_unstable(p90).1;
    histogram::histogram(ticks.into_iter(), [min, p90, max])
}

/// A distribution of durations, in ticks.
///
/// A percentile is a duration that occurred: the smallest that this share of
/// all durations does not exceed.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Distribution {
    /// Number of durations.
    pub count: u64,
    /// The minimum.
    pub min: u64,
    /// The mean.
    pub mean: f64,
    /// The median.
    pub p50: u64,
    /// The 90th percentile.
    pub p90: u64,
    /// The 99th percentile.
    pub p99: u64,
    /// The maximum.
    pub max: u64,
    /// The maximum in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_ns: Option<u64>,
    /// The mean in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_ns: Option<u64>,
    /// The event at which the maximum ended.
    pub event: u32,
    /// The interval of the maximum, for pages that show it.
    #[serde(skip)]
    pub longest: Option<LongestInterval>,
    /// Number of durations in each part of the range, the shortest first.
    pub histogram: Vec<HistogramBin>,
    /// Durations, all but the minimum and the maximum rounded down by less than 0.2 %, and the
    /// number of each, the shortest first: to compare recordings.
    #[serde(skip)]
    pub counts: Vec<(u64, u64)>,
}

/// The interval of the maximum of a distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LongestInterval {
    /// Its start.
    pub start: u64,
    /// Its end.
    pub end: u64,
    /// The number of the context to which it belongs.
    pub context_number: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::clock;

    #[test]
    fn percentiles_are_durations_that_occurred() {
        let clock = clock();
        let mut samples = Samples::default();
        for ticks in (1..=200).rev() {
            samples.add(Ticks(ticks), EventIndex(ticks as u32));
        }
        let found = samples.distribution(&clock).unwrap();
        let percentiles = (found.p50, found.p90, found.p99);
        assert_eq!(percentiles, (100, 180, 198));
        assert_eq!((found.min, found.max, found.event), (1, 200, 200));
        assert_eq!(found.mean, 100.5);
        let counted: u64 = found.histogram.iter().map(|bin| bin.count).sum();
        assert_eq!(counted, 200);
        assert_eq!(found.histogram, bins((1..=200).collect()));
        assert_eq!(bins(Vec::new()), []);
        assert_eq!(Samples::default().distribution(&clock), None);
        assert_eq!(found.longest, None);
    }

    #[test]
    fn the_longest_interval_is_known() {
        let mut samples = Samples::default();
        for (start, end) in [(3, 5), (10, 19), (30, 39)] {
            let interval = [Ticks(start), Ticks(end)];
            samples.add_interval(interval, EventIndex(end as u32), Some(ContextId(7)));
        }
        let found = samples.distribution(&clock()).unwrap();
        assert_eq!((found.max, found.event), (9, 19));
        let longest = found.longest.unwrap();
        assert_eq!((longest.start, longest.end), (10, 19));
        assert_eq!(longest.context_number, Some(7));
    }
}
