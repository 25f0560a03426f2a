use super::name_table::StreamName;
use crate::cswitch::BYTE_ORDER;
use rtoscope_wire::cswitch::packed::{PACKED_HEADER_BYTES, PackedHeader};
use rtoscope_wire::cswitch::{
    CORE_HISTORY_BYTES, CoreHistory, CswlHeader, PointerSize, SECTION_HEADER_BYTES,
    SUMMED_VERSION, SYMBOL_FIXED_BYTES, SectionHeader, SectionTag, WordSum, checksum_bytes,
};

/// A container in a buffer, written in words. What finds no room is skipped.
pub(super) struct ContainerBuffer<'a> {
    bytes: &'a mut [u8],
    length: usize,
    /// The checksum of the words so far.
    sum: WordSum,
}

/// Length of the section at the end of a container.
pub(super) const END_BYTES: usize = SECTION_HEADER_BYTES + checksum_bytes(SUMMED_VERSION);

/// Length of the sections before the entries, without names.
pub(super) const START_BYTES: usize =
    2 * SECTION_HEADER_BYTES + CORE_HISTORY_BYTES + PACKED_HEADER_BYTES;

impl<'a> ContainerBuffer<'a> {
    /// A container with packed entries of one core.
    pub(super) fn new(bytes: &'a mut [u8], frequency_hz: u32) -> Self {
        let mut container = Self {
            bytes,
            length: 0,
            sum: WordSum::new(),
        };
        let header = CswlHeader {
            order: BYTE_ORDER,
            version: SUMMED_VERSION,
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

    /// Appends a multiple of 4 bytes.
    fn push(&mut self, bytes: &[u8]) {
        self.push_words(bytes.chunks(4).map(|four| {
            let mut word = [0; 4];
            for (place, byte) in word.iter_mut().zip(four) {
                *place = *byte;
            }
            u32::from_ne_bytes(word)
        }));
    }

    /// Appends words.
    #[inline(always)]
    pub(super) fn push_words(&mut self, words: impl Iterator<Item = u32>) {
        let places = self.bytes.get_mut(self.length..).unwrap_or_default();
        let mut length = self.length;
        let mut sum = self.sum;
        for (place, word) in places.chunks_exact_mut(4).zip(words) {
            if let Ok(place) = <&mut [u8; 4]>::try_from(place) {
                *place = word.to_ne_bytes();
            }
            sum.add(word);
            length = length.wrapping_add(4);
        }
        self.length = length;
        self.sum = sum;
    }

    fn push_u64(&mut self, number: u64) {
        self.push(&number.to_ne_bytes());
    }

    fn push_section(&mut self, tag: SectionTag, length: usize) {
        let length = length as u64;
        self.push(&SectionHeader { tag, length }.to_bytes(BYTE_ORDER));
    }

    pub(super) fn push_name(&mut self, name: StreamName) {
        let length = name.padded_bytes();
        if name.is_handler {
            self.push_section(
                SectionTag::SYMBOL,
                length.wrapping_add(SYMBOL_FIXED_BYTES),
            );
            self.push_u64(name.id.into());
            self.push_u64(1);
        } else {
            self.push_section(SectionTag::NAME, length.wrapping_add(8));
            self.push_u64(name.id.into());
        }
        self.push(name.text.as_bytes());
    }

    pub(super) fn push_history(&mut self, history: CoreHistory) {
        let bytes = history.to_bytes(BYTE_ORDER);
        self.push_section(SectionTag::PAST, bytes.len());
        self.push(&bytes);
    }

    /// The place of the packed entries, whose section follows.
    pub(super) fn entries_mut(&mut self) -> &mut [u8] {
        let start = SECTION_HEADER_BYTES + PACKED_HEADER_BYTES;
        let end = self.bytes.len().saturating_sub(END_BYTES);
        let start = self.length.wrapping_add(start);
        self.bytes.get_mut(start..end).unwrap_or_default()
    }

    /// Appends the section of packed entries as far as it precedes their words.
    pub(super) fn push_packed(&mut self, header: PackedHeader, words: usize) {
        let length = words.wrapping_mul(4).wrapping_add(PACKED_HEADER_BYTES);
        self.push_section(SectionTag::PACKED, length);
        self.push(&header.to_bytes(BYTE_ORDER));
    }

    /// Appends the words that are there, stored by [`ContainerBuffer::entries_mut`].
    pub(super) fn keep_words(&mut self, words: usize) {
        let kept = self.bytes.get(self.length..).unwrap_or_default();
        for four in kept.chunks_exact(4).take(words) {
            if let Ok(four) = <[u8; 4]>::try_from(four) {
                self.sum.add(u32::from_ne_bytes(four));
            }
        }
        self.length = self.length.wrapping_add(words.wrapping_mul(4));
    }

    /// Ends the container. Returns its length.
    pub(super) fn finish(mut self) -> usize {
        self.push_section(SectionTag::END, checksum_bytes(SUMMED_VERSION));
        let sums = self.sum.values();
        self.push_words(sums.into_iter());
        self.length
    }
}
