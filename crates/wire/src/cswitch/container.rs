use super::PointerSize;
use crate::{ByteOrder, WireError, Word};

/// The first four bytes of a container.
pub const MAGIC: [u8; 4] = *b"CSWL";

/// The second word of a container: 0x01020304 in the target's byte order.
pub const ORDER_MARK: u32 = 0x0102_0304;

/// The version that this crate writes. A reader rejects newer versions. Additions that
/// need no new version are new sections.
pub const VERSION: u16 = 1;

/// The version of a container with packed entries ([`packed`](super::packed)).
pub const PACKED_VERSION: u16 = 2;

/// As [`PACKED_VERSION`], in words of 32 bits: names end with NULs up to a whole word, and the
/// checksum is a [`WordSum`](super::WordSum). The newest.
pub const SUMMED_VERSION: u16 = 3;

/// Length of a [`CswlHeader`].
pub const CSWL_HEADER_BYTES: usize = 24;

/// The header of a container. All fields except the magic are in the target's byte order.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 4 | [`MAGIC`] |
/// | 4 | 4 | [`ORDER_MARK`] |
/// | 8 | 2 | version |
/// | 10 | 1 | pointer size in bytes, 4 or 8 |
/// | 11 | 1 | counter width in bits, 1 to 32 |
/// | 12 | 2 | number of cores whose logs follow |
/// | 14 | 2 | 0 |
/// | 16 | 8 | frequency of the counter in Hz, 0 if unknown |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CswlHeader {
    /// The target's byte order.
    pub order: ByteOrder,
    /// [`VERSION`].
    pub version: u16,
    /// Size of a pointer.
    pub pointer_size: PointerSize,
    /// Width of the counter in bits, 1 to 32.
    pub counter_bits: u8,
    /// Number of cores whose logs follow.
    pub cores: u16,
    /// Frequency of the counter in Hz, 0 if unknown.
    pub frequency_hz: u64,
}

const STRUCTURE: &str = "the header of a CSWL container";

impl CswlHeader {
    /// Reads the header at the start of `bytes`. Returns `None` if `bytes` does not start
    /// with a container of any version: if the magic, the byte-order mark, the pointer
    /// size or the counter width is invalid.
    ///
    /// # Errors
    /// [`WireError::TooShort`] if the magic is present and the rest is truncated.
    pub fn read(bytes: &[u8]) -> Result<Option<Self>, WireError> {
        if !bytes.starts_with(&MAGIC) {
            return Ok(None);
        }
        if bytes.len() < CSWL_HEADER_BYTES {
            return Err(WireError::TooShort {
                structure: STRUCTURE,
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
