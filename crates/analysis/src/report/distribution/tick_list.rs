//! Durations in little memory.

/// Durations in ticks; most take 4 bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct TickList {
    short: Vec<u32>,
    /// Those that 32 bits do not hold.
    long: Vec<u64>,
}

impl TickList {
    pub(super) fn push(&mut self, ticks: u64) {
        match u32::try_from(ticks) {
            Ok(ticks) => self.short.push(ticks),
            Err(_) => self.long.push(ticks),
        }
    }

    /// Takes the durations of another list.
    pub(super) fn append(&mut self, other: &mut Self) {
        self.short.append(&mut other.short);
        self.long.append(&mut other.long);
    }

    pub(super) fn len(&self) -> usize {
        self.short.len() + self.long.len()
    }

    /// All of them: first the short ones.
    pub(super) fn iter(&self) -> impl Iterator<Item = u64> + Clone {
        let short = self.short.iter().copied().map(u64::from);
        short.chain(self.long.iter().copied())
    }

    /// The duration at this index of the sorted list. It is not before `sorted`, which is 0 or the
    /// index of the last selected duration.
    pub(super) fn select(&mut self, sorted: usize, rank: usize) -> Option<u64> {
        let short = self.short.len();
        if let Some(rank) = rank.checked_sub(short) {
            let long = (rank < self.long.len()).then(|| self.long.select_nth_unstable(rank));
            return long.map(|(_, found, _)| *found);
        }
        let rest = self.short.get_mut(sorted..)?;
        let rank = rank.checked_sub(sorted).filter(|rank| *rank < rest.len())?;
        Some((*rest.select_nth_unstable(rank).1).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list(ticks: &[u64]) -> TickList {
        let mut list = TickList::default();
        ticks.iter().for_each(|ticks| list.push(*ticks));
        list
    }

    proptest! {
        #[test]
        fn it_is_a_list_of_numbers(
            ticks in prop::collection::vec(prop_oneof![0..9_u64, any::<u64>()], 1..80),
            halves in any::<prop::sample::Index>(),
            mut ranks in any::<[prop::sample::Index; 3]>(),
        ) {
            let (first, second) = ticks.split_at(halves.index(ticks.len()));
            let mut all = list(first);
            all.append(&mut list(second));
            let mut sorted = ticks.clone();
            sorted.sort_unstable();
            prop_assert_eq!(all.len(), ticks.len());
            prop_assert_eq!(all.iter().min(), sorted.first().copied());
            ranks.sort_unstable_by_key(|rank| rank.index(ticks.len()));
            let mut before = 0;
            for rank in ranks.map(|rank| rank.index(ticks.len())) {
                prop_assert_eq!(all.select(before, rank), Some(sorted[rank]));
                before = rank;
            }
            prop_assert_eq!(all.select(0, ticks.len()), None);
        }
    }
}
