//! Distinct strings with codes.

use crate::StringTable;
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::hash::BuildHasher as _;

/// Collects texts, each distinct one once.
#[derive(Default)]
pub(crate) struct DistinctTexts {
    texts: StringTable,
    /// By the hash of the text.
    codes: HashTable<u32>,
    hashing: RandomState,
}

impl DistinctTexts {
    /// With memory for a number of texts.
    pub(crate) fn with_capacity(texts: usize) -> Self {
        Self {
            codes: HashTable::with_capacity(texts),
            ..Self::default()
        }
    }

    /// The code of the text that `format` appends.
    pub(crate) fn code(&mut self, format: impl FnOnce(&mut StringTable)) -> u32 {
        let code = self.texts.len() as u32;
        format(&mut self.texts);
        self.texts.end_string();
        let text = |code: u32| self.texts.bytes_of(code as usize);
        let hash = |code: &u32| self.hashing.hash_one(text(*code));
        let is_equal = |other: &u32| text(*other) == text(code);
        match self.codes.entry(hash(&code), is_equal, hash) {
            Entry::Occupied(known) => {
                self.texts.pop();
                *known.get()
            }
            Entry::Vacant(place) => *place.insert(code).get(),
        }
    }

    /// The code of a text.
    pub(crate) fn code_of(&mut self, text: &str) -> u32 {
        self.code(|texts| texts.write(text))
    }

    /// The texts by their codes. There is at least one, so that rows without a value have a
    /// valid code.
    pub(crate) fn into_strings(mut self) -> StringTable {
        if self.texts.is_empty() {
            self.texts.push("");
        }
        self.texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn each_text_is_kept_once(all in prop::collection::vec("[ab]{0,3}", 0..60)) {
            let mut texts = DistinctTexts::default();
            let codes: Vec<u32> = all.iter().map(|text| texts.code_of(text)).collect();
            let strings = texts.into_strings();
            let repeated = strings.repeat(&codes);
            prop_assert!(repeated.iter().eq(&all));
            let distinct: BTreeSet<_> = all.iter().collect();
            prop_assert_eq!(strings.len(), distinct.len().max(1));
        }
    }
}
