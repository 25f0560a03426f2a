//! Frames on the line: flags, escapes, checksums and byte order.
//!
//! Source: `source/trc/src/rkhtrc_record.c`; unchanged since RKH 2.0.

use super::FieldWidth;

/// Ends a frame; also the first byte of a stream (`RKH_FLG`).
pub const FLAG: u8 = 0x7E;

/// Precedes an escaped byte (`RKH_ESC`).
pub const ESCAPE: u8 = 0x7D;

/// An escaped byte is XORed with this value (`RKH_XOR`).
pub const ESCAPE_XOR: u8 = 0x20;

/// The byte that makes the sum of `bytes` and itself 0 modulo 256.
///
/// It is only a sum: the sum of two concatenated frames is also 0, and so is that of
/// frames with swapped bytes. A reader must therefore also check that a record's
/// arguments end at the end of the frame.
pub fn checksum(bytes: &[u8]) -> u8 {
    byte_sum(bytes).wrapping_neg()
}

/// Whether the bytes of a frame, including its checksum, sum to 0 modulo 256.
pub fn sums_to_zero(frame: &[u8]) -> bool {
    byte_sum(frame) == 0
}

/// The sum of `bytes` modulo 256.
pub fn byte_sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

const fn needs_escape(byte: u8) -> bool {
    matches!(byte, FLAG | ESCAPE)
}

/// The bytes of a frame on the line, without flags.
#[derive(Debug, Clone)]
pub struct EscapedBytes<'a> {
    bytes: core::slice::Iter<'a, u8>,
    pending: Option<u8>,
}

impl<'a> EscapedBytes<'a> {
    /// Escapes `frame`, from id to checksum, without flags.
    pub fn new(frame: &'a [u8]) -> Self {
        Self {
            bytes: frame.iter(),
            pending: None,
        }
    }
}

impl Iterator for EscapedBytes<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if let Some(byte) = self.pending.take() {
            return Some(byte);
        }
        let byte = *self.bytes.next()?;
        if needs_escape(byte) {
            self.pending = Some(byte ^ ESCAPE_XOR);
            return Some(ESCAPE);
        }
        Some(byte)
    }
}

/// Why escaped bytes are not a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnescapeError {
    /// A flag is inside the frame.
    Flag {
        /// Its offset in the escaped bytes.
        offset: usize,
    },
    /// The frame ends after an escape byte.
    Truncated,
    /// The frame is longer than the destination slice.
    TooLong {
        /// Length of the slice in bytes.
        available: usize,
    },
}

crate::error_messages::messages! {
    UnescapeError {
        Flag { offset } => "a flag at byte {offset} of an escaped frame",
        Truncated => "an escaped frame ends in the middle of an escape",
        TooLong { available } => "a frame does not fit into {available} bytes",
    }
}

/// Removes the escapes from the bytes between two flags. Returns the number of bytes
/// written to `frame`; `escaped.len()` bytes are always enough.
///
/// It also accepts bytes that no target escapes: the checksum verifies the result.
pub fn unescape(escaped: &[u8], frame: &mut [u8]) -> Result<usize, UnescapeError> {
    let available = frame.len();
    let mut bytes = escaped.iter().enumerate();
    let mut length = 0;
    while let Some((offset, byte)) = bytes.next() {
        let plain = match *byte {
            FLAG => return Err(UnescapeError::Flag { offset }),
            ESCAPE => match bytes.next() {
                None => return Err(UnescapeError::Truncated),
                Some((offset, &FLAG)) => return Err(UnescapeError::Flag { offset }),
                Some((_, escaped)) => escaped ^ ESCAPE_XOR,
            },
            plain => plain,
        };
        *frame
            .get_mut(length)
            .ok_or(UnescapeError::TooLong { available })? = plain;
        length += 1;
    }
    Ok(length)
}

/// The destination of a [`FrameWriter`].
pub trait ByteSink {
    /// Takes the next byte.
    fn put(&mut self, byte: u8);
}

impl<F: FnMut(u8)> ByteSink for F {
    fn put(&mut self, byte: u8) {
        self(byte);
    }
}

