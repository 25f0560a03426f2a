//! Assigns overlapping spans to as few lanes as possible.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Assigns spans to lanes in the order of their starts, in logarithmic time.
#[derive(Debug)]
pub(super) struct LaneAssigner {
    nests: bool,
    /// By lane: the ends of the open spans, the outermost first.
    open_ends: Vec<Vec<u64>>,
    /// The ends of all open spans with their lanes, the earliest first.
    next_ends: BinaryHeap<Reverse<(u64, usize)>>,
    room: RoomTree,
}

impl LaneAssigner {
    /// Creates lanes on which no spans overlap, except that with `nests` a span may be
    /// within another.
    pub(super) fn new(nests: bool) -> Self {
        Self {
            nests,
            open_ends: Vec::new(),
            next_ends: BinaryHeap::new(),
            room: RoomTree::default(),
        }
    }

    /// The lane of the next span. A number that has not occurred is a new lane.
    pub(super) fn assign(&mut self, start: u64, end: u64) -> usize {
        while let Some(Reverse((next, lane))) = self.next_ends.peek().copied()
            && next <= start
        {
            self.next_ends.pop();
            self.end_spans(lane, start);
        }
        let needed = if self.nests { end } else { u64::MAX };
        let lane = self.room.first(needed).unwrap_or(self.open_ends.len());
        if lane == self.open_ends.len() {
            self.open_ends.push(Vec::new());
        }
        if let Some(ends) = self.open_ends.get_mut(lane) {
            ends.push(end);
        }
        self.next_ends.push(Reverse((end, lane)));
        self.update_room(lane);
        lane
    }

    /// Ends the spans of a lane that end by `time`.
    fn end_spans(&mut self, lane: usize, time: u64) {
        let Some(ends) = self.open_ends.get_mut(lane) else {
            return;
        };
        while ends.pop_if(|end| *end <= time).is_some() {}
        self.update_room(lane);
    }

    fn update_room(&mut self, lane: usize) {
        let innermost = self.open_ends.get(lane).and_then(|ends| ends.last());
        let room = match innermost {
            None => u64::MAX,
            Some(end) if self.nests => *end,
            Some(_) => 0,
        };
        self.room.set(lane, room);
    }
}

/// By lane: until when its next span may last. A tree of maxima finds the first lane with
/// enough room.
#[derive(Debug, Default)]
struct RoomTree {
    /// The node `n` has the children `2 n` and `2 n + 1`; the root is 1, and the second half
    /// are the lanes.
    maxima: Vec<u64>,
}

impl RoomTree {
    fn lanes(&self) -> usize {
        self.maxima.len() / 2
    }

    fn maximum(&self, node: usize) -> u64 {
        self.maxima.get(node).copied().unwrap_or_default()
    }

    fn first(&self, needed: u64) -> Option<usize> {
        let mut node = 1;
        if self.maxima.is_empty() || self.maximum(node) < needed {
            return None;
        }
        while node < self.lanes() {
            node *= 2;
            node += usize::from(self.maximum(node) < needed);
        }
        Some(node - self.lanes())
    }

    fn set(&mut self, lane: usize, room: u64) {
        if lane >= self.lanes() {
            self.grow(lane + 1);
        }
        let mut node = self.lanes() + lane;
        let mut maximum = room;
        while let Some(place) = self.maxima.get_mut(node) {
            *place = maximum;
            if node <= 1 {
                break;
            }
            maximum = maximum.max(self.maximum(node ^ 1));
            node /= 2;
        }
    }

    /// Makes space for more lanes. Those that do not exist have no room.
    fn grow(&mut self, lanes: usize) {
        let lanes = lanes.next_power_of_two();
        let known = self.maxima.get(self.lanes()..).unwrap_or_default();
        let mut maxima = vec![0; lanes];
        maxima.extend_from_slice(known);
        maxima.resize(2 * lanes, 0);
        self.maxima = maxima;
        for node in (1..lanes).rev() {
            let maximum = self.maximum(2 * node).max(self.maximum(2 * node + 1));
            if let Some(place) = self.maxima.get_mut(node) {
                *place = maximum;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_spans_get_lanes_of_their_own() {
        let spans = [(0, 10), (2, 5), (3, 12), (10, 11), (12, 13)];
        let lanes = |nests| {
            let mut lanes = LaneAssigner::new(nests);
            spans.map(|(start, end)| lanes.assign(start, end))
        };
        assert_eq!(lanes(true), [0, 0, 1, 0, 0]);
        assert_eq!(lanes(false), [0, 1, 2, 0, 0]);
    }

    /// The lane that a search of all lanes finds.
    fn searched(open: &mut Vec<Vec<u64>>, nests: bool, start: u64, end: u64) -> usize {
        for ends in open.iter_mut() {
            ends.retain(|end| *end > start);
        }
        let fits = |ends: &Vec<u64>| ends.last().is_none_or(|outer| nests && end <= *outer);
        let lane = open.iter().position(fits).unwrap_or(open.len());
        open.resize(open.len().max(lane + 1), Vec::new());
        open[lane].push(end);
        lane
    }

    #[test]
    fn the_first_lane_with_room_is_found() {
        let mut state = 1_u64;
        let mut random = |limit: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % limit
        };
        for nests in [true, false] {
            let mut lanes = LaneAssigner::new(nests);
            let mut open = Vec::new();
            let mut start = 0;
            for number in 0..2000 {
                start += random(4);
                // Some last until the end, and some take no time.
                let end = match random(20) {
                    0 => u64::MAX,
                    _ => start + random(60),
                };
                let expected = searched(&mut open, nests, start, end);
                assert_eq!(lanes.assign(start, end), expected, "{nests}, {number}");
            }
        }
    }
}
