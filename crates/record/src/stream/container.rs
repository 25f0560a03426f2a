use super::name_table::StreamName;
use rtoscope_wire::cswitch::packed::{PACKED_HEADER_BYTES, PackedHeader};
use rtoscope_wire::cswitch::{
    CORE_HISTORY_BYTES, CoreHistory, MAGIC, ORDER_MARK, SECTION_HEADER_BYTES, SUMMED_VERSION,
    SYMBOL_FIXED_BYTES, SectionTag, WordSum, checksum_bytes,
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

/// Maximum number of words of a container's entries.
const MAX_ENTRY_WORDS: usize = 8192;

/// The words of a name's section before its text.
const NAME_WORDS: usize = 7;

/// The words of the longest name.
const TEXT_WORDS: usize = 8;

impl<'a> ContainerBuffer<'a> {
    /// A container with packed entries of one core.
    pub(super) fn new(bytes: &'a mut [u8], frequency_hz: u32) -> Self {
        let mut container = Self {
            bytes,
            length: 0,
            sum: WordSum::new(),
        };
        let [version, version_end] = SUMMED_VERSION.to_ne_bytes();
        let [low, high] = halves(frequency_hz.into());
        container.push(&[
            u32::from_ne_bytes(MAGIC),
            ORDER_MARK,
            // The size of a pointer, and the bits of the counter.
            u32::from_ne_bytes([version, version_end, 4, 32]),
            pair(1),
            low,
            high,
        ]);
        container
    }

    /// Number of bytes that can follow.
    pub(super) fn room(&self) -> usize {
        self.bytes.len().saturating_sub(self.length)
    }

    /// Appends some words.
    #[inline(never)]
    fn push(&mut self, words: &[u32]) {
        self.push_entries(words);
    }

    /// Appends words.
    #[inline(always)]
    pub(super) fn push_entries(&mut self, words: &[u32]) {
        let end = self.length.wrapping_add(words.len().wrapping_mul(4));
        let mut place = match self.bytes.get_mut(self.length..end) {
            Some(places) => places.as_mut_ptr().cast::<u32>(),
            None => return,
        };
        let mut sum = self.sum;
        for word in words {
            // SAFETY: `places` has four bytes for each word. Iterators take several times as many
            // instructions.
            unsafe { place.write_unaligned(*word) };
            place = place.wrapping_add(1);
            sum.add(*word);
        }
        self.length = end;
        self.sum = sum;
    }

    pub(super) fn push_name(&mut self, name: StreamName) {
        let (tag, fixed) = match name.is_handler {
            true => (SectionTag::SYMBOL, SYMBOL_FIXED_BYTES),
            false => (SectionTag::NAME, 8),
        };
        let text_bytes = name.padded_bytes();
        let [length, length_end] = halves(fixed.wrapping_add(text_bytes) as u64);
        let [id, id_end] = halves(name.id.into());
        // The size of the function.
        let [size, size_end] = halves(1);
        let tag = u32::from_ne_bytes(tag.0);
        let words: [u32; NAME_WORDS] = [tag, length, length_end, id, id_end, size, size_end];
        let count = fixed.wrapping_add(SECTION_HEADER_BYTES) / 4;
        self.push(words.get(..count).unwrap_or_default());
        let mut text = [0; TEXT_WORDS];
        for (word, four) in text.iter_mut().zip(name.text.as_bytes().chunks(4)) {
            let mut bytes = [0; 4];
            for (place, byte) in bytes.iter_mut().zip(four) {
                *place = *byte;
            }
            *word = u32::from_ne_bytes(bytes);
        }
        self.push(text.get(..text_bytes / 4).unwrap_or_default());
    }

    pub(super) fn push_history(&mut self, history: CoreHistory) {
        let [length, length_end] = halves(CORE_HISTORY_BYTES as u64);
        let [before, before_end] = halves(history.preceding_entries);
        self.push(&[
            u32::from_ne_bytes(SectionTag::PAST.0),
            length,
            length_end,
            pair(history.core),
            history.session,
            before,
            before_end,
        ]);
    }

    /// The place of the packed entries, whose section follows.
    pub(super) fn entries_mut(&mut self) -> &mut [u8] {
        let start = SECTION_HEADER_BYTES + PACKED_HEADER_BYTES;
        let start = self.length.wrapping_add(start);
        let end = self.bytes.len().saturating_sub(END_BYTES);
        let end = end.min(start.saturating_add(4 * MAX_ENTRY_WORDS));
        self.bytes.get_mut(start..end).unwrap_or_default()
    }

    /// Appends the section of packed entries as far as it precedes their words.
    pub(super) fn push_packed(&mut self, header: PackedHeader, words: usize) {
        let length = words.wrapping_mul(4).wrapping_add(PACKED_HEADER_BYTES);
        let [length, length_end] = halves(length as u64);
        let [ticks, ticks_end] = halves(header.start_ticks);
        let [lost, lost_end] = halves(header.lost);
        self.push(&[
            u32::from_ne_bytes(SectionTag::PACKED.0),
            length,
            length_end,
            pair(header.core),
            header.entries,
            ticks,
            ticks_end,
            lost,
            lost_end,
        ]);
    }

    /// Appends the words that are there, stored by [`ContainerBuffer::entries_mut`].
    pub(super) fn keep(&mut self, words: usize) {
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
        let [length, length_end] = halves(checksum_bytes(SUMMED_VERSION) as u64);
        let tag = u32::from_ne_bytes(SectionTag::END.0);
        self.push(&[tag, length, length_end]);
        let sums = self.sum.values();
        self.push(&sums);
        self.length
    }
}

/// A number and 0, of 16 bits each.
fn pair(first: u16) -> u32 {
    let [low, high] = first.to_ne_bytes();
    u32::from_ne_bytes([low, high, 0, 0])
}

/// The words of a number of 64 bits, in the target's byte order.
const fn halves(number: u64) -> [u32; 2] {
    let (low, high) = (number as u32, (number >> 32) as u32);
    if cfg!(target_endian = "big") {
        [high, low]
    } else {
        [low, high]
    }
}
