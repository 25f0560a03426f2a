/// Sums bytes and detects bytes that need an escape, four bytes at a time.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordScan {
    /// The sum of bytes 0 and 2 of all words, in 16 bits each.
    even_sum: u32,
    /// The sum of all words.
    word_sum: u32,
    /// The union over all words: bit 7 of each byte that may need an escape.
    escape_bits: u32,
}

impl WordScan {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self {
            even_sum: 0,
            word_sum: 0,
            escape_bits: 0,
        }
    }

    /// Adds four bytes; at most 256 times.
    #[inline(always)]
    pub(super) fn add(&mut self, word: u32) {
        self.even_sum = self.even_sum.wrapping_add(word & 0x00FF_00FF);
        self.word_sum = self.word_sum.wrapping_add(word);
        self.scan_escapes(word);
    }

    /// Scans four bytes for escapes without adding them to the sum.
    #[inline(always)]
    pub(super) fn scan_escapes(&mut self, word: u32) {
        self.escape_bits |= escape_candidates(word);
    }

    /// Whether no byte so far needs an escape. May return `false` although none does.
    #[inline(always)]
    pub(super) const fn needs_no_escape(&self) -> bool {
        self.escape_bits & HIGH_BITS == 0
    }

    /// The sum of all bytes; only its low byte is valid.
    #[inline(always)]
    pub(super) const fn sum(&self) -> u32 {
        // Bytes 1 and 3. The carry out of byte 3 is lost, but only the low byte of the
        // sum is needed.
        let odd = self.word_sum.wrapping_sub(self.even_sum);
        let even = self.even_sum.wrapping_add(self.even_sum >> 16);
        even.wrapping_add(odd.wrapping_add(odd >> 16) >> 8)
    }
}

/// Sets bit 7 of every byte that needs an escape, and of a few others; the other bits are
/// undefined.
///
/// Adding 3 to 0x7D or 0x7E sets bit 7, which these bytes do not have. So does adding 3
/// to 0x7F and, with a carry from the byte below, to 0x7C: a frame with such a byte takes
/// the slow path without need.
#[inline(always)]
const fn escape_candidates(word: u32) -> u32 {
    word.wrapping_add(0x0303_0303) & !word
}

/// Bit 7 of each byte.
const HIGH_BITS: u32 = 0x8080_8080;

/// 0 if no byte of the word needs an escape. May be nonzero although none does.
#[inline(always)]
pub(super) const fn escape_mask(word: u32) -> u32 {
    escape_candidates(word) & HIGH_BITS
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{WordScan, escape_mask};
    use proptest::prelude::*;

    fn scan(words: &[u32]) -> WordScan {
        let mut check = WordScan::new();
        words.iter().for_each(|word| check.add(*word));
        check
    }

    #[test]
    fn every_byte_is_checked_in_every_position() {
        for (byte, position, others) in (0..=255_u32)
            .flat_map(|byte| (0..4).map(move |position| (byte, position)))
            .flat_map(|(byte, position)| [0, u32::MAX].map(|others| (byte, position, others)))
        {
            let word = others & !(0xFF << (8 * position)) | byte << (8 * position);
            let is_clean = scan(&[word]).needs_no_escape();
            if matches!(byte, 0x7D | 0x7E) {
                assert!(!is_clean, "{word:#x}");
            } else if !matches!(byte, 0x7C | 0x7F) {
                assert!(is_clean, "{word:#x}");
            }
        }
    }

    proptest! {
        #[test]
        fn sum_and_escapes_match_the_bytes(
            words in proptest::collection::vec(any::<u32>(), 0..200),
        ) {
            let check = scan(&words);
            let bytes = || words.iter().flat_map(|word| word.to_le_bytes());
            let total = bytes().fold(0_u8, u8::wrapping_add);
            prop_assert_eq!(check.sum() as u8, total);
            prop_assert_eq!(check.needs_no_escape(), words.iter().all(|word| escape_mask(*word) == 0));
            if check.needs_no_escape() {
                prop_assert!(bytes().all(|byte| !matches!(byte, 0x7D | 0x7E)));
            }
        }
    }
}
