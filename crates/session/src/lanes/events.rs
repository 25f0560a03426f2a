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

    /// The density of events between each two adjacent edges, as [`density_code`].
    pub(crate) fn densities_per_pixel(self, edges: &[u32]) -> Vec<u8> {
        let between = |pair: &[u32]| match pair {
            [from, to] => to.saturating_sub(*from),
            _ => 0,
        };
        if let Self::All = self {
            return edges
                .windows(2)
                .map(|pair| density_code(between(pair)))
                .collect();
        }
        let mut counts = vec![0_u32; edges.len().saturating_sub(1)];
        for part in self.lists().into_iter().filter(|part| !part.is_empty()) {
            let mut at = part.partition_point(|number| Some(number) < edges.first());
            let mut inside = 0;
            for (pair, count) in edges.windows(2).zip(&mut counts) {
                let edge = pair.last();
                let end = partition_point_near(at..part.len(), at + inside, |place| {
                    part.get(place) < edge
                });
                inside = end - at;
                *count = count.saturating_add(inside as u32);
                at = end;
            }
        }
        counts.into_iter().map(density_code).collect()
    }

    /// 1 for each pixel between two adjacent edges that contains one of `hits`, which
    /// are in ascending order.
    pub(crate) fn pixels_with(self, hits: &[u32], edges: &[u32]) -> Vec<u8> {
        let mut within = vec![0_u8; edges.len().saturating_sub(1)];
        let mut rest = hits.get(hits.partition_point(|hit| Some(hit) < edges.first())..);
        let lists = self.lists();
        for (pixel, edge) in within.iter_mut().zip(edges.get(1..).unwrap_or_default()) {
            let all = rest.unwrap_or_default();
            let end = all.partition_point(|hit| hit < edge);
            let (here, next) = all.split_at(end);
            rest = Some(next);
            let (Some(first), Some(last)) = (here.first(), here.last()) else {
                continue;
            };
            let inside = |list: &&[u32]| intersects(here, slice(list, &(*first..last + 1)));
            let has_hit = matches!(self, Self::All) || lists.iter().any(inside);
            *pixel = u8::from(has_hit);
        }
        within
    }
}

/// Whether two ascending lists have a number in common.
fn intersects(one: &[u32], other: &[u32]) -> bool {
    let (few, many) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    few.iter().any(|number| many.binary_search(number).is_ok())
}

/// Steps of a [`density_code`] for each doubling.
const STEPS_PER_DOUBLING: f64 = 7.9;

/// A number of events on a logarithmic scale: 0 for none, otherwise
/// `1 + round(7.9 × log2(count))`. The largest `u32` fits, so no count saturates.
pub(crate) fn density_code(count: u32) -> u8 {
    if count == 0 {
        return 0;
    }
    1 + (f64::from(count).log2() * STEPS_PER_DOUBLING).round() as u8
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

    #[test]
    fn densities_never_saturate() {
        let codes: Vec<u8> = (0..32).map(|power| density_code(1 << power)).collect();
        assert!(codes.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!((density_code(0), density_code(1)), (0, 1));
        assert_eq!(density_code(u32::MAX), 254);
    }

    proptest! {
        #[test]
        fn pixel_counts_match_a_linear_count(
            mut numbers in prop::collection::btree_set(0..2000_u32, 0..400),
            mut edges in prop::collection::vec(0..2100_u32, 2..60),
            split in 0..2000_u32,
            hits in prop::collection::btree_set(0..2100_u32, 0..100),
        ) {
            edges.sort_unstable();
            let all: Vec<u32> = numbers.iter().copied().collect();
            let other: Vec<u32> = numbers.split_off(&split).into_iter().collect();
            let one: Vec<u32> = numbers.into_iter().collect();
            let expected: Vec<u32> = edges
                .windows(2)
                .map(|pair| {
                    let inside = all.iter().filter(|number| (pair[0]..pair[1]).contains(number));
                    inside.count() as u32
                })
                .collect();
            let densities: Vec<u8> = expected.iter().map(|count| density_code(*count)).collect();
            prop_assert_eq!(&EventNumbers::List(&all).densities_per_pixel(&edges), &densities);
            prop_assert_eq!(&EventNumbers::Merged(&one, &other).densities_per_pixel(&edges), &densities);
            let hits: Vec<u32> = hits.into_iter().collect();
            let found: Vec<u8> = edges
                .windows(2)
                .map(|pair| {
                    let inside = |hit: &u32| (pair[0]..pair[1]).contains(hit) && all.contains(hit);
                    u8::from(hits.iter().any(inside))
                })
                .collect();
            prop_assert_eq!(EventNumbers::List(&all).pixels_with(&hits, &edges), found.clone());
            prop_assert_eq!(EventNumbers::Merged(&one, &other).pixels_with(&hits, &edges), found);
            let within = edges[0]..edges[edges.len() - 1];
            let sum = EventNumbers::Merged(&other, &one).count(&within);
            prop_assert_eq!(sum, EventNumbers::List(&all).in_range(&within).len());
            prop_assert_eq!(sum, expected.iter().sum::<u32>() as usize);
        }
    }
}
