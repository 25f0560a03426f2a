//! Open slices.

use crate::perfetto::track_writer::TrackId;
use rtoscope_trace::EventIndex;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// The maximum nesting depth on a track. The engine silently drops slices nested
/// deeper than 512, and an event or a wait adds levels.
const MAX_DEPTH: usize = 500;

/// The open slices. The format ends the innermost slice of a track, so only the
/// order of the ends on each track matters.
#[derive(Default)]
pub(super) struct SliceStacks {
    /// The open slices of each track; the last one ends first.
    tracks: HashMap<TrackId, Vec<OpenSlice>>,
    /// The tracks to check at each event.
    due: BinaryHeap<Reverse<(EventIndex, TrackId)>>,
}

/// A slice that ends after an event.
struct OpenSlice {
    last: EventIndex,
    end: u64,
}

impl SliceStacks {
    /// Starts a slice, unless it would nest too deep.
    pub(super) fn begin(&mut self, track: TrackId, last: EventIndex, end: u64) -> bool {
        let open = self.tracks.entry(track).or_default();
        if open.len() >= MAX_DEPTH {
            return false;
        }
        let outer = open.iter().rposition(|outer| outer.last >= last);
        open.insert(outer.map_or(0, |at| at + 1), OpenSlice { last, end });
        self.due.push(Reverse((last, track)));
        true
    }

    /// Ends a slice whose last event this is; returns its track and end.
    #[inline]
    pub(super) fn end(&mut self, event: EventIndex) -> Option<(TrackId, u64)> {
        while let Some(Reverse((last, track))) = self.due.peek().copied()
            && last <= event
        {
            if let Some(end) = self.end_on(track, event) {
                return Some((track, end));
            }
            self.due.pop();
        }
        None
    }

    /// Ends a slice on this track in the same way.
    pub(super) fn end_on(&mut self, track: TrackId, event: EventIndex) -> Option<u64> {
        let open = self.tracks.get_mut(&track)?;
        let over = open.pop_if(|innermost| innermost.last <= event)?;
        Some(over.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACK: TrackId = TrackId(1);

    fn ends(nesting: &mut SliceStacks, event: u32) -> Vec<(TrackId, u64)> {
        std::iter::from_fn(|| nesting.end(EventIndex(event))).collect()
    }

    #[test]
    fn slices_end_after_their_last_event() {
        let mut nesting = SliceStacks::default();
        for (track, last, end) in [(1, 9, 90), (2, 5, 50), (1, 5, 51), (1, 3, 30)] {
            assert!(nesting.begin(TrackId(track), EventIndex(last), end));
        }
        assert_eq!(ends(&mut nesting, 2), []);
        assert_eq!(ends(&mut nesting, 3), [(TRACK, 30)]);
        assert_eq!(nesting.end_on(TRACK, EventIndex(5)), Some(51));
        assert_eq!(nesting.end_on(TRACK, EventIndex(5)), None);
        assert_eq!(ends(&mut nesting, 5), [(TrackId(2), 50)]);
        assert_eq!(ends(&mut nesting, u32::MAX), [(TRACK, 90)]);
    }

    #[test]
    fn an_inner_slice_may_outlive_the_outer() {
        let mut nesting = SliceStacks::default();
        nesting.begin(TRACK, EventIndex(3), 30);
        nesting.begin(TRACK, EventIndex(5), 50);
        assert_eq!(ends(&mut nesting, 4), [(TRACK, 30)]);
        assert_eq!(ends(&mut nesting, 5), [(TRACK, 50)]);
    }

    #[test]
    fn depth_is_limited() {
        let mut nesting = SliceStacks::default();
        let last = EventIndex(9);
        let started = (0..10_000).filter(|_| nesting.begin(TRACK, last, 0));
        assert_eq!(started.count(), MAX_DEPTH);
        assert!(nesting.begin(TrackId(2), last, 0));
        assert_eq!(ends(&mut nesting, 9).len(), MAX_DEPTH + 1);
        assert!(nesting.begin(TRACK, last, 0));
    }
}
