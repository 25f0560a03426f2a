//! The memory image of the ring buffer: a stream whose events are in a ring for each core.

use super::{HeaderError, StreamHeader};

/// What precedes the header.
pub const START_MARKERS: [u8; 12] = [
    0x05, 0x06, 0x07, 0x08, 0x75, 0x76, 0x77, 0x78, 0xF5, 0xF6, 0xF7, 0xF8,
];

/// The image of a ring buffer.
#[derive(Debug, Clone, Copy)]
pub struct RingImage<'a> {
    /// The header; its table has unused entries.
    pub header: StreamHeader,
    /// From the header on.
    bytes: &'a [u8],
    /// The position after the last event area, or where the bytes end.
    end: usize,
    /// Number of bytes of the image after the end of the bytes.
    missing: usize,
}

/// The events of a core in its ring, in two parts: the older first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RingArea<'a> {
    /// The parts.
    pub parts: [&'a [u8]; 2],
    /// The bytes between the newest event and the oldest one. They have no event: a full ring has
    /// no room for one there, and a ring that is not full has not been written there.
    pub unused: &'a [u8],
    /// Whether the events continue from the end of the ring at its start.
    pub is_wrapped: bool,
    /// Number of bytes of the ring after the end of the image.
    pub missing: usize,
    /// Number of events that did not fit.
    pub dropped: u32,
}

impl<'a> RingImage<'a> {
    /// Reads the image after its start markers; its rings may be cut off.
    ///
    /// # Errors
    ///
    /// If the bytes are something else, or end within the header.
    pub fn read(bytes: &'a [u8]) -> Result<Self, HeaderError> {
        let header = StreamHeader::read(bytes)?;
        let size = header.layout.word(bytes, header.bytes());
        let size = size.ok_or(HeaderError::Incomplete)?;
        let start = header.bytes() + header.layout.word_bytes();
        let end = usize::try_from(size).ok();
        let end = end.and_then(|size| start.checked_add(size));
        let end = end.ok_or(HeaderError::Damaged)?;
        Ok(Self {
            header,
            bytes,
            end: end.min(bytes.len()),
            missing: end.saturating_sub(bytes.len()),
        })
    }

    /// The header, the source of timestamps and the table.
    pub fn start(&self) -> &'a [u8] {
        self.bytes.get(..self.header.bytes()).unwrap_or_default()
    }

    /// Number of bytes of the image that are cut off.
    pub const fn missing_bytes(&self) -> usize {
        self.missing
    }

    /// The rings of the cores; ends at one that is damaged.
    pub fn areas(&self) -> impl Iterator<Item = RingArea<'a>> {
        let mut at = self.header.bytes() + self.header.layout.word_bytes();
        let image = *self;
        core::iter::from_fn(move || {
            let (area, bytes) = image.area(at)?;
            at += bytes;
            Some(area)
        })
    }

    /// The ring at a position, and its length with the control block: indices, sizes, options,
    /// counts and a pointer.
    fn area(&self, at: usize) -> Option<(RingArea<'a>, usize)> {
        const NUMBERS: usize = 10;
        let layout = self.header.layout;
        let rest = self.bytes.get(at..self.end)?;
        let number = |place: usize| layout.u32(rest, place * 4);
        let position = |place: usize| number(place).map(|it| it as usize);
        let (head, tail, size) = (position(0)?, position(1)?, position(2)?);
        let (dropped, slack) = (number(4)?, position(6)?);
        let control = NUMBERS * 4 + layout.word_bytes();
        let after_control = rest.get(control..)?;
        let data = after_control.get(..size).unwrap_or(after_control);
        let used = size.checked_sub(slack)?;
        let is_wrapped = head < tail;
        if size == 0 || head.max(tail) > size {
            return None;
        }
        // Without what is cut off.
        let part = |from: usize, to: usize| {
            let to = to.min(data.len());
            data.get(from.min(to)..to).unwrap_or_default()
        };
        let (parts, unused) = if is_wrapped {
            ([part(tail, used), part(0, head)], part(head, tail))
        } else {
            ([part(tail, head), &[]], part(head, used))
        };
        let area = RingArea {
            parts,
            unused,
            is_wrapped,
            missing: size - data.len(),
            dropped,
        };
        Some((area, control.checked_add(size)?))
    }
}
