//! Locates the parts of a trace buffer by its control header.

use crate::DecodeError;
use crate::memory::Memory;
use crate::records;
use rtoscope_trace::{Diagnostic, DiagnosticKind};
use rtoscope_wire::threadx::{BufferLayout, ControlHeader, MARKERS, UlongSize};

/// A trace buffer in memory with a consistent header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceBuffer {
    /// Byte order and size of the target's words.
    pub layout: BufferLayout,
    /// The header as stored in memory.
    pub header: ControlHeader,
    /// The address of the header in the container's memory.
    pub address: u64,
    /// Number of slots of the object registry.
    pub registry_slots: u64,
    /// Number of slots of the event ring.
    pub event_slots: u64,
}

/// If the second of two 4-byte pointers is smaller and the distance exceeds
/// this, the pointers are in the wrong order; otherwise the buffer crosses a 4
/// GiB boundary.
const MAX_DISTANCE_ACROSS_4_GIB: u64 = 1 << 31;

impl TraceBuffer {
    /// Reads and checks the header at `address`.
    pub fn locate(
        memory: &Memory<'_>,
        address: u64,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Self, DecodeError> {
        let offset = memory.offset_of(address).unwrap_or(address);
        let bytes = memory.available_from(address);
        let buffer = Self::check(bytes, address, offset)?;
        if !buffer.has_any_record(memory) {
            return Err(DecodeError::NothingAfterHeader {
                offset,
                registry_start: buffer.header.registry_start,
                buffer_start: buffer.header.buffer_start,
                base: buffer.header.base_address,
                available: bytes.len() as u64,
            });
        }
        diagnostics.extend(buffer.odd_header(memory));
        Ok(buffer)
    }

    /// Parses the header at the start of `bytes`, regardless of what follows
    /// it.
    ///
    /// # Errors
    ///
    /// If there is no header, or its pointers are inconsistent.
    pub fn parse_header(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::check(bytes, 0, 0)
    }

    fn check(bytes: &[u8], address: u64, offset: u64) -> Result<Self, DecodeError> {
        let layout = BufferLayout::detect(bytes).ok_or(DecodeError::NoHeader { offset })?;
        let header =
            ControlHeader::read(layout, bytes).map_err(|_| DecodeError::HeaderTooShort {
                offset,
                available: bytes.len(),
                needed: layout.header_bytes(),
            })?;
        let header = repaired(layout, header, bytes.len() as u64);
        let check = HeaderCheck {
            layout,
            header,
            offset,
        };
        let stride = layout.registry_stride(header.name_size) as u64;
        let entry = layout.entry_bytes() as u64;
        let registry_start = check.distance(
            "registry start",
            3,
            header.registry_start,
            layout.header_bytes() as u64,
        )?;
        let registry_end =
            check.distance("registry end", 5, header.registry_end, registry_start)?;
        let buffer_start = check.distance("buffer start", 6, header.buffer_start, registry_end)?;
        let buffer_end = check.distance(
            "buffer end",
            7,
            header.buffer_end,
            buffer_start.saturating_add(entry),
        )?;
        Ok(Self {
            layout,
            header,
            address,
            registry_slots: (registry_end - registry_start) / stride,
            event_slots: (buffer_end - buffer_start) / entry,
        })
    }

    /// The address of the registry in the container's memory.
    pub fn registry_address(&self) -> u64 {
        self.memory_address(self.header.registry_start)
    }

    /// The address of the event ring in the container's memory.
    pub fn events_address(&self) -> u64 {
        self.memory_address(self.header.buffer_start)
    }

    /// Bytes from the header to the end of the ring.
    pub fn bytes(&self) -> u64 {
        let distance = self
            .layout
            .distance(self.header.base_address, self.header.buffer_end);
        distance.max(self.layout.header_bytes() as u64)
    }

    /// The slot of the header's current pointer, which the target writes next.
    /// `None` if the pointer does not point to a slot.
    pub fn current_slot(&self) -> Option<u64> {
        let distance = self
            .layout
            .distance(self.header.buffer_start, self.header.current);
        let entry = self.layout.entry_bytes() as u64;
        match (distance / entry, distance % entry) {
            (slot, 0) if slot < self.event_slots => Some(slot),
            // The kernel never leaves it after the last slot, but it means the
            // first.
            (slot, 0) if slot == self.event_slots => Some(0),
            _ => None,
        }
    }

    /// What is unusual in the header.
    pub(super) fn odd_header(&self, memory: &Memory<'_>) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let offset = memory.offset_of(self.address).unwrap_or(self.address);
        let header = &self.header;
        let between = |from, to| self.layout.distance(from, to);
        let registry_bytes = between(header.registry_start, header.registry_end);
        let event_bytes = between(header.buffer_start, header.buffer_end);
        let stride = self.layout.registry_stride(self.header.name_size) as u64;
        let mut odd = |message: String| {
            let diagnostic = Diagnostic::new(DiagnosticKind::OddHeader, message);
            diagnostics.push(diagnostic.at_offset(offset));
        };
        if header.markers != MARKERS {
            odd(format!(
                "the header's reserved words are {:#x}, {:#x}, {:#x} instead of {:#x}, {:#x}, {:#x}",
                header.markers[0],
                header.markers[1],
                header.markers[2],
                MARKERS[0],
                MARKERS[1],
                MARKERS[2]
            ));
        }
        let bytes = memory.available_from(self.address);
        let stored = ControlHeader::read(self.layout, bytes).unwrap_or(*header);
        if !is_adjacent(self.layout, &stored) {
            odd(format!(
                "the registry {:#x}..{:#x} does not lie directly between the header at {:#x} and \
                 the ring at {:#x}, as the kernel places it: a pointer is damaged; assumed: the \
                 registry {:#x}..{:#x}, the header at {:#x}, the ring at {:#x}",
                stored.registry_start,
                stored.registry_end,
                stored.base_address,
                stored.buffer_start,
                header.registry_start,
                header.registry_end,
                header.base_address,
                header.buffer_start
            ));
        }
        if header.name_size == 0 {
            odd(
                "the header sets the size of object names to 0 bytes: objects have no names"
                    .to_owned(),
            );
        }
        if !registry_bytes.is_multiple_of(stride) {
            odd(format!(
                "the registry's {registry_bytes} bytes are not a multiple of its entry size of \
                 {stride} bytes \
                 (name size {}): the name size may be wrong",
                header.name_size
            ));
        }
        let entry = self.layout.entry_bytes() as u64;
        if !event_bytes.is_multiple_of(entry) {
            odd(format!(
                "the event ring's {event_bytes} bytes are not a multiple of its entry size of \
                 {entry} bytes"
            ));
        }
        diagnostics
    }

    fn has_any_record(&self, memory: &Memory<'_>) -> bool {
        let stride = self.layout.registry_stride(self.header.name_size);
        let entry = self.layout.entry_bytes();
        let any = |start, size, count| {
            records::record_runs(memory, start, size, 0..count)
                .next()
                .is_some()
        };
        any(self.registry_address(), stride, self.registry_slots)
            || any(self.events_address(), entry, self.event_slots)
    }

    fn memory_address(&self, pointer: u64) -> u64 {
        self.address
            .saturating_add(self.layout.distance(self.header.base_address, pointer))
    }
}

/// Whether the registry follows the header, and the ring the registry: `tx_trace_enable`
/// leaves nothing between them.
fn is_adjacent(layout: BufferLayout, header: &ControlHeader) -> bool {
    let start = layout.advance(header.base_address, layout.header_bytes() as u64);
    header.registry_start == start && header.registry_end == header.buffer_start
}

/// The header with parts that follow one another: one pointer of each pair may be wrong, but
/// only the right ones leave room for whole records.
fn repaired(layout: BufferLayout, header: ControlHeader, available: u64) -> ControlHeader {
    if is_adjacent(layout, &header) {
        return header;
    }
    let after_header = layout.header_bytes() as u64;
    let stride = layout.registry_stride(header.name_size) as u64;
    let base = layout.advance(header.registry_start, after_header.wrapping_neg());
    let bases = [header.base_address, base];
    let rings = [header.buffer_start, header.registry_end];
    let candidates = bases
        .into_iter()
        .flat_map(|base| rings.map(|ring| (base, ring)));
    let candidates = candidates.map(|(base, ring)| ControlHeader {
        base_address: base,
        registry_start: layout.advance(base, after_header),
        registry_end: ring,
        buffer_start: ring,
        ..header
    });
    let has_whole_records = |it: &ControlHeader| {
        let registry = layout.distance(it.registry_start, it.registry_end);
        let ring = layout.distance(it.buffer_start, it.buffer_end);
        let is_ordered =
            registry.checked_add(ring) == Some(layout.distance(it.registry_start, it.buffer_end));
        is_ordered
            && registry.is_multiple_of(stride)
            && ring.is_multiple_of(layout.entry_bytes() as u64)
    };
    let is_inside =
        |it: &ControlHeader| layout.distance(it.base_address, it.buffer_end) <= available;
    let mut fitting = candidates.filter(has_whole_records);
    let inside = fitting.clone().find(is_inside);
    inside.or_else(|| fitting.next()).unwrap_or(header)
}

struct HeaderCheck {
    layout: BufferLayout,
    header: ControlHeader,
    offset: u64,
}

impl HeaderCheck {
    /// The distance of a pointer from the base address, if it is at least `min`.
    fn distance(
        &self,
        field: &'static str,
        word: u64,
        value: u64,
        min: u64,
    ) -> Result<u64, DecodeError> {
        let base = self.header.base_address;
        let distance = self.layout.distance(base, value);
        let reversed = match self.layout.ulong {
            UlongSize::Four => value < base && distance > MAX_DISTANCE_ACROSS_4_GIB,
            UlongSize::Eight => value < base,
        };
        if reversed || distance < min {
            return Err(DecodeError::HeaderPointer {
                field,
                offset: self.offset + word * self.layout.ulong.bytes() as u64,
                value,
                min: self.layout.advance(base, min),
            });
        }
        Ok(distance)
    }
}
