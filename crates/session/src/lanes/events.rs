//! Events of a lane in a window.

use super::galloping_search::partition_point_near;
use crate::axis::Pixels;
use crate::query::Axis;
use rtoscope_trace::{EventIndex, Events};
use std::ops::Range;

/// The events of a lane, by number, in ascending order.
#[derive(Clone, Copy)]
pub(crate) enum EventNumbers<'a> {
    /// All events.
    All,
    /// A list.
    List(&'a [u32]),
    /// Two lists, each in ascending order.
    Merged(&'a [u32], &'a [u32]),
}

/// For each pixel edge, the number of events before it. Computed once for all lanes;
/// has one entry more than there are pixels.
pub(crate) fn pixel_edges(events: &Events, pixels: &Pixels) -> Vec<u32> {
    let count = u32::try_from(events.len()).unwrap_or(u32::MAX);
    let edges = pixels.edges();
    match pixels.axis {
        // An event is in the middle of its unit interval.
        Axis::Index => edges
            .map(|at| ((at - 0.5).ceil().max(0.0) as u32).min(count))
            .collect(),
        Axis::Time => {
            let (mut first, mut count) = (0, 0);
            edges
                .map(|at| {
                    // Adjacent pixels often contain about as many events.
                    let begins = first;
                    first = partition_point_near(begins..events.len(), begins + count, |place| {
                        let index = EventIndex(u32::try_from(place).unwrap_or(u32::MAX));
                        let time = events.time(index).map_or(u64::MAX, |time| time.0) as f64;
                        // Events at the end of the window belong to its last pixel;
                        // otherwise the last event of a trace would never be visible.
                        time < at || time == at && at >= pixels.end
                    });
                    count = first - begins;
                    u32::try_from(first).unwrap_or(u32::MAX)
                })
                .collect()
        }
    }
}

impl<'a> EventNumbers<'a> {
    fn lists(self) -> [&'a [u32]; 2] {
        match self {
            Self::All => [&[], &[]],
            Self::List(numbers) => [numbers, &[]],
            Self::Merged(one, other) => [one, other],
        }
    }

    /// The number of events in a range of event numbers.
    pub(crate) fn count(self, within: &Range<u32>) -> usize {
        match self {
            Self::All => within.len(),
            _ => self
                .lists()
                .iter()
                .map(|part| slice(part, within).len())
                .sum(),
        }
    }

    /// The events in a range of event numbers.
    pub(crate) fn in_range(self, within: &Range<u32>) -> Vec<u32> {
        if let Self::All = self {
            return within.clone().collect();
        }
        let mut numbers = Vec::new();
        for part in self.lists() {
            numbers.extend_from_slice(slice(part, within));
        }
        numbers.sort_unstable();
        numbers
    }

    /// The number of events between each two adjacent edges, saturating at 255.
    pub(crate) fn counts_per_pixel(self, edges: &[u32]) -> Vec<u8> {
        let between = |pair: &[u32]| match pair {
            [from, to] => to.saturating_sub(*from),
            _ => 0,
        };
        let few = |count: u32| u8::try_from(count).unwrap_or(u8::MAX);
        if let Self::All = self {
            return edges.windows(2).map(|pair| few(between(pair))).collect();
        }
        let mut counts = vec![0_u8; edges.len().saturating_sub(1)];
        for part in self.lists().into_iter().filter(|part| !part.is_empty()) {
            let mut at = part.partition_point(|number| Some(number) < edges.first());
            let mut inside = 0;
            for (pair, count) in edges.windows(2).zip(&mut counts) {
                let edge = pair.last();
                let end = partition_point_near(at..part.len(), at + inside, |place| {
                    part.get(place) < edge
                });
                inside = end - at;
                *count = count.saturating_add(few((end - at) as u32));
                at = end;
            }
        }
        counts
    }
}

fn slice<'a>(numbers: &'a [u32], within: &Range<u32>) -> &'a [u32] {
    let start = numbers.partition_point(|number| *number < within.start);
    let rest = numbers.get(start..).unwrap_or_default();
    let end = rest.partition_point(|number| *number < within.end);
    rest.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pixel_counts_match_a_linear_count(
            mut numbers in prop::collection::btree_set(0..2000_u32, 0..400),
            mut edges in prop::collection::vec(0..2100_u32, 2..60),
            split in 0..2000_u32,
        ) {
            edges.sort_unstable();
            let all: Vec<u32> = numbers.iter().copied().collect();
            let other: Vec<u32> = numbers.split_off(&split).into_iter().collect();
            let one: Vec<u32> = numbers.into_iter().collect();
            let expected: Vec<u8> = edges
                .windows(2)
                .map(|pair| {
                    let inside = all.iter().filter(|number| (pair[0]..pair[1]).contains(number));
                    inside.count().min(255) as u8
                })
                .collect();
            prop_assert_eq!(EventNumbers::List(&all).counts_per_pixel(&edges), expected.clone());
            prop_assert_eq!(EventNumbers::Merged(&one, &other).counts_per_pixel(&edges), expected.clone());
            let within = edges[0]..edges[edges.len() - 1];
            let sum = EventNumbers::Merged(&other, &one).count(&within);
            prop_assert_eq!(sum, EventNumbers::List(&all).in_range(&within).len());
            if !expected.contains(&255) {
                prop_assert_eq!(sum, expected.iter().map(|count| usize::from(*count)).sum::<usize>());
            }
        }
    }
}
