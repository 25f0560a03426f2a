//! Live streams, which cannot be decoded: their metadata are in another file.

use crate::DecodeError;
use crate::DecodedRecording;
use crate::ctf::no_event;
use crate::live::{EventChunk, FormatDecoder, HostTime, LiveStats, ResumePoint};
use rtoscope_trace::Clock;
use std::ops::Range;

/// Refuses a live stream.
#[derive(Debug, Default)]
pub(super) struct NoLiveStream {
    bytes: u64,
}

impl NoLiveStream {
    fn error(&self) -> DecodeError {
        no_event(
            self.bytes,
            Some("CTF cannot be decoded live: save it to a file first"),
        )
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
        Box::new(NoEvents { bytes: self.bytes })
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

struct NoEvents {
    bytes: u64,
}

impl EventChunk for NoEvents {
    fn decode(self: Box<Self>) -> Result<DecodedRecording, DecodeError> {
        Err(NoLiveStream { bytes: self.bytes }.error())
    }
}
