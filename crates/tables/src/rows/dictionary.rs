//! Dictionaries: strings with numeric codes.

use super::label::Label;
use crate::StringTable;
use crate::row_context::RowContext;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The strings of a dictionary column, and the code of each label.
pub(super) struct Dictionary {
    pub(super) strings: Arc<StringTable>,
    codes: HashMap<Label, u32>,
}

/// A small direct-mapped cache in front of the hash map of a [`Dictionary`].
pub(super) struct CodeCache([Option<(Label, u32)>; Self::SLOTS]);

impl Dictionary {
    /// Collects the texts of all labels, each once, in the order of their first
    /// occurrence.
    pub(super) fn new(scene: &RowContext<'_>, visit: impl FnOnce(&mut dyn FnMut(Label))) -> Self {
        let mut words = StringTable::default();
        let mut codes = HashMap::new();
        let mut recent = CodeCache::new();
        visit(&mut |key| {
            if recent.slot(key).is_some_and(|(known, _)| known == key) {
                return;
            }
            let count = words.len() as u32;
            let code = match codes.entry(key) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    words.push(&key.text(scene));
                    *new.insert(count)
                }
            };
            *recent.slot(key) = Some((key, code));
        });
        if words.is_empty() {
            // A dictionary has at least one string, so that rows without a
            // value have a valid code.
            words.push("");
        }
        Self {
            strings: Arc::new(words),
            codes,
        }
    }

    /// The code of a label.
    #[inline]
    pub(super) fn code(&self, key: Label, recent: &mut CodeCache) -> u32 {
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

impl CodeCache {
    const BITS: u32 = 8;
    const SLOTS: usize = 1 << Self::BITS;

    pub(super) fn new() -> Self {
        Self([None; Self::SLOTS])
    }

    #[inline]
    fn slot(&mut self, key: Label) -> &mut Option<(Label, u32)> {
        let at = key.hash() >> (u64::BITS - Self::BITS);
        &mut self.0[at as usize % Self::SLOTS]
    }
}
