use super::BufferLayout;
use crate::{ByteOrder, WireError, Word};

/// The id of a control header, the characters `TXTB` as a `ULONG`.
pub const TXTB_ID: u64 = 0x5458_5442;

/// The reserved words at the end of a header, which `tx_trace_enable` fills
/// with these values.
pub const MARKERS: [u64; 3] = [0xAAAA_AAAA, 0xBBBB_BBBB, 0xCCCC_CCCC];

/// The control header (`TX_TRACE_CONTROL_HEADER`): the locations of registry and ring.
/// All pointers are addresses on the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ControlHeader {
    /// [`TXTB_ID`] in every valid buffer.
    pub id: u64,
    /// The bits of a timestamp that the time source provides. Informative: the kernel
    /// never applies it.
    pub timer_mask: u64,
    /// The address passed to `tx_trace_enable`, where this header was.
    pub base_address: u64,
    /// First registry entry.
    pub registry_start: u64,
    /// Always 0.
    pub reserved1: u16,
    /// Length of an object name in bytes, including its NUL (32 by default).
    pub name_size: u16,
    /// End of the last registry entry.
    pub registry_end: u64,
    /// First event entry.
    pub buffer_start: u64,
    /// End of the last event entry.
    pub buffer_end: u64,
    /// The entry to write next: the oldest one of a ring that has wrapped.
    pub current: u64,
    /// [`MARKERS`] in every valid buffer.
    pub markers: [u64; 3],
}

const STRUCTURE: &str = "a control header";
/// The word that holds the two 16-bit fields in sequence, in either byte order.
const NAME_SIZE_WORD: usize = 4;

impl ControlHeader {
    /// Reads the header at the start of `bytes` without validation.
    pub fn read(layout: BufferLayout, bytes: &[u8]) -> Result<Self, WireError> {
        BufferLayout::check_len(STRUCTURE, layout.header_bytes(), bytes.len())?;
        let word = |index| layout.word(bytes, index).unwrap_or_default();
        let half = |index: usize| {
            let at = NAME_SIZE_WORD * layout.ulong.bytes() + index * u16::BYTES;
            let bytes = bytes.get(at..).unwrap_or_default();
            u16::read(bytes, layout.order).unwrap_or_default()
        };
        Ok(Self {
            id: word(0),
            timer_mask: word(1),
            base_address: word(2),
            registry_start: word(3),
            reserved1: half(0),
            name_size: half(1),
            registry_end: word(5),
            buffer_start: word(6),
            buffer_end: word(7),
            current: word(8),
            markers: [word(9), word(10), word(11)],
        })
    }

    /// Writes the header to the start of `bytes` and clears the padding. Returns the
    /// number of bytes written.
    pub fn write(&self, layout: BufferLayout, bytes: &mut [u8]) -> Result<usize, WireError> {
        let size = layout.header_bytes();
        BufferLayout::check_len(STRUCTURE, size, bytes.len())?;
        let words = [
            self.id,
            self.timer_mask,
            self.base_address,
            self.registry_start,
            0,
            self.registry_end,
            self.buffer_start,
            self.buffer_end,
            self.current,
            self.markers[0],
            self.markers[1],
            self.markers[2],
        ];
        for (index, word) in words.into_iter().enumerate() {
            layout.set_word(bytes, index, word);
        }
        let halves = bytes.get_mut(NAME_SIZE_WORD * layout.ulong.bytes()..);
        if let Some(halves) = halves {
            self.reserved1.write(halves, layout.order);
            if let Some(second) = halves.get_mut(u16::BYTES..) {
                self.name_size.write(second, layout.order);
            }
        }
        Ok(size)
    }

    /// The byte order implied by the 16-bit fields, for a header that was read as words
    /// (a debugger's `x/12xw`), so that the order of its bytes is lost: `reserved1` is
    /// always 0 and the name size never is.
    pub fn detect_byte_order(name_size_word: u32) -> Option<ByteOrder> {
        match (name_size_word >> 16, name_size_word & 0xFFFF) {
            (0, 1..) => Some(ByteOrder::Big),
            (1.., 0) => Some(ByteOrder::Little),
            _ => None,
        }
    }
}
