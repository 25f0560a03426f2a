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
    pub(super) fn new(ctx: &RowContext<'_>, visit: impl FnOnce(&mut dyn FnMut(Label))) -> Self {
        let mut strings = StringTable::default();
        let mut codes = HashMap::new();
        let mut cache = CodeCache::new();
        visit(&mut |label| {
            if cache.slot(label).is_some_and(|(known, _)| known == label) {
                return;
            }
            let count = strings.len() as u32;
            let code = match codes.entry(label) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    strings.push(&label.text(ctx));
                    *new.insert(count)
                }
            };
            *cache.slot(label) = Some((label, code));
        });
        if strings.is_empty() {
            // A dictionary has at least one string, so that rows without a
            // value have a valid code.
            strings.push("");
        }
        Self {
            strings: Arc::new(strings),
            codes,
        }
    }

    /// The code of a label.
    #[inline]
    pub(super) fn code(&self, label: Label, cache: &mut CodeCache) -> u32 {
        let slot = cache.slot(label);
        if let Some((known, code)) = *slot
            && known == label
        {
            return code;
        }
        let code = self.codes.get(&label).copied().unwrap_or_default();
        *slot = Some((label, code));
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
    fn slot(&mut self, label: Label) -> &mut Option<(Label, u32)> {
        let at = label.hash() >> (u64::BITS - Self::BITS);
        &mut self.0[at as usize % Self::SLOTS]
    }
}
