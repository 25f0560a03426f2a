//! Totals by key, for few keys and many additions.

use std::collections::HashMap;
use std::hash::Hash;

/// Number of recent keys that are found without the map.
const RECENT_KEYS: usize = 256;

/// Totals by key. A key that was used recently is found by a number that mostly differs
/// from those of other keys.
#[derive(Debug)]
pub(super) struct KeyedTotals<K, T> {
    indices: HashMap<K, usize>,
    all: Vec<(K, T)>,
    recent: Vec<usize>,
}

impl<K: Copy + Eq + Hash, T: Default> KeyedTotals<K, T> {
    pub(super) fn new() -> Self {
        Self {
            indices: HashMap::new(),
            all: Vec::new(),
            recent: vec![0; RECENT_KEYS],
        }
    }

    /// The totals of a key.
    #[inline]
    pub(super) fn entry(&mut self, number: u32, key: K) -> &mut T {
        let recent = &mut self.recent[number as usize % RECENT_KEYS];
        if self.all.get(*recent).is_none_or(|(known, _)| *known != key) {
            let all = &mut self.all;
            *recent = *self.indices.entry(key).or_insert_with(|| {
                all.push((key, T::default()));
                all.len() - 1
            });
        }
        &mut self.all[*recent].1
    }

    /// The totals in the order of their keys.
    pub(super) fn into_sorted(self) -> Vec<(K, T)>
    where
        K: Ord,
    {
        let mut all = self.all;
        all.sort_unstable_by_key(|(key, _)| *key);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_with_the_same_number_have_their_own_totals() {
        let mut totals = KeyedTotals::new();
        for key in [3_u32, 5, 3, 4, 5, 3] {
            *totals.entry(key % 2, key) += 1;
        }
        assert_eq!(totals.into_sorted(), [(3, 3), (4, 1), (5, 2)]);
    }
}
