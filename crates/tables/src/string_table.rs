//! Many strings in one allocation.

use std::fmt::{self, Write as _};
use std::ops::Range;

/// Strings in one allocation with offsets, as in Arrow: together less than 2
/// GiB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringTable {
    /// The start of each string, and the end of the last one.
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
    /// Appends a string.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.finish();
    }

    /// Appends the output of a `Display` implementation.
    pub fn push_display(&mut self, shown: impl fmt::Display) {
        self.write_display(shown);
        self.finish();
    }

    /// Where the next byte will be.
    pub(crate) fn end(&self) -> u32 {
        u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    /// Continues a string, which [`Self::finish`] ends.
    pub(crate) fn write(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The same with the output of a `Display` implementation.
    pub(crate) fn write_display(&mut self, shown: impl fmt::Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{shown}");
    }

    /// The same with a copy of what is at a place, unless [`Self::finish`] has cut it off.
    #[inline]
    pub(crate) fn write_copy(&mut self, place: Range<u32>) {
        let place = place.start as usize..place.end as usize;
        if self.text.get(place.clone()).is_some() {
            self.text.extend_from_within(place);
        }
    }

    /// Ends the current string. Bytes beyond the range of the offsets are cut
    /// off.
    pub(crate) fn finish(&mut self) {
        const MAX_LEN: usize = i32::MAX as usize;
        if self.text.len() > MAX_LEN {
            let is_boundary = |at: &usize| self.text.is_char_boundary(*at);
            let end = (0..=MAX_LEN).rev().find(is_boundary).unwrap_or_default();
            self.text.truncate(end);
        }
        self.offsets.push(self.text.len() as i32);
    }

    /// The number of strings.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no strings.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The string at `index`.
    pub fn get(&self, index: usize) -> Option<&str> {
        self.text.get(self.byte_range(index)?)
    }

    fn byte_range(&self, index: usize) -> Option<Range<usize>> {
        let start = *self.offsets.get(index)?;
        let end = *self.offsets.get(index + 1)?;
        Some(start as usize..end as usize)
    }

    /// All strings.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The start of each string in bytes and the end of the last one; and the
    /// concatenated strings.
    pub fn into_parts(self) -> (Vec<i32>, String) {
        (self.offsets, self.text)
    }

    /// The same, borrowed.
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
