use super::cursor::FrameCursor;
use core::slice;

/// Maximum number of words for the arguments of a record: the largest record with numbers
/// only takes 22 bytes.
pub(super) const MAX_ARGUMENT_WORDS: usize = 6;

/// Consecutive numbers in the byte order of a frame, packed into little-endian words.
/// Unused bytes of the last word are 0.
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

    /// Appends the low `width` bytes of `number`, 0 to 4. Bytes that do not fit are
    /// dropped.
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
        // SAFETY: the bytes of the words, in little-endian order.
        let bytes = unsafe { slice::from_raw_parts(words.as_ptr().cast(), 4 * MAX_ARGUMENT_WORDS) };
        cursor.bytes(bytes.get(..self.bytes).unwrap_or(bytes));
    }
}
