use super::packet::{
    OBJECTS_FIXED_BYTES, OBJECTS_SECTION, PACKET_HEADER_BYTES, PacketHeader, RING_POSITION_BYTES,
    RING_SECTION, RingPosition,
};
use crate::cswitch::{Crc32, SECTION_HEADER_BYTES, SectionHeader, SectionTag};
use crate::{ByteOrder, Word};

/// Bytes of the last section, with the checksum.
const END_BYTES: usize = SECTION_HEADER_BYTES + u32::BYTES;

/// Length of a packet with neither objects nor entries.
pub const MIN_PACKET_BYTES: usize =
    PACKET_HEADER_BYTES + SECTION_HEADER_BYTES + RING_POSITION_BYTES + END_BYTES;

/// Writes a packet into a buffer: slots of the registry first, then entries of the ring.
#[derive(Debug)]
pub struct PacketWriter<'b> {
    buffer: &'b mut [u8],
    length: usize,
    order: ByteOrder,
    /// Where the header of the last section of objects is, and the slot that would continue
    /// it.
    objects: Option<(usize, u32)>,
    /// Where the header of the section of entries is.
    ring: Option<usize>,
}

impl<'b> PacketWriter<'b> {
    /// Starts a packet; `None` if the buffer is shorter than [`MIN_PACKET_BYTES`].
    pub fn new(buffer: &'b mut [u8], header: PacketHeader) -> Option<Self> {
        if buffer.len() < MIN_PACKET_BYTES {
            return None;
        }
        let mut packet = Self {
            buffer,
            length: 0,
            order: header.layout.order,
            objects: None,
            ring: None,
        };
        packet.push(&header.to_bytes());
        Some(packet)
    }

    /// Room for entries in bytes, once the section of entries has begun, or as if it began
    /// now.
    pub fn entry_room(&self) -> usize {
        let reserved = match self.ring {
            Some(_) => END_BYTES,
            None => SECTION_HEADER_BYTES + RING_POSITION_BYTES + END_BYTES,
        };
        self.buffer
            .len()
            .saturating_sub(self.length)
            .saturating_sub(reserved)
    }

    /// Adds a slot of the registry as in memory. Returns `false` if there is no room, or if
    /// entries were added before.
    pub fn push_object(&mut self, slot: u32, bytes: &[u8]) -> bool {
        let continued = self.objects.filter(|(_, next)| *next == slot);
        let start_bytes = match continued {
            Some(_) => 0,
            None => SECTION_HEADER_BYTES + OBJECTS_FIXED_BYTES,
        };
        if self.ring.is_some() || self.entry_room() < start_bytes + bytes.len() {
            return false;
        }
        let section = match continued {
            Some((section, _)) => section,
            None => {
                let section = self.begin_section(OBJECTS_SECTION);
                let mut number = [0; OBJECTS_FIXED_BYTES];
                let _ = slot.write(&mut number, self.order);
                self.push(&number);
                section
            }
        };
        self.push(bytes);
        self.set_section_length(OBJECTS_SECTION, section);
        self.objects = Some((section, slot.wrapping_add(1)));
        true
    }

    /// Begins the section of entries. The packet has one.
    pub fn begin_ring(&mut self, position: RingPosition) {
        if self.ring.is_none() {
            let section = self.begin_section(RING_SECTION);
            self.push(&position.to_bytes(self.order));
            self.set_section_length(RING_SECTION, section);
            self.ring = Some(section);
        }
    }

    /// Adds entries as in memory. Returns `false` if there is no room, or if the section of
    /// entries has not begun.
    pub fn push_entries(&mut self, bytes: &[u8]) -> bool {
        let section = match self.ring {
            Some(section) if self.entry_room() >= bytes.len() => section,
            _ => return false,
        };
        self.push(bytes);
        self.set_section_length(RING_SECTION, section);
        true
    }

    /// Ends the packet with its checksum. Returns its length.
    pub fn finish(mut self) -> usize {
        let tag = SectionTag::END;
        let length = u32::BYTES as u64;
        self.push(&SectionHeader { tag, length }.to_bytes(self.order));
        let mut sum = Crc32::new();
        sum.update(self.buffer.get(..self.length).unwrap_or_default());
        let mut bytes = [0; u32::BYTES];
        let _ = sum.value().write(&mut bytes, self.order);
        self.push(&bytes);
        self.length
    }

    /// Writes a section's header. Returns where it is.
    fn begin_section(&mut self, tag: SectionTag) -> usize {
        let start = self.length;
        self.push(&SectionHeader { tag, length: 0 }.to_bytes(self.order));
        start
    }

    /// Sets the length of the section at `start`, which ends here.
    fn set_section_length(&mut self, tag: SectionTag, start: usize) {
        let content = self
            .length
            .saturating_sub(start)
            .saturating_sub(SECTION_HEADER_BYTES);
        let length = content as u64;
        let header = SectionHeader { tag, length }.to_bytes(self.order);
        self.write_at(start, &header);
    }

    /// Appends bytes, for which the caller has checked the room.
    fn push(&mut self, bytes: &[u8]) {
        self.write_at(self.length, bytes);
        self.length = self.length.saturating_add(bytes.len());
    }

    fn write_at(&mut self, at: usize, bytes: &[u8]) {
        let place = self.buffer.get_mut(at..).unwrap_or_default();
        for (to, from) in place.iter_mut().zip(bytes) {
            *to = *from;
        }
    }
}
