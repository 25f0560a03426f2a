//! The lowest and the highest of any number of levels that follow each other.

use rtoscope_analysis::levels::History;

/// A history, and the lowest and highest levels of its parts, of parts of
/// these, and so on.
#[derive(Debug)]
pub(crate) struct Pyramid {
    pub(super) history: History,
    /// Each floor has a value for [`SIDE`] of the one below, the lowest for
    /// that many levels.
    floors: Vec<Vec<Bounds>>,
}

/// The lowest and the highest level; `None` if none is known.
pub(super) type Bounds = Option<(u32, u32)>;

const SIDE: usize = 16;

impl Pyramid {
    pub(super) fn of(history: History) -> Self {
        let mut floors: Vec<Vec<Bounds>> = Vec::new();
        let mut below = history.len();
        while below > SIDE {
            let count = below.div_ceil(SIDE);
            let floor = (0..count).map(|at| {
                let part = at * SIDE..((at + 1) * SIDE).min(below);
                bounds(part.map(|at| value(&history, floors.last(), at)))
            });
            let floor = floor.collect();
            floors.push(floor);
            below = count;
        }
        Self { history, floors }
    }

    /// The bounds of the levels from `first` on and before `behind`.
    pub(super) fn bounds(&self, mut first: usize, mut behind: usize) -> Bounds {
        let mut found = None;
        let mut floor = None;
        let mut above = self.floors.iter();
        loop {
            if behind.saturating_sub(first) <= 2 * SIDE {
                let rest = (first..behind).map(|at| value(&self.history, floor, at));
                return join(found, bounds(rest));
            }
            // What the next floor does not cover, at both ends.
            let (start, end) = (first.next_multiple_of(SIDE), behind / SIDE * SIDE);
            let ends = (first..start).chain(end..behind);
            let ends = bounds(ends.map(|at| value(&self.history, floor, at)));
            found = join(found, ends);
            (first, behind) = (start / SIDE, end / SIDE);
            floor = above.next();
        }
    }

    /// Bytes of memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        let floors = self
            .floors
            .iter()
            .map(|floor| size_of_val(floor.as_slice()));
        self.history.bytes() + floors.sum::<usize>()
    }
}

fn value(history: &History, floor: Option<&Vec<Bounds>>, at: usize) -> Bounds {
    match floor {
        Some(floor) => floor.get(at).copied().flatten(),
        None => {
            let level = history.step(at)?.level?;
            Some((level, level))
        }
    }
}

fn bounds(parts: impl Iterator<Item = Bounds>) -> Bounds {
    parts.fold(None, join)
}

fn join(one: Bounds, other: Bounds) -> Bounds {
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
    use rtoscope_decode::Options;
    use rtoscope_decode::threadx::Interpreter;
    use rtoscope_generate::{Settings, write};
    use rtoscope_trace::ResourceId;
    use std::sync::LazyLock;

    /// The history of the object of a simulated kernel that changes most.
    static PYRAMID: LazyLock<Pyramid> = LazyLock::new(|| {
        let settings = Settings {
            events: 40_000,
            threads: 3,
            ..Settings::default()
        };
        let mut bytes = Vec::new();
        write(&settings, &mut bytes, &mut |_| ()).unwrap();
        let trace = Session::open("", &bytes, &Options::default())
            .unwrap()
            .trace;
        let history = |id| History::of(&trace, &mut Interpreter::new(&trace), ResourceId(id));
        let longest = (0..20).map(history).max_by_key(History::len);
        Pyramid::of(longest.unwrap())
    });

    proptest! {
        #[test]
        fn bounds_are_those_of_all_levels(first in 0_usize..5000, count in 0_usize..5000) {
            let history = &PYRAMID.history;
            prop_assert!(history.len() > 2 * SIDE * SIDE, "{}", history.len());
            let first = first % history.len();
            let behind = (first + count).min(history.len());
            let levels = (first..behind).filter_map(|at| history.step(at)?.level);
            let expected = bounds(levels.map(|level| Some((level, level))));
            prop_assert_eq!(PYRAMID.bounds(first, behind), expected);
        }
    }
}
