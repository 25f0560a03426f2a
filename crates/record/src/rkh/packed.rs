use super::cursor::FrameCursor;
use core::slice;

/// Words that the arguments of a record take at most: an unlike few take 22
/// bytes.
pub(super) const MAX_ARGUMENT_WORDS: usize = 6;

/// Numbers one behind the other as they stand in a frame, in words whose low
/// byte comes first. Bytes of the last word that are not used are 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct PackedArguments {
    pub(super) words: [u32; MAX_ARGUMENT_WORDS],
    pub(super) bytes: usize,
}

impl PackedArguments {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self {
            words: [0; MAX_ARGUMENT_WORDS],
            bytes: 0,
        }
    }

    /// Adds the low bytes of `number`, `width` of them, 0 to 4. What is more
    /// than the words hold is left out.
    #[inline(always)]
    pub(super) fn with(mut self, number: u32, width: usize) -> Self {
        let number = match width {
            0 => return self,
            1..=3 => number & ((1 << (8 * width)) - 1),
            _ => number,
        };
        let (word, bits) = (self.bytes / 4, 8 * (self.bytes % 4) as u32);
        if let Some(low) = self.words.get_mut(word) {
            *low |= number << bits;
        }
        if bits > 0 {
            if let Some(high) = self.words.get_mut(word + 1) {
                *high |= number >> (32 - bits);
            }
        }
        self.bytes += width;
        self
    }

    /// Writes the bytes into a frame.
    #[inline(never)]
    pub(super) fn write(&self, cursor: &mut FrameCursor) {
        let words = self.words.map(u32::to_le);
        // SAFETY: the bytes of the words, with the low one first.
        let bytes = unsafe { slice::from_raw_parts(words.as_ptr().cast(), 4 * MAX_ARGUMENT_WORDS) };
        cursor.bytes(bytes.get(..self.bytes).unwrap_or(bytes));
    }
}
