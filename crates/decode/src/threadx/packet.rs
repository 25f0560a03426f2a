//! The packets of a trace that a target sends while it records.

use super::TraceBuffer;
use crate::sections::{self, ContainerHeader, MAX_SECTION_BYTES};
use rtoscope_wire::cswitch::{SectionHeader, SectionTag};
use rtoscope_wire::threadx::{
    ControlHeader, MARKERS, OBJECTS_FIXED_BYTES, OBJECTS_SECTION, PACKET_HEADER_BYTES,
    PACKET_MAGIC, PACKET_VERSION, PacketHeader, RING_POSITION_BYTES, RING_SECTION, RingPosition,
    TXTB_ID,
};
use rtoscope_wire::{ByteOrder, Word};

/// A packet with a valid checksum.
pub(crate) struct Packet<'b> {
    pub(crate) header: PacketHeader,
    /// Runs of registry slots: the number of the first one, and their bytes.
    pub(crate) objects: Vec<(u32, &'b [u8])>,
    /// The position of the first entry, if the packet has a section of entries.
    pub(crate) position: Option<RingPosition>,
    /// Complete entries as in memory.
    pub(crate) entries: &'b [u8],
}

impl ContainerHeader for PacketHeader {
    const MAGIC: [u8; 4] = PACKET_MAGIC;
    const BYTES: usize = PACKET_HEADER_BYTES;

    fn read(bytes: &[u8]) -> Option<Self> {
        let header = Self::read(bytes).ok().flatten();
        header.filter(|header| header.version <= PACKET_VERSION)
    }

    fn order(self) -> ByteOrder {
        self.layout.order
    }

    fn is_plausible(self, section: SectionHeader, _content: &[u8]) -> Option<bool> {
        let whole = |start: usize, unit: usize| {
            let content = section.length.checked_sub(start as u64);
            content.is_some_and(|content| content.is_multiple_of(unit as u64))
        };
        let is_whole = match section.tag {
            RING_SECTION => whole(RING_POSITION_BYTES, self.layout.entry_bytes()),
            OBJECTS_SECTION => whole(
                OBJECTS_FIXED_BYTES,
                self.layout.registry_stride(self.name_size),
            ),
            SectionTag::END => section.length == u32::BYTES as u64,
            SectionTag(other) => other.iter().all(|byte| (b' '..=b'~').contains(byte)),
        };
        Some(is_whole && section.length <= MAX_SECTION_BYTES)
    }
}

/// Finds the start of a packet.
pub(crate) fn find(bytes: &[u8]) -> Option<usize> {
    sections::find::<PacketHeader>(bytes)
}

impl<'b> Packet<'b> {
    /// Reads a packet whose sections and checksum are valid.
    pub(crate) fn read(bytes: &'b [u8]) -> Option<Self> {
        let header = <PacketHeader as ContainerHeader>::read(bytes)?;
        let order = header.layout.order;
        let mut packet = Self {
            header,
            objects: Vec::new(),
            position: None,
            entries: &[],
        };
        for (tag, content) in sections::sections::<PacketHeader>(bytes, order) {
            let content = bytes.get(content)?;
            match tag {
                SectionTag::END => return Some(packet),
                OBJECTS_SECTION => {
                    let first = u32::read(content, order)?;
                    packet
                        .objects
                        .push((first, content.get(OBJECTS_FIXED_BYTES..)?));
                }
                RING_SECTION if packet.position.is_none() => {
                    packet.position = Some(RingPosition::read(content, order).ok()?);
                    packet.entries = content.get(RING_POSITION_BYTES..)?;
                }
                _ => {}
            }
        }
        None
    }
}

/// A trace buffer at address 0 in place of the one that the target keeps to itself: the
/// registry, and the ring after it.
pub(crate) fn buffer_in_place(
    header: &PacketHeader,
    registry_slots: usize,
    event_slots: usize,
) -> TraceBuffer {
    let stride = header.layout.registry_stride(header.name_size);
    let registry_end = (registry_slots * stride) as u64;
    let event_bytes = (event_slots as u64).saturating_mul(header.layout.entry_bytes() as u64);
    TraceBuffer {
        layout: header.layout,
        header: ControlHeader {
            id: TXTB_ID,
            timer_mask: header.timer_mask,
            base_address: 0,
            registry_start: 0,
            reserved1: 0,
            name_size: header.name_size,
            registry_end,
            buffer_start: registry_end,
            buffer_end: registry_end.saturating_add(event_bytes),
            current: registry_end,
            markers: MARKERS,
        },
        address: 0,
        registry_slots: registry_slots as u64,
        event_slots: event_slots as u64,
    }
}
