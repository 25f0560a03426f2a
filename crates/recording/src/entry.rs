//! The index of a segment: times of arrival, checksums and interruptions.
//!
//! A header of 32 bytes, then entries of 24, all little-endian:
//!
//! ```text
//! header  0 magic "rtoindex" | 8 version u16 | 10 bytes of an entry u16
//!        12 checksum u32 | 16 offset u64 | 24 time u64
//! entry   0 offset u64 | 8 time u64, text or number | 16 kind u8 | 17 length or unit u8
//!        18 zero u16 | 20 checksum u32
//! ```
//!
//! `offset` counts bytes of the recording. Bytes belong to the last entry at or before
//! them, so that bytes after the last entry have a time as well if the process crashes.
//! The checksum is the CRC-32 of the other bytes; it detects torn entries.

use super::Unread;
use super::checksum::checksum;
use rtoscope_decode::live::HostTime;

const MAGIC: [u8; 8] = *b"rtoindex";
const VERSION: u16 = 1;

/// Length of a header in bytes.
pub(super) const HEADER_LEN: usize = 32;

/// Length of an entry in bytes.
pub(super) const ENTRY_LEN: usize = 24;

/// What an entry of unread data counts.
const UNIT_DATAGRAMS: u8 = 1;
const UNIT_BYTES: u8 = 2;

/// Bytes of text in an entry.
const TEXT_LEN: usize = 8;

/// Larger offsets are treated as damage, so that sums do not overflow.
pub(super) const MAX_OFFSET: u64 = 1 << 62;

/// The header of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IndexHeader {
    /// Offset of the segment in the recording.
    pub(super) offset: u64,
    /// When the segment was started.
    pub(super) started: HostTime,
}

/// An entry of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IndexEntry {
    /// Offset in the recording.
    pub(super) offset: u64,
    pub(super) kind: EntryKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    /// The following bytes arrived at this time.
    Received(HostTime),
    /// The connection was lost at this time. Text entries with the reason follow.
    Disconnected(HostTime),
    /// Connections were refused at this time. Text entries with the message follow.
    Refused(HostTime),
    /// The segment ends here: its writer closed it.
    Ended,
    /// The target sent this here, too, but it was not read.
    Unread(Unread),
    /// The next part of a text, and its length.
    Text([u8; TEXT_LEN], u8),
    /// The length of the block of bytes that ends here, and its checksum.
    Block(u32, u32),
}

impl IndexHeader {
    pub(super) fn encode(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10..12].copy_from_slice(&(ENTRY_LEN as u16).to_le_bytes());
        bytes[16..24].copy_from_slice(&self.offset.to_le_bytes());
        bytes[24..].copy_from_slice(&self.started.0.to_le_bytes());
        let check = checksum(&[&bytes[..12], &bytes[16..]]);
        bytes[12..16].copy_from_slice(&check.to_le_bytes());
        bytes
    }

    /// `None` if it is damaged or of another version.
    pub(super) fn decode(bytes: &[u8; HEADER_LEN]) -> Option<Self> {
        let whole = checksum(&[&bytes[..12], &bytes[16..]]) == read_le(&bytes[12..16]) as u32;
        let known = bytes[..8] == MAGIC
            && read_le(&bytes[8..10]) == u64::from(VERSION)
            && read_le(&bytes[10..12]) == ENTRY_LEN as u64;
        let header = Self {
            offset: read_le(&bytes[16..24]),
            started: HostTime(read_le(&bytes[24..])),
        };
        (whole && known && header.offset <= MAX_OFFSET).then_some(header)
    }
}

impl IndexEntry {
    /// Maximum length of a text; longer ones are truncated.
    pub(super) const MAX_TEXT: usize = 30 * TEXT_LEN;

    pub(super) fn encode(&self) -> [u8; ENTRY_LEN] {
        let mut bytes = [0; ENTRY_LEN];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        let (kind, payload) = match self.kind {
            EntryKind::Received(at) => (1, at.0.to_le_bytes()),
            EntryKind::Disconnected(at) => (2, at.0.to_le_bytes()),
            EntryKind::Text(text, length) => {
                bytes[17] = length;
                (3, text)
            }
            EntryKind::Refused(at) => (4, at.0.to_le_bytes()),
            EntryKind::Ended => (5, [0; TEXT_LEN]),
            EntryKind::Unread(unread) => {
                let (unit, count) = match unread {
                    Unread::Datagrams(count) => (UNIT_DATAGRAMS, count),
                    Unread::Bytes(count) => (UNIT_BYTES, count),
                };
                bytes[17] = unit;
                (6, count.to_le_bytes())
            }
            EntryKind::Block(length, checksum) => {
                let payload = u64::from(checksum) << 32 | u64::from(length);
                (7, payload.to_le_bytes())
            }
        };
        bytes[8..16].copy_from_slice(&payload);
        bytes[16] = kind;
        let check = checksum(&[&bytes[..20]]);
        bytes[20..].copy_from_slice(&check.to_le_bytes());
        bytes
    }

    /// `None` if it is damaged.
    pub(super) fn decode(bytes: &[u8; ENTRY_LEN]) -> Option<Self> {
        if checksum(&[&bytes[..20]]) != read_le(&bytes[20..]) as u32 {
            return None;
        }
        let mut payload = [0; TEXT_LEN];
        payload.copy_from_slice(&bytes[8..16]);
        let number = u64::from_le_bytes(payload);
        let at = HostTime(number);
        let what = match (bytes[16], bytes[17]) {
            (1, 0) => EntryKind::Received(at),
            (2, 0) => EntryKind::Disconnected(at),
            (3, length) if usize::from(length) <= TEXT_LEN => EntryKind::Text(payload, length),
            (4, 0) => EntryKind::Refused(at),
            (5, 0) => EntryKind::Ended,
            (6, UNIT_DATAGRAMS) => EntryKind::Unread(Unread::Datagrams(number)),
            (6, UNIT_BYTES) => EntryKind::Unread(Unread::Bytes(number)),
            (7, 0) if number as u32 > 0 => EntryKind::Block(number as u32, (number >> 32) as u32),
            _ => return None,
        };
        let offset = read_le(&bytes[..8]);
        (offset <= MAX_OFFSET && bytes[18..20] == [0, 0]).then_some(Self { offset, kind: what })
    }

    /// An entry, and the text entries after it.
    pub(super) fn with_text(
        offset: u64,
        what: EntryKind,
        reason: &str,
    ) -> impl Iterator<Item = Self> {
        let mut end = reason.len().min(Self::MAX_TEXT);
        while !reason.is_char_boundary(end) {
            end -= 1;
        }
        let texts = reason.as_bytes()[..end].chunks(TEXT_LEN).map(move |part| {
            let mut text = [0; TEXT_LEN];
            text[..part.len()].copy_from_slice(part);
            EntryKind::Text(text, part.len() as u8)
        });
        let all = std::iter::once(what).chain(texts);
        all.map(move |what| Self { offset, kind: what })
    }
}

/// A little-endian number of at most 8 bytes.
fn read_le(bytes: &[u8]) -> u64 {
    let bytes = bytes.iter().rev();
    bytes.fold(0, |number, byte| number << 8 | u64::from(*byte))
}
