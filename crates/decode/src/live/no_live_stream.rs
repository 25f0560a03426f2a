//! Live streams of formats that are decoded as files only.

use super::{EventChunk, FormatDecoder, HostTime, LiveStats, ResumePoint};
use crate::{DecodeError, DecodedRecording, FormatDescription};
use rtoscope_trace::Clock;
use std::ops::Range;

/// Refuses a live stream.
#[derive(Debug)]
pub(crate) struct NoLiveStream {
    format: &'static FormatDescription,
    bytes: u64,
}

impl NoLiveStream {
    pub(crate) const fn new(format: &'static FormatDescription) -> Self {
        Self { format, bytes: 0 }
    }

    fn error(&self) -> DecodeError {
        let plural = self.format.plural;
        let problem = format!("{plural} cannot be decoded live: save one to a file first");
        self.format.no_event(self.bytes, &problem)
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
