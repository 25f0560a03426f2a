//! The stream of Percepio TraceRecorder's target code, and the memory image of its ring buffer.
//!
//! ```text
//! stream := header | timestamp source | entry table | event | event | …
//! event  := <parameters:4, code:12> <count:16> <timestamp:32> <parameter>*
//! ```
//!
//! Numbers are in the order and width of the target: see [`Layout`]. Nothing has a checksum; the
//! counts of events are consecutive.

mod event;
mod header;
mod ring;

pub use event::{EventHeader, MAX_EVENT_BYTES};
pub use header::{Entry, HeaderError, StreamHeader, TimestampSource, entry_option, timestamp_type};
pub use ring::{RingArea, RingImage, START_MARKERS};

/// How a target writes numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layout {
    /// Whether the first byte of a number is the highest.
    pub is_big_endian: bool,
    /// Whether addresses and parameters have 8 bytes rather than 4.
    pub is_wide: bool,
}

impl Layout {
    /// The length of a word: an address or a parameter.
    #[inline]
    pub const fn word_bytes(self) -> usize {
        if self.is_wide { 8 } else { 4 }
    }

    #[inline]
    fn u16(self, bytes: &[u8], at: usize) -> Option<u16> {
        let bytes = bytes.get(at..at + 2)?.try_into().ok()?;
        Some(match self.is_big_endian {
            true => u16::from_be_bytes(bytes),
            false => u16::from_le_bytes(bytes),
        })
    }

    #[inline]
    fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let bytes = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(match self.is_big_endian {
            true => u32::from_be_bytes(bytes),
            false => u32::from_le_bytes(bytes),
        })
    }

    /// The word at a position.
    #[inline]
    pub fn word(self, bytes: &[u8], at: usize) -> Option<u64> {
        if !self.is_wide {
            return self.u32(bytes, at).map(u64::from);
        }
        let bytes = bytes.get(at..at + 8)?.try_into().ok()?;
        Some(match self.is_big_endian {
            true => u64::from_be_bytes(bytes),
            false => u64::from_le_bytes(bytes),
        })
    }
}

/// The command of a host that starts (1) or stops (0) the recording.
pub const fn set_active(starts: u8) -> [u8; 8] {
    const SET_ACTIVE: u8 = 1;
    let [low, high] = (0xFFFF - SET_ACTIVE as u16 - starts as u16).to_le_bytes();
    [SET_ACTIVE, starts, 0, 0, 0, 0, low, high]
}
