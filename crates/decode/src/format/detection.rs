//! Detects the format of bytes.
//!
//! The same rules apply to a file and to bytes that arrive one after the other,
//! from the start of a recording or from the middle on:
//!
//! 1. A file is decompressed and unpacked from its container first. A live
//!    source delivers neither.
//! 2. The bytes are examined in windows of [`WINDOW_BYTES`], which overlap by
//!    [`OVERLAP_BYTES`]. The first window with a proof decides.
//! 3. In a window, the format whose proof ends first decides; if two end at the
//!    same byte, the first in [`FORMATS`]. A proof is
//!    - a control header of a ThreadX buffer: its id at the start of the input,
//!      or its id and its three marker words anywhere. The id alone proves
//!      nothing in the middle: the records of a stream may contain it.
//!    - a packet of a ThreadX trace, or a CSWL container: its magic and its byte-order mark,
//!      anywhere.
//!    - frames of an RKH stream: a target's configuration, or at least 4 frames,
//!      if three quarters of them sum to 0. Beyond the first window and the
//!      first 64 frames it takes 16 frames, because large memory images contain
//!      flags by chance.
//! 4. If no window has a proof, a whole input that resembles a format is of that
//!    format: the entries of a context-switch log, which have no header.
//!
//! A proof depends on no byte after it, so the decision is the same for every
//! division of the bytes into chunks. In consequence, bytes that start with a stream and contain a buffer
//! after it are a stream, and a memory dump with a buffer before a stream is a
//! buffer: users override it with the format they want.
//!
//! In a container with addresses, only formats that targets keep in memory are
//! looked for.

use super::{FORMATS, Format};
use crate::memory::Memory;
use std::ops::Range;

/// Size of a window in bytes.
pub(crate) const WINDOW_BYTES: usize = 1 << 16;

/// Bytes of the next window that a window contains: more than any header.
const OVERLAP_BYTES: usize = 1 << 8;

/// Number of bytes at the start of an input that show whether it resembles a
/// format.
const SAMPLE_BYTES: usize = 1 << 17;

/// Maximum number of bytes to hold while the format is undetected: as many as
/// the decoder of a stream may need.
const MAX_HELD_BYTES: usize = 1 << 20;

/// The part of an undecided window that has to arrive before it is examined
/// anew: examining it after each small chunk would take quadratic time.
const PROBE_STEP: usize = 16;

/// Consecutive bytes of an input.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProbeWindow<'a> {
    pub(crate) bytes: &'a [u8],
    /// Whether they are at the start of an input without addresses.
    pub(crate) is_start: bool,
}

/// The format that a window proves.
fn prove(window: &ProbeWindow<'_>, has_addresses: bool) -> Option<Format> {
    let mut first: Option<(usize, Format)> = None;
    for format in FORMATS {
        if has_addresses && !format.description().is_in_memory_images {
            continue;
        }
        // Only an earlier proof counts.
        let end = first.map_or(window.bytes.len(), |(end, _)| end - 1);
        let window = ProbeWindow {
            bytes: window.bytes.get(..end).unwrap_or_default(),
            ..*window
        };
        if let Some(end) = format.probe(&window) {
            first = Some((end, format));
        }
    }
    first.map(|(_, format)| format)
}

/// The window that begins at an offset.
fn window_at(bytes: &[u8], start: usize) -> &[u8] {
    let rest = bytes.get(start..).unwrap_or_default();
    rest.get(..WINDOW_BYTES + OVERLAP_BYTES).unwrap_or(rest)
}

/// Detects the format of an unpacked input. Only its offsets `data_ranges` may
/// contain bytes other than zero. `is_plain` if it has no addresses.
pub(crate) fn detect(
    memory: &Memory<'_>,
    data_ranges: &[Range<u64>],
    is_plain: bool,
) -> Option<Format> {
    let proven = memory.segments().iter().find_map(|segment| {
        let mut starts = (0..segment.bytes.len()).step_by(WINDOW_BYTES);
        starts.find_map(|start| {
            let bytes = window_at(&segment.bytes, start);
            let is_data = segment.offset.is_none_or(|offset| {
                let window = offset + start as u64..offset + (start + bytes.len()) as u64;
                has_data(&window, data_ranges)
            });
            let window = ProbeWindow {
                bytes,
                is_start: is_plain && start == 0,
            };
            is_data.then(|| prove(&window, !is_plain)).flatten()
        })
    });
    proven.or_else(|| match memory.segments() {
        [only] => resembled(&only.bytes),
        _ => None,
    })
}

