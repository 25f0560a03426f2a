use crate::{ByteOrder, WireError, Word};

/// The type of a section: four characters. A reader skips unknown tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SectionTag(pub [u8; 4]);

impl SectionTag {
    /// A [`CoreHeader`] and the entries of one core as in memory.
    pub const CORE: Self = Self(*b"CORE");
    /// A [`CoreHistory`]: the position of a core's entries.
    pub const PAST: Self = Self(*b"PAST");
    /// A thread's name: its address (8 bytes) and its characters, without a NUL. If an
    /// address has several names, the first one counts.
    pub const NAME: Self = Self(*b"NAME");
    /// A symbol: its address and its size (8 bytes each, size 0 if unknown),
    /// then its name.
    pub const SYMBOL: Self = Self(*b"SYMB");
    /// A [`BlackBoxHeader`](crate::black_box::BlackBoxHeader): the log of the first core
    /// was recovered after a reset.
    pub const BLACK_BOX: Self = Self(*b"BBOX");
    /// A [`PackedHeader`](super::packed::PackedHeader) and packed entries of one core.
    pub const PACKED: Self = Self(*b"PACK");
    /// The end: the [`Crc32`](super::Crc32) of all preceding bytes, including this
    /// section's header (4 bytes), or from [`SUMMED_VERSION`](super::SUMMED_VERSION) on their
    /// [`WordSum`](super::WordSum) (8 bytes). Bytes after it do not belong to the container.
    pub const END: Self = Self(*b"END ");
}

/// Length of a [`SectionHeader`].
pub const SECTION_HEADER_BYTES: usize = 12;

/// Length of a [`CoreHeader`].
pub const CORE_HEADER_BYTES: usize = 32;

/// Length of a [`SectionTag::SYMBOL`] section before the name.
pub const SYMBOL_FIXED_BYTES: usize = 16;

/// The start of every section: the tag (4 bytes), then the length of the content (8
/// bytes). Sections follow one another without padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectionHeader {
    /// The type of the section.
    pub tag: SectionTag,
    /// Length of the content after this header, in bytes.
    pub length: u64,
}

impl SectionHeader {
    /// Reads the header at the start of `bytes`.
    ///
    /// # Errors
    /// [`WireError::TooShort`]
    pub fn read(bytes: &[u8], order: ByteOrder) -> Result<Self, WireError> {
        let fields = || {
            let tag = bytes.get(..4)?.try_into().ok()?;
            let length = u64::read(bytes.get(4..)?, order)?;
            Some(Self {
                tag: SectionTag(tag),
                length,
            })
        };
        fields().ok_or(WireError::TooShort {
            structure: "a section header",
            needed: SECTION_HEADER_BYTES,
            available: bytes.len(),
        })
    }

    /// The header's bytes.
    pub fn to_bytes(self, order: ByteOrder) -> [u8; SECTION_HEADER_BYTES] {
        let mut bytes = [0; SECTION_HEADER_BYTES];
        for (place, byte) in bytes.iter_mut().zip(self.tag.0) {
            *place = byte;
        }
        if let Some(length) = bytes.get_mut(4..) {
            let _ = self.length.write(length, order);
        }
        bytes
    }
}

/// The start of a [`SectionTag::CORE`] section.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 2 | core number |
/// | 2 | 2 | bit 0: the buffer is a ring; bit 1: the ring has wrapped; others: [`UnknownFields`] |
/// | 4 | 4 | 0 |
/// | 8 | 4 | number of entries that follow |
/// | 12 | 4 | index of the oldest entry |
/// | 16 | 8 | lost entries: those that found the buffer full |
/// | 24 | 8 | idle time in ticks |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CoreHeader {
    /// The core's number.
    pub core: u16,
    /// Whether the buffer is a ring.
    pub cyclic: bool,
    /// Whether entries have been overwritten.
    pub wrapped: bool,
    /// Number of entries that follow.
    pub entries: u32,
    /// Index of the oldest entry; the others follow it, continuing at index 0.
    pub oldest_index: u32,
    /// Lost entries: those that found the buffer full.
    pub lost: u64,
    /// Idle time in ticks, as measured by the target.
    pub idle_ticks: u64,
}

/// The fields of a core's [`CoreHeader`] whose values are unknown, as further bits at
/// offset 2. The fields themselves are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnknownFields {
    /// Bit 2: whether the recording continued after the last entry, because the buffer is
    /// not a ring and was full. Targets that count lost entries need not set it.
    pub end: bool,
    /// Bit 3: whether the buffer is a ring.
    pub cyclic: bool,
    /// Bit 4: the number of lost entries.
    pub lost: bool,
    /// Bit 5: the idle time.
    pub idle: bool,
}

const CYCLIC: u16 = 1;
const WRAPPED: u16 = 2;
const END_UNKNOWN: u16 = 4;
const CYCLIC_UNKNOWN: u16 = 8;
const LOST_UNKNOWN: u16 = 16;
const IDLE_UNKNOWN: u16 = 32;

