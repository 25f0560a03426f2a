//! Locates the parts of a running target's trace buffer.

use crate::threadx::TraceBuffer;
use rtoscope_wire::Word;
use rtoscope_wire::threadx::UlongSize;
use std::ops::Range;

/// The locations of a trace buffer's parts in a target's memory, from its
/// header, for reading that memory while the target runs.
///
/// A complete buffer for [`LiveDecoder`](crate::live::LiveDecoder) is the
/// memory from the header on, [`BufferArea::bytes`] long. A target that
/// continues to run meanwhile writes entries after the current one in the
/// header. Read the header again at the end and call
/// [`BufferArea::clear_overwritten`] to exclude these entries: the next buffer
/// contains them completely. Entries that were not read may be zero, as long as
/// the header, the registry and some entries of the last read are present: they
/// prove that nothing was missed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BufferArea {
    /// Size of the whole buffer, from the header to the end of the ring.
    pub bytes: u64,
    /// The object registry, as an offset range from the header.
    pub registry: Range<u64>,
    /// The event ring, as an offset range from the header.
    pub ring: Range<u64>,
    /// Size of a ring entry.
    pub entry_bytes: u64,
    /// The index of the entry that the target writes next. `None` if the
    /// header's pointer does not point to an entry.
    pub current: Option<u64>,
    buffer: TraceBuffer,
}

impl BufferArea {
    /// Size of the largest header, which is sufficient for
    /// [`BufferArea::parse`].
    pub const MAX_HEADER_BYTES: usize = 96;

    /// Parses the header at the start of `bytes`; `None` if there is no header,
    /// or its pointers are inconsistent.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let buffer = TraceBuffer::parse_header(bytes).ok()?;
        let header = &buffer.header;
        let from_base = |pointer| buffer.layout.distance(header.base_address, pointer);
        Some(Self {
            bytes: buffer.bytes(),
            registry: from_base(header.registry_start)..from_base(header.registry_end),
            ring: from_base(header.buffer_start)..from_base(header.buffer_end),
            entry_bytes: buffer.layout.entry_bytes() as u64,
            current: buffer.current_slot(),
            buffer,
        })
    }

    /// Number of ring entries, at least 1.
    pub fn entries(&self) -> u64 {
        self.buffer.event_slots
    }

    /// The header's address on the target.
    pub fn base(&self) -> u64 {
        self.buffer.header.base_address
    }

    /// Whether another header belongs to the same buffer, possibly at a later
    /// time.
    pub fn is_same_as(&self, other: &Self) -> bool {
        (self.bytes, &self.registry, &self.ring) == (other.bytes, &other.registry, &other.ring)
            && self.base() == other.base()
            && self.buffer.layout == other.buffer.layout
    }

    /// In a complete buffer that was read after this header and before `later`,
    /// marks the entries as unused that the target wrote or started to write
    /// meanwhile. Marks all of them if the later header belongs to another
    /// buffer.
    ///
    /// It is undetectable if the target wrote more than a whole ring meanwhile.
    pub fn clear_overwritten(&self, bytes: &mut [u8], later: &Self) {
        let (Some(from), Some(to), true) = (self.current, later.current, self.is_same_as(later))
        else {
            self.clear_entries(bytes, 0..self.entries());
            return;
        };
        if from == to {
            return;
        }
        // The entry at the later position may be half-written.
        if from < to {
            self.clear_entries(bytes, from..to + 1);
        } else {
            self.clear_entries(bytes, from..self.entries());
            self.clear_entries(bytes, 0..to + 1);
        }
    }

    /// Marks entries of a complete buffer as unused.
    pub fn clear_entries(&self, bytes: &mut [u8], entries: Range<u64>) {
        let word = match self.buffer.layout.ulong {
            UlongSize::Four => u32::BYTES,
            UlongSize::Eight => u64::BYTES,
        };
        for entry in entries.start..entries.end.min(self.entries()) {
            let at = self.ring.start + entry * self.entry_bytes;
            let Ok(at) = usize::try_from(at) else { break };
            if let Some(context) = bytes.get_mut(at..at.saturating_add(word)) {
                context.fill(0);
            }
        }
    }
}
