//! Decodes ThreadX trace buffers that arrive one after the other.
//!
//! ```text
//! bytes ──assembler──▶ buffers ──overlap──▶ new entries ──▶ entry_store ──▶ chunk
//! ```
//!
//! The input consists of copies of a buffer from the target's memory, from its
//! control header to the end of its ring: the same ring repeatedly while it is
//! written, or each time that it is full. Bytes between them are skipped.

mod assembler;
mod chunk;
mod clock_tracker;
mod common_layout;
mod core_bits_detector;
mod entry_gaps;
mod entry_store;
mod gap_times;
mod object_names;
mod overlap;
mod snapshot;
mod stitcher;
mod target_buffer;

pub use target_buffer::BufferArea;

use super::{FORMAT, ThreadXOptions};
use crate::live::{self, HostTime, LiveStats, ResumePoint};
use assembler::BufferAssembler;
use clock_tracker::ClockTracker;
use rtoscope_trace::Clock;
use std::ops::Range;
use std::sync::Arc;
use stitcher::BufferStitcher;

/// The state for resuming a recording.
#[derive(Debug, Clone)]
struct ThreadXResumeState {
    clock: ClockTracker,
    start_is_lost: bool,
}

/// Decodes ThreadX trace buffers live.
pub(crate) struct ThreadXLiveDecoder {
    assembler: BufferAssembler,
    stitcher: BufferStitcher,
    /// Unusable complete buffers, and their bytes.
    unusable: u64,
    unusable_bytes: u64,
}

impl ThreadXLiveDecoder {
    /// Creates a decoder; `offset` unusable bytes precede it.
    pub(crate) fn new(options: &ThreadXOptions, offset: u64) -> Self {
        Self::from_stitcher(BufferStitcher::new(options), offset)
    }

    /// Resumes a recording at a checkpoint.
    pub(crate) fn resume(options: &ThreadXOptions, point: &ResumePoint) -> Self {
        let stitcher = match point.state.downcast_ref::<ThreadXResumeState>() {
            Some(state) => {
                BufferStitcher::resume(options, point.event, &state.clock, state.start_is_lost)
            }
            None => BufferStitcher::new(options),
        };
        Self::from_stitcher(stitcher, point.offset)
    }

    fn from_stitcher(stitcher: BufferStitcher, offset: u64) -> Self {
        Self {
            assembler: BufferAssembler::new(offset),
            stitcher,
            unusable: 0,
            unusable_bytes: 0,
        }
    }
}

impl live::FormatDecoder for ThreadXLiveDecoder {
    fn push(&mut self, bytes: &[u8], at: HostTime) {
        self.assembler.push(bytes);
        while let Some(whole) = self.assembler.next() {
            let size = whole.bytes.len() - whole.doubtful_bytes;
            if !self.stitcher.push_buffer(whole, at) {
                self.unusable += 1;
                self.unusable_bytes += size as u64;
            }
        }
    }

    fn connection_lost(&mut self) {
        self.assembler.discard_partial();
        self.stitcher.accept_doubtful();
    }

    fn event_range(&self) -> Range<u64> {
        self.stitcher.entries.entry_range()
    }

    fn discard_before(&mut self, before: u64) {
        self.stitcher.discard_before(before);
    }

    fn chunk(&self, numbers: Range<u64>) -> Box<dyn live::EventChunk> {
        Box::new(self.stitcher.chunk(&numbers))
    }

    fn stats(&self) -> LiveStats {
        LiveStats {
            events: self.event_range().end,
            missing_events: self.stitcher.missing_entries,
            gaps: self.stitcher.gaps,
            unusable: self.assembler.damaged + self.unusable,
            truncated: self.assembler.truncated,
            unusable_bytes: self.assembler.lost_bytes + self.unusable_bytes,
        }
    }

    fn resume_point(&self) -> Option<ResumePoint> {
        let numbers = self.event_range();
        (!numbers.is_empty()).then(|| ResumePoint {
            offset: self.stitcher.newest_offset,
            event: numbers.end - 1,
            format: FORMAT,
            state: Arc::new(ThreadXResumeState {
                clock: self.stitcher.clock.clone(),
                start_is_lost: self.stitcher.start_is_lost,
            }),
        })
    }

    fn set_clock(&mut self, clock: &Clock) {
        self.stitcher.clock.set_direction(clock.direction);
    }
}
