use super::name_table::StreamName;
use crate::cswitch::BYTE_ORDER;
use rtoscope_wire::Word;
use rtoscope_wire::cswitch::packed::{PACKED_HEADER_BYTES, PackedHeader};
use rtoscope_wire::cswitch::{
    CoreHistory, Crc32, CswlHeader, PACKED_VERSION, PointerSize, SECTION_HEADER_BYTES,
    SYMBOL_FIXED_BYTES, SectionHeader, SectionTag,
};

/// A container in a buffer. What finds no room is skipped.
pub(super) struct ContainerBuffer<'a> {
    bytes: &'a mut [u8],
    pub(super) length: usize,
}

/// Length of the section at the end of a container.
pub(super) const END_BYTES: usize = SECTION_HEADER_BYTES + 4;

impl<'a> ContainerBuffer<'a> {
    /// A container with packed entries of one core.
    pub(super) fn new(bytes: &'a mut [u8], frequency_hz: u32) -> Self {
        let mut container = Self { bytes, length: 0 };
        let header = CswlHeader {
            order: BYTE_ORDER,
            version: PACKED_VERSION,
            pointer_size: PointerSize::Four,
            counter_bits: 32,
            cores: 1,
            frequency_hz: frequency_hz.into(),
        };
        container.push(&header.to_bytes());
        container
    }

    /// Number of bytes that can follow.
    pub(super) fn room(&self) -> usize {
        self.bytes.len().saturating_sub(self.length)
    }

    fn push(&mut self, bytes: &[u8]) {
        self.put(self.length, bytes);
        self.length = self.length.wrapping_add(bytes.len()).min(self.bytes.len());
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        let places = self.bytes.get_mut(at..).unwrap_or_default();
        for (place, byte) in places.iter_mut().zip(bytes) {
            *place = *byte;
        }
    }

    /// Appends a word of an entry.
    pub(super) fn push_word(&mut self, word: u32) {
        self.push(&word.to_ne_bytes());
    }

    fn push_u64(&mut self, number: u64) {
        self.push(&number.to_ne_bytes());
    }

    fn push_section(&mut self, tag: SectionTag, length: usize) {
        let length = length as u64;
        self.push(&SectionHeader { tag, length }.to_bytes(BYTE_ORDER));
    }

    pub(super) fn push_name(&mut self, name: StreamName) {
        let bytes = name.text.as_bytes();
        if name.is_handler {
            let length = bytes.len().wrapping_add(SYMBOL_FIXED_BYTES);
            self.push_section(SectionTag::SYMBOL, length);
            self.push_u64(name.id.into());
            self.push_u64(1);
        } else {
            let length = bytes.len().wrapping_add(<u64 as Word>::BYTES);
            self.push_section(SectionTag::NAME, length);
            self.push_u64(name.id.into());
        }
        self.push(bytes);
    }

    pub(super) fn push_history(&mut self, history: CoreHistory) {
        let bytes = history.to_bytes(BYTE_ORDER);
        self.push_section(SectionTag::PAST, bytes.len());
        self.push(&bytes);
    }

    /// Leaves room for the start of the section of packed entries, which
    /// [`ContainerBuffer::finish`] writes. Returns its position.
    pub(super) fn begin_entries(&mut self) -> usize {
        let at = self.length;
        self.length = at
            .wrapping_add(SECTION_HEADER_BYTES + PACKED_HEADER_BYTES)
            .min(self.bytes.len());
        at
    }

    /// Ends the section of packed entries at `at`, and the container. Returns its length.
    pub(super) fn finish(&mut self, at: usize, header: PackedHeader) -> usize {
        let content = at.wrapping_add(SECTION_HEADER_BYTES);
        let section = SectionHeader {
            tag: SectionTag::PACKED,
            length: self.length.wrapping_sub(content) as u64,
        };
        self.put(at, &section.to_bytes(BYTE_ORDER));
        self.put(content, &header.to_bytes(BYTE_ORDER));
        self.push_section(SectionTag::END, 4);
        let mut sum = Crc32::new();
        sum.update(self.bytes.get(..self.length).unwrap_or_default());
        self.push_word(sum.value());
        self.length
    }
}
