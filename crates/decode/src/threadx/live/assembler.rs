//! Extracts complete buffers from received bytes.

use crate::threadx::{TraceBuffer, header_scan};
use rtoscope_wire::threadx::BufferLayout;

/// Collects bytes until a buffer is complete.
///
/// A header is valid only if its marker words are right and its pointers are
/// consistent. Bytes that belong to no buffer are skipped and counted.
#[derive(Default)]
pub(super) struct BufferAssembler {
    bytes: Vec<u8>,
    /// Bytes at the start that are consumed.
    consumed: usize,
    /// Bytes in which no further header begins.
    searched: usize,
    /// Bytes up to here were part of a complete buffer.
    shared: usize,
    /// The offset of the held bytes in the recording.
    offset: u64,
    /// The buffer of the header at `consumed`.
    partial: Option<TraceBuffer>,
    /// The last complete buffer.
    last_complete: Option<TraceBuffer>,
    /// Buffers that did not become complete because bytes are missing.
    pub(super) damaged: u64,
    /// Buffers that were incomplete when the connection was lost.
    pub(super) truncated: u64,
    /// Bytes of those, and bytes that belong to no buffer.
    pub(super) lost_bytes: u64,
}

/// A buffer as sent by a target.
pub(super) struct CompleteBuffer {
    /// Its offset in the recording.
    pub(super) offset: u64,
    /// Its bytes, from the header to the end of the ring.
    pub(super) bytes: Vec<u8>,
    /// Its parsed header.
    pub(super) buffer: TraceBuffer,
    /// Bytes at its end that may belong to the next header, if earlier bytes
    /// are missing.
    pub(super) doubtful_bytes: usize,
}

/// Maximum size of a buffer: a larger one indicates damage.
const MAX_BUFFER_BYTES: u64 = 256 << 20;

/// Bytes that distinguish a header from other data: the size of the largest
/// header.
const HEADER_BYTES: usize = 96;

/// Size of the longest id.
const ID_BYTES: usize = 8;

/// The result of looking for a header at an offset.
enum HeaderScan {
    Header(TraceBuffer),
    /// Possibly the start of a header.
    Undecided,
    NoHeader,
}

impl BufferAssembler {
    /// Creates an assembler at an offset of a recording.
    pub(super) fn new(offset: u64) -> Self {
        Self {
            offset,
            ..Self::default()
        }
    }

    /// Appends the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.consumed);
        self.offset += self.consumed as u64;
        self.searched = self.searched.saturating_sub(self.consumed);
        self.shared = self.shared.saturating_sub(self.consumed);
        self.consumed = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The offset of the next byte in the recording.
    pub(super) fn end(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }

    /// Discards an incomplete buffer.
    pub(super) fn discard_partial(&mut self) {
        self.truncated += u64::from(self.partial.take().is_some());
        self.skip_until(self.bytes.len());
    }

    /// Whether a header was found.
    pub(super) fn has_header(&self) -> bool {
        self.partial.is_some() || self.last_complete.is_some()
    }

    /// The next complete buffer, if there is one.
    pub(super) fn next(&mut self) -> Option<CompleteBuffer> {
        loop {
            let Some(buffer) = self.partial else {
                self.partial = Some(self.find_header()?);
                continue;
            };
            let size = usize::try_from(buffer.bytes()).ok()?;
            let end = self.consumed.saturating_add(size);
            match self.find_repeated_header(&buffer, end) {
                (at, HeaderScan::Header(next)) => {
                    // Bytes are missing: the next buffer begins within this
                    // one.
                    self.damaged += 1;
                    self.skip_until(at);
                    self.partial = Some(next);
                    self.searched = at + 1;
                    continue;
                }
                (_, HeaderScan::Undecided) => return None,
                (_, HeaderScan::NoHeader) => {}
            }
            let bytes = self.bytes.get(self.consumed..end)?.to_vec();
            let offset = self.offset + self.consumed as u64;
            let doubtful = self.partial_id_bytes(end, buffer.layout.ulong.bytes());
            self.consumed = end - doubtful;
            self.searched = self.consumed;
            self.shared = end;
            self.partial = None;
            self.last_complete = Some(buffer);
            return Some(CompleteBuffer {
                offset,
                bytes,
                buffer,
                doubtful_bytes: doubtful,
            });
        }
    }

