use super::{MARKERS, TXTB_ID};
use crate::{ByteOrder, WireError, Word};

/// The size of the target's `ULONG`, the unit of all structures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UlongSize {
    /// 4 bytes: 32-bit targets, and most 64-bit ports of ThreadX too.
    Four,
    /// 8 bytes: `risc-v64/gnu`, the SMP Linux port on x86-64, the Linux port on other 64-bit CPUs.
    Eight,
}

impl UlongSize {
    /// The size in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Eight => 8,
        }
    }
}

/// The layout of a target's buffer: byte order and size of `ULONG`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BufferLayout {
    /// Order of the bytes in a word.
    pub order: ByteOrder,
    /// Size of `ULONG`.
    pub ulong: UlongSize,
}

/// Number of `ULONG` words in the header, counting the pair of 16-bit fields (with its
/// padding to 8 bytes) as one.
const HEADER_WORDS: usize = 12;
const MARKER_WORD: usize = 9;
const ENTRY_WORDS: usize = 8;

impl BufferLayout {
    /// All four layouts, the most common first.
    pub const ALL: [Self; 4] = [
        Self::new(ByteOrder::Little, UlongSize::Four),
        Self::new(ByteOrder::Big, UlongSize::Four),
        Self::new(ByteOrder::Little, UlongSize::Eight),
        Self::new(ByteOrder::Big, UlongSize::Eight),
    ];

    /// A layout with this byte order and size.
    pub const fn new(order: ByteOrder, ulong: UlongSize) -> Self {
        Self { order, ulong }
    }

    /// Detects the layout of a header at the start of `bytes` by its id, and by the three
    /// marker words if the id fits two sizes. `None` if `bytes` does not start with a
    /// header.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        let with_id = |layout: &&Self| layout.word(bytes, 0) == Some(TXTB_ID);
        let mut fitting = Self::ALL.iter().filter(with_id);
        // Without markers, the larger size is more likely if its id fits: with the
        // smaller one, the timer mask would be 0.
        fitting
            .clone()
            .find(|layout| layout.markers_match(bytes))
            .or_else(|| fitting.next_back())
            .copied()
    }

    /// Whether the header's last three words are 0xAAAAAAAA, 0xBBBBBBBB and
    /// 0xCCCCCCCC, as `tx_trace_enable` writes them.
    pub fn markers_match(self, bytes: &[u8]) -> bool {
        (MARKER_WORD..)
            .zip(MARKERS)
            .all(|(index, marker)| self.word(bytes, index) == Some(marker))
    }

    /// Length of the control header: 48 or 96 bytes.
    pub const fn header_bytes(self) -> usize {
        HEADER_WORDS * self.ulong.bytes()
    }

    /// Distance between registry entries in bytes: four words (the flag bytes are padded
    /// to one) and the name, which the compiler pads to whole words.
    pub const fn registry_stride(self, name_size: u16) -> usize {
        let word = self.ulong.bytes();
        4 * word + (name_size as usize + word - 1) / word * word
    }

    /// Length of an event entry: 32 or 64 bytes.
    pub const fn entry_bytes(self) -> usize {
        ENTRY_WORDS * self.ulong.bytes()
    }

    /// `to - from` in the arithmetic of the target's pointers: modulo 2^32 if they were
    /// truncated to 4 bytes, so that a buffer may cross a 4 GiB boundary.
    pub const fn distance(self, from: u64, to: u64) -> u64 {
        match self.ulong {
            UlongSize::Four => (to as u32).wrapping_sub(from as u32) as u64,
            UlongSize::Eight => to.wrapping_sub(from),
        }
    }

    /// `address + distance`, modulo 2^32 if pointers have 4 bytes.
    pub const fn advance(self, address: u64, distance: u64) -> u64 {
        match self.ulong {
            UlongSize::Four => (address as u32).wrapping_add(distance as u32) as u64,
            UlongSize::Eight => address.wrapping_add(distance),
        }
    }

    /// The `index`-th word of `bytes`.
    pub(super) fn word(self, bytes: &[u8], index: usize) -> Option<u64> {
        let at = bytes.get(index * self.ulong.bytes()..)?;
        match self.ulong {
            UlongSize::Four => u32::read(at, self.order).map(u64::from),
            UlongSize::Eight => u64::read(at, self.order),
        }
    }

    /// Writes the `index`-th word of `bytes`; the caller has checked the length.
    pub(super) fn set_word(self, bytes: &mut [u8], index: usize, value: u64) {
        if let Some(at) = bytes.get_mut(index * self.ulong.bytes()..) {
            match self.ulong {
                UlongSize::Four => u32::low_bits(value).write(at, self.order),
                UlongSize::Eight => value.write(at, self.order),
            };
        }
    }

    pub(super) fn check_len(
        structure: &'static str,
        needed: usize,
        available: usize,
    ) -> Result<(), WireError> {
        if available < needed {
            return Err(WireError::TooShort {
                structure,
                needed,
                available,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_measured_on_targets() {
        let small = BufferLayout::new(ByteOrder::Little, UlongSize::Four);
        let large = BufferLayout::new(ByteOrder::Big, UlongSize::Eight);
        assert_eq!((small.header_bytes(), large.header_bytes()), (48, 96));
        assert_eq!((small.entry_bytes(), large.entry_bytes()), (32, 64));
        assert_eq!(
            (small.registry_stride(32), large.registry_stride(32)),
            (48, 64)
        );
        assert_eq!(
            (small.registry_stride(30), large.registry_stride(30)),
            (48, 64)
        );
        assert_eq!(
            (small.registry_stride(0), small.registry_stride(65535)),
            (16, 65552)
        );
    }

    #[test]
    fn distances_wrap_at_the_size_of_a_pointer() {
        let small = BufferLayout::new(ByteOrder::Little, UlongSize::Four);
        assert_eq!(small.distance(0xFFFF_8000, 0x7DF0), 0xFDF0);
        assert_eq!(small.advance(0xFFFF_8000, 0xFDF0), 0x7DF0);
        let large = BufferLayout::new(ByteOrder::Little, UlongSize::Eight);
        assert_eq!(large.distance(0xFFFF_8000, 0x1_0000_7DF0), 0xFDF0);
    }
}
