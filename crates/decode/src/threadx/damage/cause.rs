//! What the bytes of a dump prove about the cause of damage.

use super::walk::{Filling, Slip};
use crate::memory::Memory;
use crate::threadx::buffer::TraceBuffer;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_wire::threadx::MARKERS;
use std::fmt;

/// The cause of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DamageCause {
    /// The top bit of every byte is missing.
    SevenBits,
    /// One byte fills the entries.
    Filled(u8),
    /// A core or a stamp contradicts all other entries.
    LoneField,
    /// The entries are copies of earlier ones.
    Repeated,
    /// Bytes were inserted or lost.
    Moved {
        /// The offset of the first entry after the first place.
        offset: u64,
        places: u64,
        /// The sum of all places; negative if more bytes were lost.
        inserted: i64,
        proof: Option<TransferFault>,
    },
    Unknown,
}

/// A fault of a transfer that explains moved bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TransferFault {
    LineFeedsExpanded,
    FlowControl,
    CarriageReturnsRemoved,
}

const LINE_FEED: u8 = 0x0A;
const CARRIAGE_RETURN: u8 = 0x0D;
const XON: u8 = 0x11;
const XOFF: u8 = 0x13;
const SEVEN_BITS: u64 = 0x7F7F_7F7F;

impl DamageCause {
    pub(super) fn offset(&self) -> Option<u64> {
        match self {
            Self::Moved { offset, .. } => Some(*offset),
            _ => None,
        }
    }
}

/// Whether the marker words of the header and all bytes lack their top bit.
pub(super) fn is_seven_bit(memory: &Memory<'_>, buffer: &TraceBuffer) -> bool {
    let has_cut_markers = buffer.header.markers == MARKERS.map(|marker| marker & SEVEN_BITS);
    has_cut_markers && dump(memory, buffer).iter().all(u8::is_ascii)
}

/// The bytes from the header to the end of the ring, or of the segment.
fn dump<'a>(memory: &'a Memory<'_>, buffer: &TraceBuffer) -> &'a [u8] {
    let bytes = memory.available_from(buffer.address);
    let end = usize::try_from(buffer.bytes()).unwrap_or(usize::MAX);
    bytes.get(..end.min(bytes.len())).unwrap_or_default()
}

/// The cause of damage with these slips, or that left entries filled.
pub(super) fn of(
    memory: &Memory<'_>,
    buffer: &TraceBuffer,
    slips: &[Slip],
    filled: Filling,
) -> DamageCause {
    let Some(first) = slips.first() else {
        return match filled {
            Filling::Byte(byte) => DamageCause::Filled(byte),
            Filling::Unknown | Filling::Mixed => DamageCause::Unknown,
        };
    };
    let mut segments = memory.segments().iter();
    let address = buffer.events_address();
    let segment = segments.find(|it| (it.address..it.end()).contains(&address));
    let start = segment.map_or(0, |it| it.offset.unwrap_or(it.address));
    let mut inserted: i64 = slips.iter().map(|slip| slip.inserted as i64).sum();
    // The bytes of half an entry may have been inserted or lost; the length decides.
    let available = memory.available_from(buffer.address).len() as i64;
    let whole = available.saturating_sub_unsigned(buffer.bytes());
    if slips.len() == 1 && !memory.has_addresses() && whole == -inserted {
        inserted = whole;
    }
    DamageCause::Moved {
        offset: start + first.before as u64,
        places: slips.len() as u64,
        inserted,
        proof: transfer_fault(dump(memory, buffer), inserted),
    }
}

fn transfer_fault(dump: &[u8], inserted: i64) -> Option<TransferFault> {
    let pairs = dump.iter().zip(dump.iter().skip(1));
    let mut before_line_feeds = pairs.filter(|(_, byte)| **byte == LINE_FEED);
    let has = |byte: u8| dump.contains(&byte);
    if inserted > 0 {
        let is_expanded =
            has(LINE_FEED) && before_line_feeds.all(|(before, _)| *before == CARRIAGE_RETURN);
        is_expanded.then_some(TransferFault::LineFeedsExpanded)
    } else if !has(XON) && !has(XOFF) {
        Some(TransferFault::FlowControl)
    } else {
        (!has(CARRIAGE_RETURN)).then_some(TransferFault::CarriageReturnsRemoved)
    }
}

impl fmt::Display for DamageCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SevenBits => f.write_str(
                "no byte is above 0x7f, and the header's reserved words lack the top bits, as \
                 after a transfer with 7 data bits",
            ),
            Self::Filled(byte) => write!(
                f,
                "all their bytes are {byte:#04x}, as after a read that failed"
            ),
            Self::LoneField => f.write_str(
                "nothing else runs on its core, or its time is far from those before and after \
                 it, as after a bit changed in a transfer",
            ),
            Self::Repeated => f.write_str(
                "the timestamps fall, and earlier entries follow once more, as after a block that \
                 was saved twice",
            ),
            Self::Unknown => f.write_str(
                "several fields are impossible, or later entries were written and these were not",
            ),
            Self::Moved {
                offset,
                places,
                inserted,
                proof,
            } => {
                let count = inserted.unsigned_abs();
                let bytes = pluralise(count, "byte was", "bytes were");
                let change = match inserted {
                    0 => "bytes were inserted and lost".to_owned(),
                    1.. => format!("{bytes} inserted"),
                    _ => format!("{bytes} lost"),
                };
                let places = match places {
                    1 => String::new(),
                    places => format!(" at {places} places, the first"),
                };
                write!(f, "{change}{places} before offset {offset:#x}")?;
                match proof {
                    Some(TransferFault::LineFeedsExpanded) => {
                        f.write_str("; every 0x0a follows a 0x0d, as after a transfer in text mode")
                    }
                    Some(TransferFault::FlowControl) => f.write_str(
                        "; no byte is 0x11 or 0x13, as after a transfer with software flow control",
                    ),
                    Some(TransferFault::CarriageReturnsRemoved) => {
                        f.write_str("; no byte is 0x0d, as after a transfer in text mode")
                    }
                    None => Ok(()),
                }
            }
        }
    }
}
