//! Many strings in one allocation.

use std::fmt::{self, Write as _};
use std::ops::Range;

/// Strings in one allocation with offsets, as in Arrow: together less than 2
/// GiB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringTable {
    /// The start of each string, and the end of the last one.
    offsets: Vec<i32>,
    /// UTF-8.
    bytes: Vec<u8>,
}

impl Default for StringTable {
    fn default() -> Self {
        Self {
            offsets: vec![0],
            bytes: Vec::new(),
        }
    }
}

impl StringTable {
    /// Appends a string.
    pub fn push(&mut self, text: &str) {
        self.write(text);
        self.end_string();
    }

    /// Continues a string, which [`Self::end_string`] ends.
    pub(crate) fn write(&mut self, text: &str) {
        self.write_bytes(text.as_bytes());
    }

    /// The same with the output of a `Display` implementation.
    pub(crate) fn write_display(&mut self, shown: impl fmt::Display) {
        // Writing to memory cannot fail.
        let _ = write!(self, "{shown}");
    }

    /// The same with UTF-8.
    #[inline]
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Ends the current string. Bytes beyond the range of the offsets are cut off.
    #[inline]
    pub(crate) fn end_string(&mut self) {
        let end = end_in_range(&self.bytes);
        self.bytes.truncate(end);
        self.offsets.push(end as i32);
    }

    /// Removes the last string.
    pub(crate) fn pop(&mut self) {
        if self.offsets.len() > 1 {
            self.offsets.pop();
        }
        let end = self.offsets.last().copied().unwrap_or_default();
        self.bytes.truncate(end as usize);
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
        let bytes = self.bytes.get(self.byte_range(index)?)?;
        std::str::from_utf8(bytes).ok()
    }

    /// The string at `index` in UTF-8; empty if there is none.
    #[inline]
    pub(crate) fn bytes_of(&self, index: usize) -> &[u8] {
        let bytes = self
            .byte_range(index)
            .and_then(|range| self.bytes.get(range));
        bytes.unwrap_or_default()
    }

    /// The strings at these indexes. Bytes beyond the range of the offsets are cut off.
    pub fn repeat(&self, indexes: &[u32]) -> Self {
        let len = |index: &u32| self.bytes_of(*index as usize).len();
        let bytes: usize = indexes.iter().map(len).sum();
        let mut repeated = Self {
            offsets: Vec::with_capacity(indexes.len() + 1),
            bytes: Vec::with_capacity(bytes),
        };
        repeated.offsets.push(0);
        for index in indexes {
            repeated.write_bytes(self.bytes_of(*index as usize));
            repeated.end_string();
        }
        repeated
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
    /// concatenated strings in UTF-8.
    pub fn into_parts(self) -> (Vec<i32>, Vec<u8>) {
        (self.offsets, self.bytes)
    }
}

impl fmt::Write for StringTable {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.write(text);
        Ok(())
    }
}

/// Where UTF-8 has to end so that offsets reach it.
#[inline]
fn end_in_range(bytes: &[u8]) -> usize {
    const MAX_BYTES: usize = i32::MAX as usize;
    if bytes.len() <= MAX_BYTES {
        return bytes.len();
    }
    let is_continuation = |byte: u8| byte & 0xC0 == 0x80;
    let mut ends = (0..=MAX_BYTES).rev();
    let end = ends.find(|end| bytes.get(*end).is_none_or(|byte| !is_continuation(*byte)));
    end.unwrap_or_default()
}

impl<T: AsRef<str>> FromIterator<T> for StringTable {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut texts = Self::default();
        all.into_iter().for_each(|text| texts.push(text.as_ref()));
        texts
    }
}