/// A [`ByteSink`] that fills a slice and counts the bytes that do not fit.
#[derive(Debug)]
pub struct SliceSink<'a> {
    bytes: &'a mut [u8],
    length: usize,
    overflow: usize,
}

impl<'a> SliceSink<'a> {
    /// A sink that fills `bytes` from the start.
    pub fn new(bytes: &'a mut [u8]) -> Self {
        Self {
            bytes,
            length: 0,
            overflow: 0,
        }
    }

    /// The bytes written so far that fit.
    pub fn written(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// Number of bytes that did not fit.
    pub fn overflow(&self) -> usize {
        self.overflow
    }
}

impl ByteSink for SliceSink<'_> {
    fn put(&mut self, byte: u8) {
        match self.bytes.get_mut(self.length) {
            Some(place) => {
                *place = byte;
                self.length += 1;
            }
            None => self.overflow += 1,
        }
    }
}

impl ByteSink for &mut SliceSink<'_> {
    fn put(&mut self, byte: u8) {
        (**self).put(byte);
    }
}

/// Writes frames: escapes their bytes and computes the checksum.
#[derive(Debug)]
pub struct FrameWriter<S> {
    sink: S,
    sum: u8,
}

impl<S: ByteSink> FrameWriter<S> {
    /// A writer to `sink`.
    pub fn new(sink: S) -> Self {
        Self { sink, sum: 0 }
    }

    /// Writes a single flag: the first byte of every stream.
    pub fn flag(&mut self) {
        self.sink.put(FLAG);
    }

    /// Starts a frame: clears the checksum.
    pub fn begin_frame(&mut self) {
        self.sum = 0;
    }

    /// Ends a frame: writes the checksum, if configured, and the flag.
    pub fn end_frame(&mut self, checksum: bool) {
        if checksum {
            self.u8(self.sum.wrapping_neg());
        }
        self.flag();
    }

    /// Writes a byte, escaped if necessary.
    pub fn u8(&mut self, value: u8) {
        self.sum = self.sum.wrapping_add(value);
        if needs_escape(value) {
            self.sink.put(ESCAPE);
            self.sink.put(value ^ ESCAPE_XOR);
        } else {
            self.sink.put(value);
        }
    }

    /// As [`number`](Self::number), with a width of 0 to 4 bytes, without adding the bytes
    /// to the checksum.
    pub(super) fn unsummed_low_bytes(&mut self, value: u32, width: usize) {
        let sum = self.sum;
        self.low_bytes(value, width);
        self.sum = sum;
    }

    /// Writes two bytes in little-endian order.
    pub fn u16(&mut self, value: u16) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes four bytes in little-endian order.
    pub fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes the low `width` bytes of `value` in little-endian order.
    pub fn number(&mut self, value: u32, width: FieldWidth) {
        self.low_bytes(value, width.bytes());
    }

    /// As [`number`](Self::number), with a width of 0 to 4 bytes.
    pub(super) fn low_bytes(&mut self, value: u32, width: usize) {
        for byte in value.to_le_bytes().iter().take(width) {
            self.u8(*byte);
        }
    }

    /// Writes `bytes`.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.u8(*byte);
        }
    }

    /// Writes `text` up to its first NUL, and a NUL.
    pub fn text(&mut self, text: &[u8]) {
        self.bytes(until_nul(text));
        self.u8(0);
    }

    /// Returns the sink.
    pub fn into_sink(self) -> S {
        self.sink
    }
}

/// The bytes of a text before its NUL.
fn until_nul(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// Takes a little-endian number of `width` bytes, 0 to 4, from the front of `bytes`;
/// `None` if there are too few.
#[inline]
pub(super) fn take_number(bytes: &mut &[u8], width: usize) -> Option<u32> {
    let high_to_low = take_bytes(bytes, width)?.iter().rev();
    Some(high_to_low.fold(0, |value, byte| value << 8 | u32::from(*byte)))
}

/// Takes the text before the first NUL, and the NUL, from the front of `bytes`; `None` if
/// there is no NUL.
#[inline]
pub(super) fn take_text<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    let text = take_bytes(bytes, end)?;
    *bytes = bytes.get(1..)?;
    Some(text)
}

