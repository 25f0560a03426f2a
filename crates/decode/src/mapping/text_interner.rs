//! Stores equal texts of a page once.

use rtoscope_trace::extras::Extras;
use std::collections::HashMap;

/// Positions of the texts of a page.
#[derive(Debug, Clone, Default)]
pub(super) struct TextInterner(HashMap<Box<[u8]>, u32>);

/// Maximum number of texts, and length of one, to look up: longer texts seldom repeat.
const MAX_TEXTS: usize = 1 << 14;
const MAX_TEXT_BYTES: usize = 64;

impl TextInterner {
    /// The position of a text, which ends at its first NUL.
    pub(super) fn intern(&mut self, extras: &mut Extras, text: &[u8]) -> u32 {
        let end = memchr::memchr(0, text).unwrap_or(text.len());
        let text = text.get(..end).unwrap_or(text);
        if text.len() > MAX_TEXT_BYTES {
            return extras.push_text(text);
        }
        if let Some(position) = self.0.get(text) {
            return *position;
        }
        let position = extras.push_text(text);
        if self.0.len() < MAX_TEXTS {
            self.0.insert(text.into(), position);
        }
        position
    }

    /// The next page has texts of its own.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
