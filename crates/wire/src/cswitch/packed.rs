//! Packed entries: the section [`SectionTag::PACKED`](super::SectionTag::PACKED) of a CSWL
//! container, which a recorder sends while it records.
//!
//! After a [`PackedHeader`] follow entries of one to three words of 32 bits, in the byte order
//! of the container. The first word of an entry:
//!
//! | bits | content |
//! |---|---|
//! | 0 to 4 | the kind: the number of the [`EntryKind`], or one of the numbers below |
//! | 5 | 1 if a word with the operand follows |
//! | 6 to 13 | the operand, if no word follows |
//! | 14 to 31 | ticks since the previous entry, if no word follows |
//! | 6 to 31 | ticks since the previous entry, if a word follows |
//!
//! The operand is what identifies the thread or the handler, the reason of a wait, or the name
//! of a marker, whose value is a third word. Numbers that are no kinds of entries: 23 and 24 are
//! 7 and 8 with [`PREVIOUSLY_DISABLED`]; 22 are as many entries of [`EntryKind::Time`], each of
//! [`PAUSE_TICKS`], as its operand says; 26 and 27 are [`EntryKind::SyncResume`] and
//! [`EntryKind::Wait`] with a code address in a third word; 31 is padding. The operand of
//! [`EntryKind::Time`] is a number of ticks, that of [`EntryKind::Filter`] the sum of suppressed
//! groups.
//!
//! The operand of [`EntryKind::Formatted`] is the address of the format string, and its third
//! word the first value. [`EntryKind::FormatValues`] has two more values, and no ticks.

use super::{EntryKind, PREVIOUSLY_DISABLED};
use crate::{ByteOrder, WireError, Word};

/// Length of a [`PackedHeader`].
pub const PACKED_HEADER_BYTES: usize = 24;

/// The kind of padding, which takes one word.
pub const PADDING: u32 = 31;

/// Kinds with [`PREVIOUSLY_DISABLED`].
const DISABLED_AGAIN: u32 = 23;
const RESTORED_AGAIN: u32 = 24;

/// Kinds with a code address.
const RESUME_AT: u32 = 26;
const WAIT_AT: u32 = 27;

/// Maximum number of values of a formatted event: of the packed recorder, and the most that a
/// reader has to keep.
pub const MAX_FORMAT_VALUES: usize = 8;

/// The kind of several pauses.
pub const PAUSES: u32 = 22;

/// The duration of a pause in ticks.
pub const PAUSE_TICKS: u32 = 1 << 31;

/// The bits of the first word that contain the kind.
pub const KIND_MASK: u32 = 0x1F;

/// The bit of the first word that shows whether a word with the operand follows.
pub const HAS_OPERAND: u32 = 0x20;

/// Maximum operand within the first word.
pub const MAX_SHORT_OPERAND: u32 = 0xFF;

/// Maximum number of ticks in an entry with and without a word for the operand.
pub const MAX_LONG_TICKS: u32 = (1 << 26) - 1;
/// As [`MAX_LONG_TICKS`], without the word.
pub const MAX_SHORT_TICKS: u32 = (1 << 18) - 1;

/// The start of a section with packed entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PackedHeader {
    /// The core's number.
    pub core: u16,
    /// Number of entries, without padding, with each pause.
    pub entries: u32,
    /// The time of the entry before the first one, in ticks since the session started.
    pub start_ticks: u64,
    /// Number of entries lost in this session so far.
    pub lost: u64,
}

impl PackedHeader {
    /// Reads the header at the start of `bytes`.
    ///
    /// # Errors
    /// [`WireError::TooShort`]
    pub fn read(bytes: &[u8], order: ByteOrder) -> Result<Self, WireError> {
        let fields = || {
            Some(Self {
                core: u16::read(bytes, order)?,
                entries: u32::read(bytes.get(4..)?, order)?,
                start_ticks: u64::read(bytes.get(8..)?, order)?,
                lost: u64::read(bytes.get(16..)?, order)?,
            })
        };
        fields().ok_or(WireError::TooShort {
            structure: "the header of packed entries",
            needed: PACKED_HEADER_BYTES,
            available: bytes.len(),
        })
    }

