//! Options for context-switch logs.

use crate::clock::ClockOptions;
use rtoscope_symbols::Firmware;
use rtoscope_trace::TextEncoding;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::PointerSize;
use std::sync::Arc;

/// Options for a context-switch log: properties that it does not contain, or
/// overrides.
#[derive(Debug, Clone, Default)]
pub struct CswitchOptions {
    /// The location of the entries, in memory without a container.
    pub location: BufferLocation,
    /// The pointer size, if nothing else defines it.
    pub pointer_size: Option<PointerSize>,
    /// The byte order, if nothing else defines it.
    pub byte_order: Option<ByteOrder>,
    /// The width of the counter, 1 to 32 bits. By default that of the
    /// container, or 32.
    pub counter_bits: Option<u8>,
    /// The clock options.
    pub clock: ClockOptions,
    /// The firmware's files: ELF or the output of `nm`. The first one with an
    /// answer takes precedence.
    pub firmware: Vec<Arc<Firmware>>,
    /// The encoding of names that are not UTF-8.
    pub text_encoding: TextEncoding,
}

/// The location of a log's entries in memory: addresses on the target, or
/// offsets if the memory has no addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BufferLocation {
    /// The address of the first byte of an image without addresses. By default
    /// the image begins with the log.
    pub base: Option<u64>,
    /// The start of the buffer.
    pub start: Option<u64>,
    /// The position of the next entry.
    pub current: Option<u64>,
    /// The end of the buffer.
    pub end: Option<u64>,
    /// Whether the buffer is a ring.
    pub cyclic: Option<bool>,
}

impl BufferLocation {
    /// Whether it has the buffer's bounds.
    pub fn has_bounds(&self) -> bool {
        self.start.or(self.current).or(self.end).is_some()
    }

    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
