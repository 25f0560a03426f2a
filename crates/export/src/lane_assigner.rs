//! Assigns overlapping spans to as few lanes as possible.

/// Assigns spans to lanes in the order of their starts.
#[derive(Debug)]
pub(crate) struct LaneAssigner {
    nests: bool,
    /// By lane: the ends of the open spans, the outermost first.
    open_ends: Vec<Vec<u64>>,
}

impl LaneAssigner {
    /// Creates lanes on which no spans overlap, except that with `nests` a span may be
    /// within another.
    pub(crate) fn new(nests: bool) -> Self {
        Self {
            nests,
            open_ends: Vec::new(),
        }
    }

    /// The lane of the next span. A number that has not occurred is a new lane.
    pub(crate) fn assign(&mut self, start: u64, end: u64) -> usize {
        for (ends, lane) in self.open_ends.iter_mut().zip(0..) {
            while ends.last().is_some_and(|end| *end <= start) {
                ends.pop();
            }
            if ends.last().is_none_or(|outer| self.nests && end <= *outer) {
                ends.push(end);
                return lane;
            }
        }
        self.open_ends.push(vec![end]);
        self.open_ends.len() - 1
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
}