    /// The header's bytes.
    pub fn to_bytes(self, order: ByteOrder) -> [u8; PACKED_HEADER_BYTES] {
        let mut bytes = [0; PACKED_HEADER_BYTES];
        let _ = self.core.write(&mut bytes, order);
        if let Some(rest) = bytes.get_mut(4..) {
            let _ = self.entries.write(rest, order);
        }
        if let Some(rest) = bytes.get_mut(8..) {
            let _ = self.start_ticks.write(rest, order);
        }
        if let Some(rest) = bytes.get_mut(16..) {
            let _ = self.lost.write(rest, order);
        }
        bytes
    }
}

/// An entry of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackedEntry {
    /// The type word of a [`LogEntry`](super::LogEntry): a kind, and
    /// [`PREVIOUSLY_DISABLED`]. It may be unknown.
    pub kind: u32,
    /// Ticks since the previous entry.
    pub ticks: u32,
    /// See the [module](self).
    pub operand: u32,
    /// The value of a marker, the first value of a formatted event, the second one of
    /// [`EntryKind::FormatValues`], the code address of a resume or wait; 0 if there is none.
    pub value: u32,
}

impl PackedEntry {
    /// The entry's words, and their number: the shortest form. `None` if the ticks exceed
    /// [`MAX_LONG_TICKS`]: entries of the kind [`EntryKind::Time`] must precede it.
    pub fn encode(self) -> Option<([u32; 3], usize)> {
        let kind = match self.kind {
            kind if kind == EntryKind::InterruptsDisabled as u32 | PREVIOUSLY_DISABLED => {
                DISABLED_AGAIN
            }
            kind if kind == EntryKind::InterruptsRestored as u32 | PREVIOUSLY_DISABLED => {
                RESTORED_AGAIN
            }
            kind if kind == EntryKind::SyncResume as u32 && self.value != 0 => RESUME_AT,
            kind if kind == EntryKind::Wait as u32 && self.value != 0 => WAIT_AT,
            kind => kind & KIND_MASK,
        };
        if has_value(kind) {
            let first = kind | HAS_OPERAND | self.ticks << 6;
            return (self.ticks <= MAX_LONG_TICKS)
                .then_some(([first, self.operand, self.value], 3));
        }
        if self.operand <= MAX_SHORT_OPERAND && self.ticks <= MAX_SHORT_TICKS {
            return Some(([kind | self.operand << 6 | self.ticks << 14, 0, 0], 1));
        }
        let first = kind | HAS_OPERAND | self.ticks << 6;
        (self.ticks <= MAX_LONG_TICKS).then_some(([first, self.operand, 0], 2))
    }
}

/// Number of words of the entry that starts with the word `first`, or of padding: 1 to 3.
pub const fn entry_words(first: u32) -> usize {
    match first & HAS_OPERAND {
        0 => 1,
        _ if has_value(first & KIND_MASK) => 3,
        _ => 2,
    }
}

/// Whether entries of a packed kind have a third word.
const fn has_value(kind: u32) -> bool {
    kind >= EntryKind::MarkerBegin as u32 && kind <= EntryKind::MarkerInstant as u32
        || kind >= RESUME_AT && kind <= EntryKind::FormatValues as u32
}

/// Iterates over packed entries. Ends before an incomplete one.
#[derive(Debug, Clone)]
pub struct PackedEntries<'a> {
    bytes: &'a [u8],
    order: ByteOrder,
}

impl<'a> PackedEntries<'a> {
    /// The entries in the bytes after a [`PackedHeader`].
    pub const fn new(bytes: &'a [u8], order: ByteOrder) -> Self {
        Self { bytes, order }
    }

