//! Decodes context-switch logs that arrive one after the other.
//!
//! ```text
//! bytes ──framer──▶ containers ──core_merger──▶ events ──chunk──▶ DecodedRecording
//!                                │ core_tracker, snapshot: the new entries of a core
//!                                └ common_timeline: their times
//! ```
//!
//! Each container is a snapshot of the cores' logs; entries that no earlier
//! container had are new. Events of several cores get their numbers once no
//! earlier event can arrive any more.

mod chunk;
mod common_timeline;
mod core_merger;
mod core_tracker;
mod event_store;
mod merged_stream;
mod name_table;
mod snapshot;

use super::cswl_reader;
use super::options::CswitchOptions;
use super::packed;
use crate::live::{self, HostTime, LiveStats, ResumePoint};
use crate::sections::ContainerFramer;
use merged_stream::MergedStream;
use rtoscope_trace::Clock;
use rtoscope_wire::cswitch::CswlHeader;
use std::ops::Range;

/// Decodes context-switch logs live.
pub(crate) struct CswitchLiveDecoder {
    framer: ContainerFramer<CswlHeader>,
    merged: MergedStream,
}

impl CswitchLiveDecoder {
    /// Creates a decoder; `offset` unusable bytes precede it.
    pub(crate) fn new(options: &CswitchOptions, offset: u64) -> Self {
        Self {
            framer: ContainerFramer::new(offset),
            merged: MergedStream::new(options),
        }
    }

    /// Resumes a recording at a checkpoint.
    pub(crate) fn resume(options: &CswitchOptions, point: &ResumePoint) -> Self {
        Self {
            framer: ContainerFramer::new(point.offset),
            merged: MergedStream::resume(options, point),
        }
    }
}

impl live::FormatDecoder for CswitchLiveDecoder {
    fn push(&mut self, bytes: &[u8], at: HostTime) {
        self.framer.push(bytes);
        while let Some(whole) = self.framer.next() {
            let expanded = packed::expand(whole.bytes);
            let bytes = expanded.as_ref().map_or(whole.bytes, |it| &it.bytes);
            if let Ok(mut log) = cswl_reader::read(bytes, whole.offset) {
                for core in &mut log.cores {
                    let packed = expanded.as_ref();
                    core.last_ticks = packed.and_then(|it| it.last_ticks(core.core));
                }
                let cores = expanded.as_ref().map_or(0, |it| it.sending_cores);
                self.merged.push_container(log, cores, whole.offset, at);
            }
        }
    }

    fn connection_lost(&mut self) {
        self.framer.discard_partial();
        self.merged.finish();
    }

    fn event_range(&self) -> Range<u64> {
        self.merged.events.event_range()
    }

    fn discard_before(&mut self, before: u64) {
        self.merged.events.discard_before(before);
    }

    fn chunk(&self, numbers: Range<u64>) -> Box<dyn live::EventChunk> {
        Box::new(self.merged.chunk(numbers))
    }

    fn stats(&self) -> LiveStats {
        let tally = self.merged.stats();
        LiveStats {
            unusable: self.framer.damaged,
            unusable_bytes: tally
                .unusable_bytes
                .saturating_add(self.framer.damaged_bytes),
            ..tally
        }
    }

    fn resume_point(&self) -> Option<ResumePoint> {
        self.merged.resume_point()
    }

    fn set_clock(&mut self, clock: &Clock) {
        self.merged.set_direction(clock.direction);
    }

    fn metadata(&self) -> Vec<u8> {
        self.merged.metadata()
    }

    fn load_metadata(&mut self, preface: &[u8]) {
        self.merged.load_metadata(preface);
    }
}