fn has_data(window: &Range<u64>, data_ranges: &[Range<u64>]) -> bool {
    let before = data_ranges.partition_point(|range| range.end <= window.start);
    data_ranges
        .get(before)
        .is_some_and(|range| range.start < window.end)
}

/// The format that a whole input resembles.
fn resembled(bytes: &[u8]) -> Option<Format> {
    let sample = bytes.get(..SAMPLE_BYTES).unwrap_or(bytes);
    FORMATS.into_iter().find(|format| format.resembles(sample))
}

/// Detects the format of bytes while they arrive.
#[derive(Debug, Default)]
pub(crate) struct FormatDetector {
    held: Vec<u8>,
    /// The start of the undecided window in the held bytes.
    window: usize,
    /// Number of bytes of that window examined so far.
    examined: usize,
    /// Discarded bytes.
    dropped: u64,
    /// The first bytes, once some are discarded.
    sample: Vec<u8>,
    /// Whether an interruption precedes the held bytes, so that they are not the
    /// whole input.
    is_interrupted: bool,
}

impl FormatDetector {
    /// Appends the next bytes. Returns the format once it is certain.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Option<Format> {
        self.held.extend_from_slice(bytes);
        loop {
            let length = window_at(&self.held, self.window).len();
            let is_complete = length == WINDOW_BYTES + OVERLAP_BYTES;
            if !is_complete && length - self.examined <= self.examined / PROBE_STEP {
                break;
            }
            if let Some(format) = self.prove() {
                return Some(format);
            }
            self.examined = length;
            if !is_complete {
                break;
            }
            self.window += WINDOW_BYTES;
            self.examined = 0;
        }
        if self.held.len() > MAX_HELD_BYTES {
            if self.dropped == 0 {
                let start = self.held.get(..SAMPLE_BYTES);
                self.sample = start.unwrap_or_default().to_vec();
            }
            self.drop_before(self.window);
        }
        None
    }

    /// The format that the undecided window proves.
    fn prove(&self) -> Option<Format> {
        let window = ProbeWindow {
            bytes: window_at(&self.held, self.window),
            is_start: self.window == 0 && self.dropped == 0,
        };
        prove(&window, false)
    }

    /// Nothing continues the bytes so far: returns the format that they prove
    /// or resemble, or else discards them.
    pub(crate) fn finish(&mut self) -> Option<Format> {
        if let Some(format) = self.prove() {
            return Some(format);
        }
        let start = match self.sample.as_slice() {
            [] => &self.held,
            sample => sample,
        };
        if !self.is_interrupted
            && let Some(format) = resembled(start)
        {
            return Some(format);
        }
        self.drop_before(self.held.len());
        self.is_interrupted = true;
        None
    }

    /// The held bytes.
    pub(crate) fn held(&self) -> &[u8] {
        &self.held
    }

    /// The number of discarded bytes before them.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    fn drop_before(&mut self, end: usize) {
        self.dropped += end as u64;
        self.held.drain(..end);
        self.window = 0;
        self.examined = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cswitch, rkh, threadx};

    fn data(name: &str) -> Vec<u8> {
        rtoscope_fixtures::read_testdata(name)
    }

    fn of_file(bytes: &[u8]) -> Option<Format> {
        let memory = Memory::from_file_bytes(bytes);
        let whole = 0..bytes.len() as u64;
        detect(&memory, &[whole], true)
    }

    /// The format of bytes that arrive in chunks of this size.
    fn of_chunks(bytes: &[u8], size: usize) -> Option<Format> {
        let mut detector = FormatDetector::default();
        let found = bytes.chunks(size).find_map(|chunk| detector.push(chunk));
        found.or_else(|| detector.finish())
    }

    fn assert_is(bytes: &[u8], expected: Option<Format>, what: &str) {
        assert_eq!(of_file(bytes), expected, "{what}");
        for size in [13, 4096, 100_000, bytes.len().max(1)] {
            assert_eq!(
                of_chunks(bytes, size),
                expected,
                "{what} in chunks of {size}"
            );
        }
    }

    #[test]
    fn each_format_proves_itself() {
        let buffer = data("threadx/cm3_short.trx");
        let stream = data("rkh/nat_short.bin");
        assert_is(&buffer, Some(threadx::FORMAT), "a buffer");
        assert_is(&stream, Some(rkh::FORMAT), "a stream");
        assert_is(
            b"CSWL\x04\x03\x02\x01",
            Some(cswitch::FORMAT),
            "a container",
        );
        // Joined in the middle.
        let later = [&[0x55; 70_000], &buffer[100..], &buffer].concat();
        assert_is(&later, Some(threadx::FORMAT), "a buffer in memory");
        assert_is(&stream[1..], Some(rkh::FORMAT), "after the first flag");
        assert_is(b"", None, "nothing");
        assert_is(&[0; 200_000], None, "zeros");
        // Only the start of an input may lack the marker words.
        assert_is(b"BTXT", Some(threadx::FORMAT), "an id");
        assert_is(b"\0BTXT, TXTB", None, "ids in memory");
    }

    #[test]
    fn an_id_within_a_stream_is_no_buffer() {
        let stream = data("rkh/nat_short.bin");
        for at in [3, 200, stream.len() / 2] {
            for id in [b"BTXT", b"TXTB", b"CSWL"] {
                let mut damaged = stream.clone();
                damaged[at..at + 4].copy_from_slice(id);
                assert_is(&damaged, Some(rkh::FORMAT), "damage with an id");
                assert_is(&damaged[1..], Some(rkh::FORMAT), "without the first flag");
            }
        }
    }

    #[test]
    fn a_ring_of_records_in_memory_is_no_stream() {
        let buffer = data("threadx/cm3_short.trx");
        let ring = &data("rkh/nat_short.bin")[..8 << 10];
        let variables = [0x20; 600];
        let memory = [&variables, ring, &[0; 3000], &buffer].concat();
        assert_is(&memory, Some(threadx::FORMAT), "a ring before a buffer");
        let memory = [&variables, ring].concat();
        assert_is(&memory, Some(rkh::FORMAT), "a ring alone");
    }

    #[test]
    fn the_first_proof_decides() {
        let buffer = data("threadx/cm3_short.trx");
        let stream = data("rkh/nat_short.bin");
        let memory = [&[1, 2, 3], buffer.as_slice(), &stream].concat();
        assert_is(&memory, Some(threadx::FORMAT), "a buffer before a stream");
        let memory = [&stream[1..], &buffer].concat();
        assert_is(&memory, Some(rkh::FORMAT), "a stream before a buffer");
    }

    #[test]
    fn proofs_are_found_across_windows() {
        let buffer = data("threadx/cm3_short.trx");
        for lead in [WINDOW_BYTES - 20, WINDOW_BYTES, MAX_HELD_BYTES + 5] {
            let bytes = [vec![0; lead], buffer.clone()].concat();
            assert_is(&bytes, Some(threadx::FORMAT), "a buffer far from the start");
        }
    }

    #[test]
    fn entries_without_a_header_are_a_last_resort() {
        let mut entries = Vec::new();
        for number in 0..64_u32 {
            let words = [
                0x800_0100 + number % 3,
                0x2000_0040,
                number * 90,
                1 + number % 2,
            ];
            entries.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        let resembled = of_file(&entries);
        assert_is(&entries, resembled, "entries");
        // More than is held.
        let long = entries.repeat(MAX_HELD_BYTES / entries.len() + 100);
        assert_is(&long, of_file(&long), "many entries");
    }
}
