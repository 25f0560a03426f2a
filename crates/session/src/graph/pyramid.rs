//! The lowest and the highest of any number of levels that follow each other.

use rtoscope_analysis::levels::LevelHistory;

/// A history, and the lowest and highest levels of its parts, of parts of
/// these, and so on.
#[derive(Debug)]
pub(crate) struct LevelPyramid {
    pub(super) history: LevelHistory,
    /// Each floor has a value for [`FAN_OUT`] of the one below, the lowest for
    /// that many levels.
    tiers: Vec<Vec<LevelBounds>>,
}

/// The lowest and the highest level; `None` if none is known.
pub(super) type LevelBounds = Option<(u32, u32)>;

const FAN_OUT: usize = 16;

impl LevelPyramid {
    pub(super) fn of(history: LevelHistory) -> Self {
        let mut floors: Vec<Vec<LevelBounds>> = Vec::new();
        let mut below = history.len();
        while below > FAN_OUT {
            let count = below.div_ceil(FAN_OUT);
            let floor = (0..count).map(|at| {
                let part = at * FAN_OUT..((at + 1) * FAN_OUT).min(below);
                merge_all(part.map(|at| bounds_at(&history, floors.last(), at)))
            });
            let floor = floor.collect();
            floors.push(floor);
            below = count;
        }
        Self {
            history,
            tiers: floors,
        }
    }

    /// The bounds of the levels from `first` on and before `behind`.
    pub(super) fn bounds_between(&self, mut first: usize, mut behind: usize) -> LevelBounds {
        let mut found = None;
        let mut floor = None;
        let mut above = self.tiers.iter();
        loop {
            if behind.saturating_sub(first) <= 2 * FAN_OUT {
                let rest = (first..behind).map(|at| bounds_at(&self.history, floor, at));
                return merge_bounds(found, merge_all(rest));
            }
            // What the next floor does not cover, at both ends.
            let (start, end) = (first.next_multiple_of(FAN_OUT), behind / FAN_OUT * FAN_OUT);
            let ends = (first..start).chain(end..behind);
            let ends = merge_all(ends.map(|at| bounds_at(&self.history, floor, at)));
            found = merge_bounds(found, ends);
            (first, behind) = (start / FAN_OUT, end / FAN_OUT);
            floor = above.next();
        }
    }

    /// Bytes of memory that it takes.
    pub(super) fn memory_bytes(&self) -> usize {
        let floors = self.tiers.iter().map(|floor| size_of_val(floor.as_slice()));
        self.history.bytes() + floors.sum::<usize>()
    }
}

fn bounds_at(history: &LevelHistory, floor: Option<&Vec<LevelBounds>>, at: usize) -> LevelBounds {
    match floor {
        Some(floor) => floor.get(at).copied().flatten(),
        None => {
            let level = history.step(at)?.level?;
            Some((level, level))
        }
    }
}

fn merge_all(parts: impl Iterator<Item = LevelBounds>) -> LevelBounds {
    parts.fold(None, merge_bounds)
}

fn merge_bounds(one: LevelBounds, other: LevelBounds) -> LevelBounds {
    match (one, other) {
        (Some((low, high)), Some((lower, higher))) => Some((low.min(lower), high.max(higher))),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Session;
    use proptest::prelude::*;
    use rtoscope_decode::DecodeOptions;
    use rtoscope_decode::threadx::ThreadXInterpreter;
    use rtoscope_generate::{ThreadxOptions, write};
    use rtoscope_trace::ResourceId;
    use std::sync::LazyLock;

    /// The history of the object of a simulated kernel that changes most.
    static PYRAMID: LazyLock<LevelPyramid> = LazyLock::new(|| {
        let settings = ThreadxOptions {
            events: 40_000,
            threads: 3,
            ..ThreadxOptions::default()
        };
        let mut bytes = Vec::new();
        write(&settings, &mut bytes, &mut |_| ()).unwrap();
        let trace = Session::open("", &bytes, &DecodeOptions::default())
            .unwrap()
            .trace;
        let history = |id| {
            LevelHistory::from_trace(&trace, &mut ThreadXInterpreter::new(&trace), ResourceId(id))
        };
        let longest = (0..20).map(history).max_by_key(LevelHistory::len);
        LevelPyramid::of(longest.unwrap())
    });

    proptest! {
        #[test]
        fn bounds_are_those_of_all_levels(first in 0_usize..5000, count in 0_usize..5000) {
            let history = &PYRAMID.history;
            prop_assert!(history.len() > 2 * FAN_OUT * FAN_OUT, "{}", history.len());
            let first = first % history.len();
            let behind = (first + count).min(history.len());
            let levels = (first..behind).filter_map(|at| history.step(at)?.level);
            let expected = merge_all(levels.map(|level| Some((level, level))));
            prop_assert_eq!(PYRAMID.bounds_between(first, behind), expected);
        }
    }
}