/// Takes `length` bytes from the front of `bytes`; `None` if there are too few.
#[inline]
pub(super) fn take_bytes<'a>(bytes: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let taken = bytes.get(..length)?;
    *bytes = bytes.get(length..)?;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn a_frame_that_needs_every_escape_round_trips() {
        let frame = [0x7E, 0x7D, 0x5E, 0x5D, 0x00, 0x7E];
        let escaped: Vec<u8> = EscapedBytes::new(&frame).collect();
        assert_eq!(
            escaped,
            [0x7D, 0x5E, 0x7D, 0x5D, 0x5E, 0x5D, 0x00, 0x7D, 0x5E]
        );
        let mut plain = [0; 9];
        assert_eq!(unescape(&escaped, &mut plain), Ok(6));
        assert_eq!(plain[..6], frame);
    }

    #[test]
    fn invalid_frames_are_errors() {
        let mut plain = [0; 2];
        let mut try_bytes = |bytes: &[u8]| unescape(bytes, &mut plain);
        assert_eq!(try_bytes(&[]), Ok(0));
        assert_eq!(
            try_bytes(&[1, FLAG]),
            Err(UnescapeError::Flag { offset: 1 })
        );
        let within = [ESCAPE, FLAG];
        assert_eq!(try_bytes(&within), Err(UnescapeError::Flag { offset: 1 }));
        assert_eq!(try_bytes(&[1, ESCAPE]), Err(UnescapeError::Truncated));
        let long = Err(UnescapeError::TooLong { available: 2 });
        assert_eq!(try_bytes(&[1, 2, 3]), long);
    }

    #[test]
    fn checksums_make_the_sum_zero_even_of_two_frames() {
        let mut frame = Vec::from([0x00, 0x9B, 0x7F, 0xFF]);
        frame.push(checksum(&frame));
        assert!(sums_to_zero(&frame));
        assert!(sums_to_zero(&[&frame[..], &frame[..]].concat()));
        frame[1] ^= 1;
        assert!(!sums_to_zero(&frame));
        assert_eq!(checksum(&[]), 0);
    }

    #[test]
    fn a_writer_escapes_the_checksum_too() {
        let mut bytes = Vec::new();
        let mut writer = FrameWriter::new(|byte| bytes.push(byte));
        writer.flag();
        writer.begin_frame();
        writer.u8(0x82);
        writer.end_frame(true);
        writer.begin_frame();
        writer.u16(0x7E01);
        writer.number(0xAABB_CCDD, FieldWidth::Two);
        writer.u32(0x0403_0201);
        writer.text(b"ab\0c");
        writer.end_frame(false);
        assert_eq!(bytes[..5], [FLAG, 0x82, ESCAPE, 0x5E, FLAG]);
        let second = [1, ESCAPE, 0x5E, 0xDD, 0xCC, 1, 2, 3, 4, b'a', b'b', 0, FLAG];
        assert_eq!(bytes[5..], second);
    }

    #[test]
    fn a_slice_counts_bytes_that_do_not_fit() {
        let mut bytes = [0; 3];
        let mut sink = SliceSink::new(&mut bytes);
        let mut writer = FrameWriter::new(&mut sink);
        writer.bytes(&[1, FLAG, 2]);
        writer.end_frame(false);
        assert_eq!(sink.written(), [1, ESCAPE, 0x5E]);
        assert_eq!(sink.overflow(), 2);
    }

    #[test]
    fn numbers_and_texts_are_taken_up_to_their_ends() {
        let mut bytes: &[u8] = &[1, 2, 3, 4, 5, b'x', 0, b'y'];
        assert_eq!(take_number(&mut bytes, 0), Some(0));
        assert_eq!(take_number(&mut bytes, 4), Some(0x0403_0201));
        assert_eq!(take_number(&mut bytes, 1), Some(5));
        assert_eq!(take_text(&mut bytes), Some(&b"x"[..]));
        assert_eq!(take_number(&mut bytes, 2), None);
        assert_eq!(take_text(&mut bytes), None);
        assert_eq!(bytes, b"y");
    }
}
