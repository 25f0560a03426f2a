//! Packets of a trace that a target sends while it records.

use super::{BufferLayout, UlongSize};
use crate::cswitch::{ORDER_MARK, SectionTag};
use crate::{ByteOrder, WireError, Word};

/// The first four bytes of a packet.
pub const PACKET_MAGIC: [u8; 4] = *b"TXTS";

/// The version that this crate writes. A reader rejects newer versions. Additions that need
/// no new version are new sections.
pub const PACKET_VERSION: u16 = 1;

/// Length of a [`PacketHeader`].
pub const PACKET_HEADER_BYTES: usize = 32;

/// The section with the new entries of the ring: a [`RingPosition`], then the entries as in
/// memory.
pub const RING_SECTION: SectionTag = SectionTag(*b"RING");

/// A section with consecutive slots of the object registry that are new or have changed: the
/// number of the first slot (4 bytes), then the slots as in memory.
pub const OBJECTS_SECTION: SectionTag = SectionTag(*b"OBJS");

/// Bytes of an [`OBJECTS_SECTION`] before the slots.
pub const OBJECTS_FIXED_BYTES: usize = 4;

/// Length of a [`RingPosition`].
pub const RING_POSITION_BYTES: usize = 16;

/// The header of a packet: facts of the buffer's control header, and the session. All fields
/// except the magic are in the target's byte order. Sections follow, as in a
/// [CSWL container](crate::cswitch): the last one is [`SectionTag::END`].
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 4 | [`PACKET_MAGIC`] |
/// | 4 | 4 | [`ORDER_MARK`] |
/// | 8 | 2 | version |
/// | 10 | 1 | size of a `ULONG` in bytes, 4 or 8 |
/// | 11 | 1 | 0 |
/// | 12 | 2 | length of an object name in bytes |
/// | 14 | 2 | number of slots of the registry, at most 65535 |
/// | 16 | 8 | timer mask |
/// | 24 | 4 | session |
/// | 28 | 4 | number of slots of the ring |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PacketHeader {
    /// The target's byte order and size of a `ULONG`.
    pub layout: BufferLayout,
    /// [`PACKET_VERSION`].
    pub version: u16,
    /// Length of an object name in bytes, including its NUL.
    pub name_size: u16,
    /// Number of slots of the registry.
    pub registry_slots: u16,
    /// The bits of a timestamp that the time source provides.
    pub timer_mask: u64,
    /// The session: a number that changes each time the trace is enabled.
    pub session: u32,
    /// Number of slots of the ring.
    pub ring_slots: u32,
}

const STRUCTURE: &str = "the header of a TXTS packet";

impl PacketHeader {
    /// Reads the header at the start of `bytes`. Returns `None` if `bytes` does not start
    /// with a packet of any version: if the magic, the byte-order mark or the size of a
    /// `ULONG` is invalid.
    ///
    /// # Errors
    /// [`WireError::TooShort`] if the magic is present and the rest is truncated.
    pub fn read(bytes: &[u8]) -> Result<Option<Self>, WireError> {
        if !bytes.starts_with(&PACKET_MAGIC) {
            return Ok(None);
        }
        BufferLayout::check_len(STRUCTURE, PACKET_HEADER_BYTES, bytes.len())?;
        let field = |at: usize| bytes.get(at..).unwrap_or_default();
        let marked = |order: &ByteOrder| u32::read(field(4), *order) == Some(ORDER_MARK);
        let fields = || {
            let order = [ByteOrder::Little, ByteOrder::Big]
                .into_iter()
                .find(marked)?;
            let ulong = match bytes.get(10)? {
                4 => UlongSize::Four,
                8 => UlongSize::Eight,
                _ => return None,
            };
            Some(Self {
                layout: BufferLayout::new(order, ulong),
                version: u16::read(field(8), order)?,
                name_size: u16::read(field(12), order)?,
                registry_slots: u16::read(field(14), order)?,
                timer_mask: u64::read(field(16), order)?,
                session: u32::read(field(24), order)?,
                ring_slots: u32::read(field(28), order)?,
            })
        };
        Ok(fields())
    }

    /// The header's bytes.
    pub fn to_bytes(self) -> [u8; PACKET_HEADER_BYTES] {
        let mut bytes = [0; PACKET_HEADER_BYTES];
        let order = self.layout.order;
        let mut fields = bytes.chunks_exact_mut(4);
        let mut next = || fields.next().unwrap_or_default();
        for (place, byte) in next().iter_mut().zip(PACKET_MAGIC) {
            *place = byte;
        }
        let _ = ORDER_MARK.write(next(), order);
        let sizes = next();
        let _ = self.version.write(sizes, order);
        if let [_, _, ulong, _] = sizes {
            *ulong = self.layout.ulong.bytes() as u8;
        }
        let names = next();
        let _ = self.name_size.write(names, order);
        let _ = self
            .registry_slots
            .write(names.get_mut(2..).unwrap_or_default(), order);
        if let Some(mask) = bytes.get_mut(16..) {
            let _ = self.timer_mask.write(mask, order);
        }
        if let Some(session) = bytes.get_mut(24..) {
            let _ = self.session.write(session, order);
        }
        if let Some(slots) = bytes.get_mut(28..) {
            let _ = self.ring_slots.write(slots, order);
        }
        bytes
    }
}

/// The start of a [`RING_SECTION`]: the position of its entries in the session.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 8 | number of the first entry, counted from 0 |
/// | 8 | 8 | number of entries before it that were overwritten before they were sent |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RingPosition {
    /// Number of entries that the session wrote before the first one of the packet.
    pub first_entry: u64,
    /// How many of them were overwritten before they could be sent.
    pub overwritten: u64,
}

impl RingPosition {
    /// Reads the position at the start of `bytes`.
    ///
    /// # Errors
    /// [`WireError::TooShort`]
    pub fn read(bytes: &[u8], order: ByteOrder) -> Result<Self, WireError> {
        let fields = || {
            Some(Self {
                first_entry: u64::read(bytes, order)?,
                overwritten: u64::read(bytes.get(8..)?, order)?,
            })
        };
        fields().ok_or(WireError::TooShort {
            structure: "the position of a packet's entries",
            needed: RING_POSITION_BYTES,
            available: bytes.len(),
        })
    }

    /// The position's bytes.
    pub fn to_bytes(self, order: ByteOrder) -> [u8; RING_POSITION_BYTES] {
        let mut bytes = [0; RING_POSITION_BYTES];
        let mut words = bytes.chunks_exact_mut(8);
        let mut next = || words.next().unwrap_or_default();
        let _ = self.first_entry.write(next(), order);
        let _ = self.overwritten.write(next(), order);
        bytes
    }
}
