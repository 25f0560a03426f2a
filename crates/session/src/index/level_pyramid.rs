//! Minimum and maximum of any range of consecutive levels.

use rtoscope_analysis::levels::LevelHistory;

/// The minimum and maximum levels of the blocks of a history, of blocks of blocks, and
/// so on: range queries visit O(log n) entries.
#[derive(Debug)]
pub(crate) struct LevelPyramid {
    /// Each tier has one entry per [`FAN_OUT`] entries of the tier below; the first
    /// tier per [`FAN_OUT`] levels.
    tiers: Vec<Vec<LevelBounds>>,
}

/// Minimum and maximum level; `None` if unknown.
pub(crate) type LevelBounds = Option<(u32, u32)>;

const FAN_OUT: usize = 16;

impl LevelPyramid {
    pub(crate) fn of(history: &LevelHistory) -> Self {
        let mut floors: Vec<Vec<LevelBounds>> = Vec::new();
        let mut below = history.len();
        while below > FAN_OUT {
            let count = below.div_ceil(FAN_OUT);
            let tier = (0..count).map(|at| {
                let part = at * FAN_OUT..((at + 1) * FAN_OUT).min(below);
                merge_all(part.map(|at| bounds_at(history, floors.last(), at)))
            });
            let tier = tier.collect();
            floors.push(tier);
            below = count;
        }
        Self { tiers: floors }
    }

    /// The bounds of the levels of the history from index `first` up to, but excluding,
    /// `until`.
    pub(crate) fn bounds_between(
        &self,
        history: &LevelHistory,
        mut first: usize,
        mut until: usize,
    ) -> LevelBounds {
        let mut found = None;
        let mut tier = None;
        let mut tiers = self.tiers.iter();
        loop {
            if until.saturating_sub(first) <= 2 * FAN_OUT {
                let rest = (first..until).map(|at| bounds_at(history, tier, at));
                return merge_bounds(found, merge_all(rest));
            }
            // The entries at both ends that the next tier does not cover.
            let (start, end) = (first.next_multiple_of(FAN_OUT), until / FAN_OUT * FAN_OUT);
            let ends = (first..start).chain(end..until);
            let ends = merge_all(ends.map(|at| bounds_at(history, tier, at)));
            found = merge_bounds(found, ends);
            (first, until) = (start / FAN_OUT, end / FAN_OUT);
            tier = tiers.next();
        }
    }

    /// Memory size in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let floors = self.tiers.iter().map(|tier| size_of_val(tier.as_slice()));
        floors.sum()
    }
}

fn bounds_at(history: &LevelHistory, tier: Option<&Vec<LevelBounds>>, at: usize) -> LevelBounds {
    match tier {
        Some(tier) => tier.get(at).copied().flatten(),
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