    /// Bytes before `end`, the end of the data so far, that are the start of an
    /// id as long as that of the incomplete buffer.
    fn partial_id_bytes(&self, end: usize, id_bytes: usize) -> usize {
        if self.bytes.len() > end {
            return 0;
        }
        let id = self.bytes.get(self.consumed..self.consumed + id_bytes);
        let id = id.unwrap_or_default();
        let is_begun = |count: &usize| {
            let begun = id.get(..*count).unwrap_or_default();
            begun.iter().any(|byte| *byte != 0) && self.bytes.ends_with(begun)
        };
        (1..id.len()).rev().find(is_begun).unwrap_or_default()
    }

    /// Finds the next header. Bytes before it are lost.
    fn find_header(&mut self) -> Option<TraceBuffer> {
        while let Some(at) = self.candidate(self.bytes.len()) {
            match scan_header(self.bytes.get(at..).unwrap_or_default()) {
                HeaderScan::Header(buffer) => {
                    self.skip_until(at);
                    self.searched = at + 1;
                    return Some(buffer);
                }
                HeaderScan::Undecided => {
                    self.skip_until(at);
                    return None;
                }
                HeaderScan::NoHeader => self.searched = at + 1,
            }
        }
        self.skip_until(self.searched);
        None
    }

    /// Finds a header within a buffer up to `end` that belongs to the same
    /// buffer of a target as this one, or as the last complete one.
    fn find_repeated_header(&mut self, buffer: &TraceBuffer, end: usize) -> (usize, HeaderScan) {
        // An id may extend past the end.
        let limit = end.saturating_add(ID_BYTES);
        while let Some(at) = self.candidate(limit.min(self.bytes.len())) {
            let expected = |next: &TraceBuffer| {
                is_same_buffer(next, buffer)
                    || self
                        .last_complete
                        .is_some_and(|last| is_same_buffer(next, &last))
            };
            if at >= end {
                break;
            }
            match scan_header(self.bytes.get(at..).unwrap_or_default()) {
                HeaderScan::Header(next) if expected(&next) => {
                    return (at, HeaderScan::Header(next));
                }
                HeaderScan::Undecided => return (at, HeaderScan::Undecided),
                _ => self.searched = at + 1,
            }
        }
        (end, HeaderScan::NoHeader)
    }

    /// The first offset before `end`, from the searched bytes on, at which the
    /// id of a header begins; marks the bytes before it as searched. Without
    /// one, marks everything as searched except a possible start of an id.
    fn candidate(&mut self, end: usize) -> Option<usize> {
        let from = self.searched.max(self.consumed).min(end);
        let part = self.bytes.get(from..end).unwrap_or_default();
        let found = header_scan::id_starts(part).next();
        self.searched = match found {
            Some(at) => from + at,
            None => end.saturating_sub(ID_BYTES - 1).max(from),
        };
        found.map(|at| from + at)
    }

    fn skip_until(&mut self, end: usize) {
        self.lost_bytes += end.saturating_sub(self.consumed.max(self.shared)) as u64;
        self.consumed = self.consumed.max(end);
        self.searched = self.searched.max(self.consumed);
    }
}

fn scan_header(bytes: &[u8]) -> HeaderScan {
    let marked = BufferLayout::ALL
        .iter()
        .any(|layout| layout.markers_match(bytes));
    match TraceBuffer::parse_header(bytes) {
        Ok(buffer) if marked && buffer.bytes() <= MAX_BUFFER_BYTES => HeaderScan::Header(buffer),
        _ if bytes.len() < HEADER_BYTES => HeaderScan::Undecided,
        _ => HeaderScan::NoHeader,
    }
}

/// Whether two headers belong to the same buffer of a target.
fn is_same_buffer(one: &TraceBuffer, other: &TraceBuffer) -> bool {
    let place = |buffer: &TraceBuffer| {
        let header = buffer.header;
        (
            buffer.layout,
            header.base_address,
            header.registry_start,
            header.buffer_start,
            header.buffer_end,
        )
    };
    place(one) == place(other)
}