    fn word(&mut self) -> Option<u32> {
        let word = u32::read(self.bytes, self.order)?;
        self.bytes = self.bytes.get(4..)?;
        Some(word)
    }
}

impl Iterator for PackedEntries<'_> {
    type Item = PackedEntry;

    fn next(&mut self) -> Option<PackedEntry> {
        loop {
            let first = self.word()?;
            let number = first & KIND_MASK;
            if number == PADDING {
                continue;
            }
            let (ticks, operand) = if first & HAS_OPERAND != 0 {
                (first >> 6, self.word()?)
            } else {
                (first >> 14, first >> 6 & MAX_SHORT_OPERAND)
            };
            let value = if has_value(number) { self.word()? } else { 0 };
            let kind = match number {
                DISABLED_AGAIN => EntryKind::InterruptsDisabled as u32 | PREVIOUSLY_DISABLED,
                RESTORED_AGAIN => EntryKind::InterruptsRestored as u32 | PREVIOUSLY_DISABLED,
                RESUME_AT => EntryKind::SyncResume as u32,
                WAIT_AT => EntryKind::Wait as u32,
                number => number,
            };
            return Some(PackedEntry {
                kind,
                ticks,
                operand,
                value,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    fn kind() -> impl Strategy<Value = u32> {
        prop_oneof![
            0_u32..22,
            28_u32..30,
            (7_u32..=8).prop_map(|kind| kind | PREVIOUSLY_DISABLED)
        ]
    }

    fn any_entry() -> impl Strategy<Value = PackedEntry> {
        let ticks = prop_oneof![0..=MAX_SHORT_TICKS, 0..=MAX_LONG_TICKS];
        let operand = prop_oneof![0..=MAX_SHORT_OPERAND, any::<u32>()];
        (kind(), ticks, operand, any::<u32>()).prop_map(|(kind, ticks, operand, value)| {
            PackedEntry {
                kind,
                ticks,
                operand,
                value: if has_value(kind) || matches!(kind, 2 | 20) {
                    value
                } else {
                    0
                },
            }
        })
    }

    proptest! {
        #[test]
        fn entries_are_read_as_written(
            entries in proptest::collection::vec(any_entry(), 0..50),
            big in any::<bool>(),
            padding in any::<bool>(),
        ) {
            let order = if big { ByteOrder::Big } else { ByteOrder::Little };
            let mut bytes = Vec::new();
            let mut push = |word: u32| {
                let mut four = [0; 4];
                word.write(&mut four, order).unwrap();
                bytes.extend(four);
            };
            for entry in &entries {
                let (words, count) = entry.encode().unwrap();
                prop_assert_eq!(entry_words(words[0]), count);
                words.iter().take(count).for_each(|word| push(*word));
                if padding {
                    push(PADDING);
                }
            }
            let read: Vec<_> = PackedEntries::new(&bytes, order).collect();
            prop_assert_eq!(&read, &entries);
            // A cut section loses complete entries only.
            for length in 0..bytes.len() {
                let cut: Vec<_> = PackedEntries::new(&bytes[..length], order).collect();
                prop_assert!(entries.starts_with(&cut));
            }
        }

        #[test]
        fn any_words_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let entries = PackedEntries::new(&bytes, ByteOrder::Little).count();
            prop_assert!(entries <= bytes.len() / 4);
        }

        #[test]
        fn headers_are_read_as_written(
            core in any::<u16>(),
            entries in any::<u32>(),
            start_ticks in any::<u64>(),
            lost in any::<u64>(),
        ) {
            let header = PackedHeader { core, entries, start_ticks, lost };
            for order in [ByteOrder::Little, ByteOrder::Big] {
                let bytes = header.to_bytes(order);
                prop_assert_eq!(PackedHeader::read(&bytes, order), Ok(header));
                prop_assert!(PackedHeader::read(&bytes[..23], order).is_err());
            }
        }
    }
}
