//! What the user knows about a log that it does not say itself.

use crate::clock::ClockOptions;
use crate::symbols::Firmware;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::PointerSize;
use std::sync::Arc;

/// What the user knows about a log that it does not say itself.
#[derive(Debug, Clone, Default)]
pub struct CswitchOptions {
    /// Where the entries lie, in memory without a container.
    pub location: BufferLocation,
    /// Bytes of the target's pointers, where nothing says it.
    pub pointer_size: Option<PointerSize>,
    /// The target's byte order, where nothing says it.
    pub byte_order: Option<ByteOrder>,
    /// Bits that the counter counts with, 1 to 32. If not given they are those
    /// that a container tells, else all 32.
    pub counter_bits: Option<u8>,
    /// The time source. Its frequency counts before a container's.
    pub clock: ClockOptions,
    /// The firmware's files: ELF or the output of `nm`. The first that knows
    /// something counts.
    pub firmware: Vec<Arc<Firmware>>,
}

/// Where the entries of a log lie in memory: addresses on the target, or
/// offsets where the memory has no addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BufferLocation {
    /// The address of the first byte of an image that has no addresses. If it
    /// is not given, the image begins with the log.
    pub base: Option<u64>,
    /// Where the buffer starts.
    pub start: Option<u64>,
    /// Where the next entry goes.
    pub current: Option<u64>,
    /// The end of the buffer.
    pub end: Option<u64>,
    /// Whether the buffer is used as a ring.
    pub cyclic: Option<bool>,
}

impl BufferLocation {
    /// Whether it says where the entries lie.
    pub fn has_bounds(&self) -> bool {
        self.start.or(self.current).or(self.end).is_some()
    }

    /// Whether nothing is given.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
