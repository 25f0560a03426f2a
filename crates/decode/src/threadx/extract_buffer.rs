//! Extracts a buffer from its container, as the target would have written it.

use super::buffer::TraceBuffer;
use crate::memory::Memory;
use crate::records;
use rtoscope_wire::threadx::{BufferLayout, swap_entry, swap_header, swap_registry_entry};
use rtoscope_wire::{ByteOrder, WireError};
use std::io::{self, Write};

/// The result of the extraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExtractedBuffer {
    /// Bytes written.
    pub bytes: u64,
    /// How many of them were missing in the container and are zeros.
    pub missing_bytes: u64,
}

/// Maximum length of a gap: a longer one results from invalid pointers, not
/// from lost records.
const MAX_GAP_BYTES: u64 = 256 << 20;

/// Writes the bytes of a buffer, from its header to the end of its ring or to
/// the last byte in memory, in the given byte order.
pub fn extract(
    memory: &Memory<'_>,
    buffer: &TraceBuffer,
    order: ByteOrder,
    output: impl Write,
) -> io::Result<ExtractedBuffer> {
    let end = buffer.address.saturating_add(buffer.bytes());
    let last = memory
        .segments()
        .iter()
        .map(|segment| segment.end().min(end));
    let end = last.max().unwrap_or(buffer.address).max(buffer.address);
    check_gaps(memory, buffer.address, end)?;
    let mut copy = BufferCopier {
        memory,
        output,
        cursor: buffer.address,
        written: ExtractedBuffer::default(),
    };
    if order != buffer.layout.order {
        let layout = buffer.layout;
        let stride = layout.registry_stride(buffer.header.name_size);
        let registry = (buffer.registry_address(), buffer.registry_slots);
        let events = (buffer.events_address(), buffer.event_slots);
        copy.copy_swapped(
            layout,
            swap_header,
            (buffer.address, 1),
            layout.header_bytes(),
        )?;
        copy.copy_swapped(layout, swap_registry_entry, registry, stride)?;
        copy.copy_swapped(layout, swap_entry, events, layout.entry_bytes())?;
    }
    copy.copy_until(end)?;
    copy.output.flush()?;
    Ok(copy.written)
}

/// Rejects gaps that are too long, before writing.
fn check_gaps(memory: &Memory<'_>, start: u64, end: u64) -> io::Result<()> {
    let mut known = start;
    for segment in memory.segments() {
        let gap = segment.address.min(end).saturating_sub(known);
        if gap > MAX_GAP_BYTES {
            return Err(io::Error::other(format!(
                "{gap} bytes are missing at {known:#x}, which exceeds the limit of {MAX_GAP_BYTES}"
            )));
        }
        known = known.max(segment.end());
    }
    Ok(())
}

struct BufferCopier<'a, W> {
    memory: &'a Memory<'a>,
    output: W,
    /// The next address to write.
    cursor: u64,
    written: ExtractedBuffer,
}

impl<W: Write> BufferCopier<'_, W> {
    /// Writes the bytes before `end`, with zeros for missing ones.
    fn copy_until(&mut self, end: u64) -> io::Result<()> {
        while self.cursor < end {
            let room = usize::try_from(end - self.cursor).unwrap_or(usize::MAX);
            let bytes = self.memory.available_from(self.cursor);
            if let Some(bytes) = bytes
                .get(..room.min(bytes.len()))
                .filter(|it| !it.is_empty())
            {
                self.output.write_all(bytes)?;
                self.advance(bytes.len());
            } else {
                self.write_zeros(room)?;
            }
        }
        Ok(())
    }

    /// Writes zeros up to the next known byte, but at most `room`.
    fn write_zeros(&mut self, room: usize) -> io::Result<()> {
        let segments = self.memory.segments();
        let following = segments.partition_point(|segment| segment.address <= self.cursor);
        let next = segments.get(following).map(|segment| segment.address);
        let gap = next.map_or(usize::MAX, |next| {
            usize::try_from(next - self.cursor).unwrap_or(usize::MAX)
        });
        let length = gap.min(room);
        io::copy(
            &mut io::Read::take(io::repeat(0), length as u64),
            &mut self.output,
        )?;
        self.written.missing_bytes += length as u64;
        self.advance(length);
        Ok(())
    }

    /// Writes an array of records of `size` bytes, each with swapped byte
    /// order.
    fn copy_swapped(
        &mut self,
        layout: BufferLayout,
        swap: fn(BufferLayout, &mut [u8]) -> Result<(), WireError>,
        (start, count): (u64, u64),
        size: usize,
    ) -> io::Result<()> {
        let mut record = vec![0; size];
        for run in records::record_runs(self.memory, start, size, 0..count) {
            self.copy_until(start + run.first * size as u64)?;
            for bytes in run.bytes.chunks_exact(size) {
                record.copy_from_slice(bytes);
                swap(layout, &mut record).map_err(io::Error::other)?;
                self.output.write_all(&record)?;
                self.advance(size);
            }
        }
        Ok(())
    }

    fn advance(&mut self, bytes: usize) {
        self.cursor = self.cursor.saturating_add(bytes as u64);
        self.written.bytes += bytes as u64;
    }
}
