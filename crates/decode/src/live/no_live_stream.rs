//! Live streams that cannot be decoded, such as those whose metadata are in another file.

use super::{EventChunk, FormatDecoder, HostTime, LiveStats, ResumePoint};
use crate::{DecodeError, DecodedRecording, Format};
use rtoscope_trace::Clock;
use std::ops::Range;

/// Refuses a live stream.
#[derive(Debug)]
pub(crate) struct NoLiveStream {
    format: Format,
    bytes: u64,
    problem: &'static str,
}

impl NoLiveStream {
    /// `problem` says why.
    pub(crate) fn new(format: Format, problem: &'static str) -> Self {
        Self {
            format,
            bytes: 0,
            problem,
        }
    }

    fn error(&self) -> DecodeError {
        self.format.no_event(self.bytes, self.problem)
    }
}

impl FormatDecoder for NoLiveStream {
    fn push(&mut self, bytes: &[u8], _at: HostTime) {
        self.bytes += bytes.len() as u64;
    }

    fn connection_lost(&mut self) {}

    fn event_range(&self) -> Range<u64> {
        0..0
    }

    fn discard_before(&mut self, _before: u64) {}

    fn chunk(&self, _numbers: Range<u64>) -> Box<dyn EventChunk> {
        Box::new(NoEvents(self.error()))
    }

    fn stats(&self) -> LiveStats {
        LiveStats {
            unusable_bytes: self.bytes,
            ..LiveStats::default()
        }
    }

    fn resume_point(&self) -> Option<ResumePoint> {
        None
    }

    fn no_events_error(&self) -> Option<DecodeError> {
        (self.bytes > 0).then(|| self.error())
    }

    fn set_clock(&mut self, _clock: &Clock) {}
}

struct NoEvents(DecodeError);

impl EventChunk for NoEvents {
    fn decode(self: Box<Self>) -> Result<DecodedRecording, DecodeError> {
        Err(self.0)
    }
}
