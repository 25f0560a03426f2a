//! Reads numbers of any width at any bit.

use rtoscope_wire::ByteOrder;

/// The bits of a packet.
#[derive(Debug, Clone, Copy)]
pub(super) struct BitReader<'b> {
    bytes: &'b [u8],
    /// In bits.
    at: u64,
    end: u64,
}

/// The content ends before a field does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ContentEnd;

impl<'b> BitReader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            end: bytes.len() as u64 * 8,
        }
    }

    /// Ends the content at a bit.
    pub(super) fn set_end(&mut self, end: u64) {
        self.end = end.min(self.bytes.len() as u64 * 8);
    }

    pub(super) fn position(&self) -> u64 {
        self.at
    }

    pub(super) fn seek(&mut self, at: u64) {
        self.at = at;
    }

    pub(super) fn left(&self) -> u64 {
        self.end.saturating_sub(self.at)
    }

    #[inline]
    pub(super) fn align(&mut self, bits: u32) {
        let mask = u64::from(bits) - 1;
        self.at = self.at.saturating_add(mask) & !mask;
    }

    /// A number of 1 to 64 bits.
    #[inline]
    pub(super) fn unsigned(&mut self, bits: u8, order: ByteOrder) -> Result<u64, ContentEnd> {
        let width = u64::from(bits);
        if self.left() < width {
            return Err(ContentEnd);
        }
        let start = (self.at / 8) as usize;
        let shift = (self.at % 8) as u32;
        let length = (shift as usize + usize::from(bits)).div_ceil(8);
        let bytes = self.bytes.get(start..start + length).ok_or(ContentEnd)?;
        self.at += width;
        // At most 9 bytes.
        let word = match order {
            ByteOrder::Little => {
                let word = bytes
                    .iter()
                    .rev()
                    .fold(0, |word: u128, byte| word << 8 | u128::from(*byte));
                word >> shift
            }
            ByteOrder::Big => {
                let word = bytes
                    .iter()
                    .fold(0, |word: u128, byte| word << 8 | u128::from(*byte));
                word >> (length as u32 * 8 - shift - u32::from(bits))
            }
        };
        Ok(word as u64 & u64::MAX >> (64 - u32::from(bits)))
    }

    /// The next whole bytes.
    pub(super) fn bytes(&mut self, count: u64) -> Result<&'b [u8], ContentEnd> {
        self.align(8);
        if self.left() / 8 < count {
            return Err(ContentEnd);
        }
        let start = (self.at / 8) as usize;
        let bytes = self.bytes.get(start..start + count as usize);
        self.at += count * 8;
        bytes.ok_or(ContentEnd)
    }

    /// The bytes up to a NUL, which is skipped.
    pub(super) fn text(&mut self) -> Result<&'b [u8], ContentEnd> {
        self.align(8);
        let rest = (self.at / 8) as usize..(self.end / 8) as usize;
        let rest = self.bytes.get(rest).ok_or(ContentEnd)?;
        let length = memchr::memchr(0, rest).ok_or(ContentEnd)?;
        self.at += (length as u64 + 1) * 8;
        Ok(rest.get(..length).unwrap_or_default())
    }
}

/// A number of some bits with its sign.
pub(super) fn sign_extend(value: u64, bits: u8) -> i64 {
    let shift = 64 - u32::from(bits);
    (value << shift).cast_signed() >> shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_can_begin_at_any_bit() {
        let bytes = [0b1010_0110, 0b0001_1111, 0xFF];
        let mut reader = BitReader::new(&bytes);
        let little = [3, 5, 9].map(|bits| reader.unsigned(bits, ByteOrder::Little).unwrap());
        assert_eq!(little, [0b110, 0b1_0100, 0b1_0001_1111]);
        assert_eq!(reader.position(), 17);
        reader.align(8);
        assert_eq!(reader.unsigned(1, ByteOrder::Little), Err(ContentEnd));
        let mut reader = BitReader::new(&bytes);
        let big = [3, 5, 9].map(|bits| reader.unsigned(bits, ByteOrder::Big).unwrap());
        assert_eq!(big, [0b101, 0b0_0110, 0b0_0011_1111]);
    }

    #[test]
    fn wide_numbers_can_cross_nine_bytes() {
        let bytes = [0xFF; 9];
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let mut reader = BitReader::new(&bytes);
            assert_eq!(reader.unsigned(3, order), Ok(7));
            assert_eq!(reader.unsigned(64, order), Ok(u64::MAX));
            assert_eq!(reader.left(), 5);
        }
        assert_eq!(sign_extend(0b110, 3), -2);
        assert_eq!(sign_extend(u64::MAX, 64), -1);
    }

    #[test]
    fn texts_end_at_a_nul() {
        let mut reader = BitReader::new(b"ab\0c");
        assert_eq!(reader.text(), Ok(&b"ab"[..]));
        assert_eq!(reader.text(), Err(ContentEnd));
    }
}
