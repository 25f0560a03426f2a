//! Many texts in one piece of memory.

use std::fmt::{self, Write as _};
use std::ops::Range;

/// Texts, one behind the other, as Arrow has them: together less than 2 GiB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringTable {
    /// Where each begins, and where the last one ends.
    offsets: Vec<i32>,
    text: String,
}

impl Default for StringTable {
    fn default() -> Self {
        Self {
            offsets: vec![0],
            text: String::new(),
        }
    }
}

impl StringTable {
    /// Adds a text.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.finish_string();
    }

    /// Adds a text as something shows itself.
    pub fn push_display(&mut self, shown: impl fmt::Display) {
        // Writing to a text cannot fail.
        let _ = write!(self.text, "{shown}");
        self.finish_string();
    }

    /// Adds the `index`-th text once more; nothing if there are not that many.
    pub fn push_copy(&mut self, index: usize) {
        let place = self.byte_range(index).unwrap_or_default();
        self.text.extend_from_within(place);
        self.finish_string();
    }

    /// What would lie beyond the limit of offsets is cut off.
    fn finish_string(&mut self) {
        const MAX_LEN: usize = i32::MAX as usize;
        if self.text.len() > MAX_LEN {
            let is_boundary = |at: &usize| self.text.is_char_boundary(*at);
            let end = (0..=MAX_LEN).rev().find(is_boundary).unwrap_or_default();
            self.text.truncate(end);
        }
        self.offsets.push(self.text.len() as i32);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The `index`-th text.
    pub fn get(&self, index: usize) -> Option<&str> {
        self.text.get(self.byte_range(index)?)
    }

    fn byte_range(&self, index: usize) -> Option<Range<usize>> {
        let start = *self.offsets.get(index)?;
        let end = *self.offsets.get(index + 1)?;
        Some(start as usize..end as usize)
    }

    /// All texts.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Where each begins in bytes, and where the last one ends; and the texts
    /// without anything between them.
    pub fn into_parts(self) -> (Vec<i32>, String) {
        (self.offsets, self.text)
    }

    /// The same, to look at.
    pub fn parts(&self) -> (&[i32], &str) {
        (&self.offsets, &self.text)
    }
}

impl<T: AsRef<str>> FromIterator<T> for StringTable {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut texts = Self::default();
        all.into_iter().for_each(|text| texts.push(text.as_ref()));
        texts
    }
}
