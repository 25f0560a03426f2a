//! Words with numbers.

use super::key::Key;
use crate::Texts;
use crate::scene::Scene;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The words of a column, and the number of each.
pub(super) struct Lexicon {
    pub(super) words: Arc<Texts>,
    codes: HashMap<Key, u32>,
}

/// A part of a lexicon that is quick to look into.
pub(super) struct Recent([Option<(Key, u32)>; Self::SLOTS]);

impl Lexicon {
    /// The words of these keys, each once, in the order of the first of each.
    pub(super) fn new(scene: &Scene<'_>, visit: impl FnOnce(&mut dyn FnMut(Key))) -> Self {
        let mut words = Texts::default();
        let mut codes = HashMap::new();
        let mut recent = Recent::new();
        visit(&mut |key| {
            if recent.slot(key).is_some_and(|(known, _)| known == key) {
                return;
            }
            let count = words.len() as u32;
            let code = match codes.entry(key) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    words.push(&key.word(scene));
                    *new.insert(count)
                }
            };
            *recent.slot(key) = Some((key, code));
        });
        if words.is_empty() {
            // So that even rows without a value have a code that there is.
            words.push("");
        }
        Self {
            words: Arc::new(words),
            codes,
        }
    }

    /// A word's number.
    #[inline]
    pub(super) fn code(&self, key: Key, recent: &mut Recent) -> u32 {
        let slot = recent.slot(key);
        if let Some((known, code)) = *slot
            && known == key
        {
            return code;
        }
        let code = self.codes.get(&key).copied().unwrap_or_default();
        *slot = Some((key, code));
        code
    }
}

impl Recent {
    const BITS: u32 = 8;
    const SLOTS: usize = 1 << Self::BITS;

    pub(super) fn new() -> Self {
        Self([None; Self::SLOTS])
    }

    #[inline]
    fn slot(&mut self, key: Key) -> &mut Option<(Key, u32)> {
        let at = key.hash() >> (u64::BITS - Self::BITS);
        &mut self.0[at as usize % Self::SLOTS]
    }
}
