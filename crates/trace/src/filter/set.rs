//! Sets of numbers, built once and queried for every event.

/// One past the last number.
const VALUE_END: u128 = 1 << 64;

/// A set of numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ValueSet {
    /// First and last number of each range, sorted, with numbers between the
    /// ranges.
    Ranges(Box<[(u64, u64)]>),
    /// All numbers with one of these bits.
    Bits(u64),
}

/// A range of numbers, without its end.
pub(super) type ValueRange = std::ops::Range<u128>;

impl ValueSet {
    /// All numbers of these ranges, which can overlap and be empty.
    pub(super) fn from_ranges(runs: impl IntoIterator<Item = ValueRange>) -> Self {
        let clamp = |run: ValueRange| run.start..run.end.min(VALUE_END);
        let runs = runs.into_iter().map(clamp);
        let mut runs: Vec<_> = runs.filter(|run| !run.is_empty()).collect();
        runs.sort_unstable_by_key(|run| run.start);
        let mut merged: Vec<ValueRange> = Vec::with_capacity(runs.len());
        for run in runs {
            match merged.last_mut() {
                Some(last) if run.start <= last.end => last.end = last.end.max(run.end),
                _ => merged.push(run),
            }
        }
        Self::Ranges(merged.iter().filter_map(inclusive_bounds).collect())
    }

    /// All numbers of one range.
    pub(super) fn from_range(run: ValueRange) -> Self {
        Self::from_ranges(std::iter::once(run))
    }

    /// All numbers in none of these ranges.
    pub(super) fn all_except(runs: impl IntoIterator<Item = ValueRange>) -> Self {
        let Self::Ranges(runs) = Self::from_ranges(runs) else {
            return Self::from_ranges([]);
        };
        let starts = runs.iter().map(|(_, last)| u128::from(*last) + 1);
        let ends = runs.iter().map(|(first, _)| u128::from(*first));
        let gaps = std::iter::once(0)
            .chain(starts)
            .zip(ends.chain([VALUE_END]));
        Self::from_ranges(gaps.map(|(start, end)| start..end))
    }

    /// Whether the set contains the number.
    pub(super) fn contains(&self, value: u64) -> bool {
        match self {
            Self::Bits(bits) => value & bits != 0,
            Self::Ranges(runs) => {
                let at = runs.partition_point(|(_, last)| *last < value);
                runs.get(at).is_some_and(|(first, _)| *first <= value)
            }
        }
    }
}

/// The range of all numbers.
pub(super) const ALL_VALUES: ValueRange = 0..VALUE_END;

/// The range of one number.
pub(super) fn single_value(value: u64) -> ValueRange {
    u128::from(value)..u128::from(value) + 1
}

fn inclusive_bounds(run: &ValueRange) -> Option<(u64, u64)> {
    let last = run.end.checked_sub(1)?;
    Some((u64::try_from(run.start).ok()?, u64::try_from(last).ok()?))
}

/// A set of small numbers, with one bit each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct BitSet(Box<[u64]>);

impl BitSet {
    /// The numbers from 0 on whose item is true.
    pub(super) fn from_members(members: impl IntoIterator<Item = bool>) -> Self {
        let mut words = Vec::new();
        for (number, member) in members.into_iter().enumerate() {
            if number % 64 == 0 {
                words.push(0);
            }
            if let Some(word) = words.last_mut() {
                *word |= u64::from(member) << (number % 64);
            }
        }
        Self(words.into())
    }

    /// Whether the set contains the number.
    pub(super) fn contains(&self, number: usize) -> bool {
        let word = self.0.get(number / 64).copied().unwrap_or_default();
        word >> (number % 64) & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sets_can_contain_the_last_number() {
        let all = ValueSet::all_except([]);
        assert!(all.contains(0) && all.contains(u64::MAX));
        let but_last = ValueSet::all_except([single_value(u64::MAX)]);
        assert!(but_last.contains(u64::MAX - 1) && !but_last.contains(u64::MAX));
        assert_eq!(
            ValueSet::all_except(Some(0..VALUE_END)),
            ValueSet::from_ranges([])
        );
        assert!(!ValueSet::from_ranges([]).contains(0));
        assert_eq!(
            ValueSet::from_range(VALUE_END..VALUE_END + 9),
            ValueSet::from_ranges([])
        );
    }

    #[test]
    fn one_common_bit_is_enough() {
        let bits = ValueSet::Bits(0x11);
        assert!(bits.contains(0x10) && bits.contains(0xFF) && !bits.contains(0x2E));
    }

    proptest! {
        #[test]
        fn ranges_contain_their_numbers(runs in proptest::collection::vec((0_u128..50, 0_u128..50), 0..6)) {
            let runs: Vec<_> = runs.into_iter().map(|(start, end)| start..end).collect();
            let inside = ValueSet::from_ranges(runs.clone());
            let outside = ValueSet::all_except(runs.clone());
            for value in 0..60 {
                let held = runs.iter().any(|run| run.contains(&u128::from(value)));
                prop_assert_eq!(inside.contains(value), held);
                prop_assert_eq!(outside.contains(value), !held);
            }
        }

        #[test]
        fn bits_are_independent(members in proptest::collection::vec(any::<bool>(), 0..200)) {
            let set = BitSet::from_members(members.clone());
            for (number, member) in members.iter().enumerate() {
                prop_assert_eq!(set.contains(number), *member);
            }
            prop_assert!(!set.contains(members.len()));
        }
    }
}