impl UnknownFields {
    /// Reads the flags of the header at the start of `bytes`.
    pub fn read(bytes: &[u8], order: ByteOrder) -> Self {
        let flags = bytes.get(2..).and_then(|bytes| u16::read(bytes, order));
        let flags = flags.unwrap_or_default();
        Self {
            end: flags & END_UNKNOWN != 0,
            cyclic: flags & CYCLIC_UNKNOWN != 0,
            lost: flags & LOST_UNKNOWN != 0,
            idle: flags & IDLE_UNKNOWN != 0,
        }
    }

    const fn bits(self) -> u16 {
        (END_UNKNOWN * self.end as u16)
            | (CYCLIC_UNKNOWN * self.cyclic as u16)
            | (LOST_UNKNOWN * self.lost as u16)
            | (IDLE_UNKNOWN * self.idle as u16)
    }
}

impl CoreHeader {
    /// Reads the header at the start of `bytes`.
    ///
    /// # Errors
    /// [`WireError::TooShort`]
    pub fn read(bytes: &[u8], order: ByteOrder) -> Result<Self, WireError> {
        let fields = || {
            let flags = u16::read(bytes.get(2..)?, order)?;
            Some(Self {
                core: u16::read(bytes, order)?,
                cyclic: flags & CYCLIC != 0,
                wrapped: flags & WRAPPED != 0,
                entries: u32::read(bytes.get(8..)?, order)?,
                oldest_index: u32::read(bytes.get(12..)?, order)?,
                lost: u64::read(bytes.get(16..)?, order)?,
                idle_ticks: u64::read(bytes.get(24..)?, order)?,
            })
        };
        fields().ok_or(WireError::TooShort {
            structure: "the header of a core's log",
            needed: CORE_HEADER_BYTES,
            available: bytes.len(),
        })
    }

    /// The header's bytes if all fields are known.
    pub fn to_bytes(self, order: ByteOrder) -> [u8; CORE_HEADER_BYTES] {
        self.to_bytes_with_unknown(UnknownFields::default(), order)
    }

    /// The header's bytes if some fields are unknown.
    pub fn to_bytes_with_unknown(
        self,
        unknown: UnknownFields,
        order: ByteOrder,
    ) -> [u8; CORE_HEADER_BYTES] {
        let mut bytes = [0; CORE_HEADER_BYTES];
        let flags = (CYCLIC * u16::from(self.cyclic))
            | (WRAPPED * u16::from(self.wrapped))
            | unknown.bits();
        let mut words = bytes.chunks_exact_mut(8);
        let mut next = || words.next().unwrap_or_default();
        let start = next();
        let _ = self.core.write(start, order);
        let _ = flags.write(start.get_mut(2..).unwrap_or_default(), order);
        let ring = next();
        let _ = self.entries.write(ring, order);
        let _ = self
            .oldest_index
            .write(ring.get_mut(4..).unwrap_or_default(), order);
        let _ = self.lost.write(next(), order);
        let _ = self.idle_ticks.write(next(), order);
        bytes
    }
}

/// Length of a [`CoreHistory`].
pub const CORE_HISTORY_BYTES: usize = 16;

/// The content of a [`SectionTag::PAST`] section: the position
/// of the container's entries in the session of a core, so that a reader can append a
/// later container.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 2 | core number |
/// | 2 | 2 | 0 |
/// | 4 | 4 | session |
/// | 8 | 8 | number of entries written before the oldest one of the container |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CoreHistory {
    /// The core's number.
    pub core: u16,
    /// The session: a number that changes each time the core's log is started.
    pub session: u32,
    /// Number of entries that the session wrote before the oldest one in the container.
    pub preceding_entries: u64,
}

impl CoreHistory {
    /// Reads the section's content at the start of `bytes`.
    ///
    /// # Errors
    /// [`WireError::TooShort`]
    pub fn read(bytes: &[u8], order: ByteOrder) -> Result<Self, WireError> {
        let fields = || {
            Some(Self {
                core: u16::read(bytes, order)?,
                session: u32::read(bytes.get(4..)?, order)?,
                preceding_entries: u64::read(bytes.get(8..)?, order)?,
            })
        };
        fields().ok_or(WireError::TooShort {
            structure: "the history of a core",
            needed: CORE_HISTORY_BYTES,
            available: bytes.len(),
        })
    }

    /// The section's content as bytes.
    pub fn to_bytes(self, order: ByteOrder) -> [u8; CORE_HISTORY_BYTES] {
        let mut bytes = [0; CORE_HISTORY_BYTES];
        let mut words = bytes.chunks_exact_mut(4);
        let mut next = || words.next().unwrap_or_default();
        let _ = self.core.write(next(), order);
        let _ = self.session.write(next(), order);
        if let Some(before) = bytes.get_mut(8..) {
            let _ = self.preceding_entries.write(before, order);
        }
        bytes
    }
}
