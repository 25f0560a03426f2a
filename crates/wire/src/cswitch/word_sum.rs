use super::SUMMED_VERSION;
use crate::{ByteOrder, Word};

/// The checksum of containers of [`SUMMED_VERSION`]: two sums of their words of 32 bits. A target
/// computes it with two instructions a word and no table.
///
/// It finds each error within two words that follow one another, and others as well as 64 bits
/// can.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WordSum {
    first: u32,
    second: u32,
}

impl WordSum {
    /// The checksum of no words.
    pub const fn new() -> Self {
        Self {
            first: 0,
            second: 0,
        }
    }

    /// Adds a word to the checksum.
    #[inline(always)]
    pub fn add(&mut self, word: u32) {
        self.first = self.first.rotate_right(7).wrapping_add(word);
        self.second = self.second.wrapping_add(self.first);
    }

    /// The two sums: the content of the section [`SectionTag::END`](super::SectionTag::END).
    pub const fn values(self) -> [u32; 2] {
        [self.first, self.second]
    }

    /// The checksum of bytes, whose number is a multiple of 4.
    pub fn of(bytes: &[u8], order: ByteOrder) -> Self {
        let mut sum = Self::new();
        for word in bytes.chunks_exact(4) {
            sum.add(u32::read(word, order).unwrap_or_default());
        }
        sum
    }
}

/// Length of the content of the section [`SectionTag::END`](super::SectionTag::END) in a container
/// of a version.
pub const fn checksum_bytes(version: u16) -> usize {
    if version >= SUMMED_VERSION { 8 } else { 4 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    #[test]
    fn values_depend_on_the_order_of_words() {
        let bytes = [1, 0, 0, 0, 2, 0, 0, 0];
        let sum = WordSum::of(&bytes, ByteOrder::Little);
        let first = 1_u32.rotate_right(7) + 2;
        assert_eq!(sum.values(), [first, first + 1]);
        let swapped = WordSum::of(&[2, 0, 0, 0, 1, 0, 0, 0], ByteOrder::Little);
        assert_ne!(sum, swapped);
        assert_ne!(sum, WordSum::of(&bytes, ByteOrder::Big));
    }

    proptest! {
        /// A burst of up to 33 bits, also of the highest ones.
        #[test]
        fn bursts_are_found(
            words in proptest::collection::vec(any::<u32>(), 2..300),
            place: usize,
            errors in any::<[u32; 2]>().prop_filter("no error", |errors| *errors != [0, 0]),
        ) {
            let sum = |words: &[u32]| {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                WordSum::of(&bytes, ByteOrder::Little)
            };
            let mut damaged = words.clone();
            let place = place % (words.len() - 1);
            damaged[place] ^= errors[0];
            damaged[place + 1] ^= errors[1];
            prop_assert_ne!(sum(&words), sum(&damaged));
        }
    }
}
