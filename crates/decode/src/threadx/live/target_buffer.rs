//! What to read of a running target to get its trace buffer.

use crate::threadx::TraceBuffer;
use rtoscope_wire::Word;
use rtoscope_wire::threadx::UlongSize;
use std::ops::Range;

/// Where the parts of a trace buffer lie in a target's memory, by its header:
/// for whoever reads that memory while the target runs.
///
/// A whole buffer, as [`Live`](crate::live::Live) takes it, is the memory from
/// the header on, [`Area::bytes`] long. A target that goes on meanwhile writes
/// entries behind the place that the header named. Whoever reads the header once
/// more at the end and calls [`Area::leave_out`] has these left out: they come
/// whole with the next buffer. Entries that were not read at all can be left
/// zero in the same way, as long as the header, the registry and some entries
/// that were read last time are there: these prove that nothing was missed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BufferArea {
    /// Bytes of the whole buffer, from the header to the end of the ring.
    pub bytes: u64,
    /// Where the object registry lies, in bytes from the header.
    pub registry: Range<u64>,
    /// Where the ring of events lies, in bytes from the header.
    pub ring: Range<u64>,
    /// Bytes of an entry of the ring.
    pub entry_bytes: u64,
    /// The entry that the target writes next, by its number in the ring. `None`
    /// if the header's pointer is on no entry.
    pub current: Option<u64>,
    buffer: TraceBuffer,
}

impl BufferArea {
    /// Bytes of the longest header, which are enough for [`Area::of`].
    pub const MAX_HEADER_BYTES: usize = 96;

    /// What the header at the start of `bytes` says; `None` if there is no
    /// header, or its pointers contradict each other.
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

    /// Entries of the ring, at least 1.
    pub fn entries(&self) -> u64 {
        self.buffer.event_slots
    }

    /// The target's address of the header.
    pub fn base(&self) -> u64 {
        self.buffer.header.base_address
    }

    /// Whether another header is of the same buffer, perhaps later.
    pub fn is_same_as(&self, other: &Self) -> bool {
        (self.bytes, &self.registry, &self.ring) == (other.bytes, &other.registry, &other.ring)
            && self.base() == other.base()
            && self.buffer.layout == other.buffer.layout
    }

    /// Marks the entries as unused, in a whole buffer that was read after this
    /// header and before the `later` one, that the target wrote or began to write
    /// meanwhile. All of them, if the later header is of another buffer.
    ///
    /// A target that wrote more than a whole ring meanwhile cannot be noticed.
    pub fn clear_overwritten(&self, bytes: &mut [u8], later: &Self) {
        let (Some(from), Some(to), true) = (self.current, later.current, self.is_same_as(later))
        else {
            self.clear_entries(bytes, 0..self.entries());
            return;
        };
        if from == to {
            return;
        }
        // The one at the later place may be half written.
        if from < to {
            self.clear_entries(bytes, from..to + 1);
        } else {
            self.clear_entries(bytes, from..self.entries());
            self.clear_entries(bytes, 0..to + 1);
        }
    }

    /// Marks entries of a whole buffer as unused.
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
