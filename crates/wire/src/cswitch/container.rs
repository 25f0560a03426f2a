use super::PointerSize;
use crate::{ByteOrder, WireError, Word};

/// The first four bytes of a container.
pub const MAGIC: [u8; 4] = *b"CSWL";

/// The word behind the magic, in the target's byte order.
pub const ORDER_MARK: u32 = 0x0102_0304;

/// The version that this crate writes. A reader refuses newer ones: what can
/// be added without a new version is a section.
pub const VERSION: u16 = 1;

/// Bytes of a [`CswlHeader`].
pub const CSWL_HEADER_BYTES: usize = 24;

/// The start of a container. All fields but the magic stand in the target's
/// byte order.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 4 | [`MAGIC`] |
/// | 4 | 4 | [`ORDER_MARK`] |
/// | 8 | 2 | version |
/// | 10 | 1 | bytes of a pointer, 4 or 8 |
/// | 11 | 1 | bits that the counter counts with, 1 to 32 |
/// | 12 | 2 | cores whose logs follow |
/// | 14 | 2 | 0 |
/// | 16 | 8 | the counter's frequency in Hz, 0 if unknown |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CswlHeader {
    /// The target's byte order.
    pub order: ByteOrder,
    /// [`VERSION`].
    pub version: u16,
    /// Bytes of a pointer.
    pub pointer_size: PointerSize,
    /// Bits that the counter counts with, 1 to 32.
    pub counter_bits: u8,
    /// Cores whose logs follow.
    pub cores: u16,
    /// The counter's frequency in Hz, 0 if unknown.
    pub frequency_hz: u64,
}

const STRUCTURE: &str = "the header of a CSWL container";

impl CswlHeader {
    /// Reads the header at the start of `bytes`; `None` if no container of any
    /// version stands there: magic, byte-order mark, pointer size or counter
    /// bits make no sense.
    ///
    /// # Errors
    /// [`WireError::TooShort`] if the magic is there but not the rest.
    pub fn read(bytes: &[u8]) -> Result<Option<Self>, WireError> {
        if !bytes.starts_with(&MAGIC) {
            return Ok(None);
        }
        if bytes.len() < CSWL_HEADER_BYTES {
            return Err(WireError::TooShort {
                what: STRUCTURE,
                needed: CSWL_HEADER_BYTES,
                available: bytes.len(),
            });
        }
        let field = |at: usize| bytes.get(at..).unwrap_or_default();
        let marked = |order: &ByteOrder| u32::read(field(4), *order) == Some(ORDER_MARK);
        let fields = || {
            let order = [ByteOrder::Little, ByteOrder::Big]
                .into_iter()
                .find(marked)?;
            Some(Self {
                order,
                version: u16::read(field(8), order)?,
                pointer_size: PointerSize::from_bytes(usize::from(*bytes.get(10)?))?,
                counter_bits: *bytes.get(11).filter(|bits| (1..=32).contains(*bits))?,
                cores: u16::read(field(12), order)?,
                frequency_hz: u64::read(field(16), order)?,
            })
        };
        Ok(fields())
    }

    /// The header's bytes.
    pub fn to_bytes(self) -> [u8; CSWL_HEADER_BYTES] {
        let mut bytes = [0; CSWL_HEADER_BYTES];
        let order = self.order;
        let mut fields = bytes.chunks_exact_mut(4);
        let mut next = || fields.next().unwrap_or_default();
        for (place, byte) in next().iter_mut().zip(MAGIC) {
            *place = byte;
        }
        let _ = ORDER_MARK.write(next(), order);
        let sizes = next();
        let _ = self.version.write(sizes, order);
        if let [_, _, pointer, bits] = sizes {
            *pointer = self.pointer_size.bytes() as u8;
            *bits = self.counter_bits;
        }
        let _ = self.cores.write(next(), order);
        if let Some(frequency) = bytes.get_mut(16..) {
            let _ = self.frequency_hz.write(frequency, order);
        }
        bytes
    }
}
