//! Scans memory for a trace.

use super::buffer_mirror::{BufferMirror, HEADER_BYTES, is_header};
use super::error::StubError;
use super::memory_trace::MemoryTrace;
use super::rtt_channel::{RttChannel, RttSearch, is_control_block};
use super::stub::Stub;
use rtoscope_trace::Address;
use std::ops::Range;
use std::time::{Duration, Instant};

/// What a scan looks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScanTargets {
    /// Whether it looks for trace buffers.
    pub(super) has_buffers: bool,
    /// The channel of RTT that it looks for.
    pub(super) rtt: Option<RttSearch>,
}

/// An incremental scan of memory.
pub(super) struct MemoryScan {
    targets: ScanTargets,
    ranges: Vec<Range<u64>>,
    /// The current range and the next address in it.
    range: usize,
    next: u64,
    /// The end of the bytes read before, where a header may start.
    tail: Vec<u8>,
    /// Number of bytes read.
    read_bytes: u64,
}

/// The result of a step.
pub(super) enum ScanStep {
    InProgress,
    Found(Box<dyn MemoryTrace>),
    /// No trace found: what was searched for, and where.
    NotFound(String),
}

/// Duration of a step, for which the target may be halted.
const STEP_DURATION: Duration = Duration::from_millis(20);

/// Number of bytes read at once.
const READ_LEN: u64 = 4 << 10;

/// Granularity at which the end of readable memory is determined.
const MIN_READ_LEN: u64 = 256;

/// Maximum number of bytes to scan.
const MAX_SCAN_BYTES: u64 = 64 << 20;

/// Headers consist of words of four bytes.
const ALIGNMENT: u64 = 4;

impl MemoryScan {
    pub(super) fn new(targets: ScanTargets, ranges: Vec<Range<u64>>) -> Self {
        let next = ranges.first().map_or(0, |range| range.start);
        Self {
            targets,
            ranges,
            range: 0,
            next,
            tail: Vec::new(),
            read_bytes: 0,
        }
    }

    /// Continues the scan for a while.
    pub(super) fn step(&mut self, stub: &mut Stub) -> Result<ScanStep, StubError> {
        let start = Instant::now();
        while start.elapsed() < STEP_DURATION {
            let Some(range) = self.ranges.get(self.range) else {
                return Ok(ScanStep::NotFound(self.searched_text()));
            };
            let left = range.end.saturating_sub(self.next);
            if left == 0 || self.read_bytes >= MAX_SCAN_BYTES {
                self.begin(self.range + 1);
                continue;
            }
            if let Some(trace) = self.scan_next(stub, left.min(READ_LEN))? {
                return Ok(ScanStep::Found(trace));
            }
        }
        Ok(ScanStep::InProgress)
    }

    fn begin(&mut self, range: usize) {
        self.range = range;
        self.next = self.ranges.get(range).map_or(0, |range| range.start);
        self.tail.clear();
    }

    /// Scans the next bytes.
    fn scan_next(
        &mut self,
        stub: &mut Stub,
        length: u64,
    ) -> Result<Option<Box<dyn MemoryTrace>>, StubError> {
        let bytes = match stub.read(self.next, length as usize) {
            Err(StubError::Unreadable { .. }) if length > MIN_READ_LEN => {
                stub.read(self.next, MIN_READ_LEN as usize)
            }
            bytes => bytes,
        };
        let bytes = match bytes {
            Err(StubError::Unreadable { .. }) => {
                self.begin(self.range + 1);
                return Ok(None);
            }
            bytes => bytes?,
        };
        let first = self.next.wrapping_sub(self.tail.len() as u64);
        self.next = self.next.saturating_add(bytes.len() as u64);
        self.read_bytes += bytes.len() as u64;
        self.tail.extend(bytes);
        for (address, at) in header_candidates(first, &self.tail) {
            if self.targets.has_buffers
                && is_header(address, at)
                && let Some(mirror) = BufferMirror::open(stub, address)?
            {
                return Ok(Some(Box::new(mirror)));
            }
            if let Some(search) = self.targets.rtt
                && is_control_block(at)
                && let Some(channel) = RttChannel::open(stub, address, search)?
            {
                return Ok(Some(Box::new(channel)));
            }
        }
        let looked_at = self.tail.len().saturating_sub(HEADER_BYTES - 1);
        self.tail.drain(..looked_at);
        Ok(None)
    }

    fn searched_text(&self) -> String {
        let ranges = self.ranges.iter().take(4).map(|range| {
            let (start, end) = (Address(range.start), Address(range.end));
            format!("{start} to {end}")
        });
        let ranges: Vec<_> = ranges.collect();
        let what = match (self.targets.has_buffers, self.targets.rtt) {
            (true, Some(_)) => "a trace buffer or an RTT channel",
            (false, Some(_)) => "an RTT channel",
            (_, None) => "a trace buffer",
        };
        format!(
            "{what} in memory (none from {} in {} readable bytes)",
            ranges.join(", "),
            self.read_bytes
        )
    }
}

/// Possible positions of a header, with the bytes from there on.
fn header_candidates(first: u64, bytes: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let skipped = (ALIGNMENT - first % ALIGNMENT) % ALIGNMENT;
    let places = (skipped as usize..bytes.len()).step_by(ALIGNMENT as usize);
    places.filter_map(move |at| {
        let bytes = bytes.get(at..at.checked_add(HEADER_BYTES)?)?;
        Some((first.wrapping_add(at as u64), bytes))
    })
}
