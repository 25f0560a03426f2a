//! A view of a capture.

use super::older_events::{self, OlderEventsError};
use super::shared::CaptureState;
use crate::CaptureStatus;
use crate::recording::Recording;
use rtoscope_decode as decode;
use rtoscope_decode::live::{EventWindow, HostTime};
use std::sync::Arc;
use std::time::Duration;

/// A view of a capture, for whoever wants to see it. The capture ends without
/// it, too, and this shows what came until then.
#[derive(Clone)]
pub struct CaptureWatch(Arc<CaptureState>);

impl CaptureWatch {
    pub(super) fn new(shared: Arc<CaptureState>) -> Self {
        Self(shared)
    }

    /// How the capture stands.
    pub fn status(&self) -> CaptureStatus {
        self.0.status()
    }

    /// Waits until the status is another than that of a version, or the time is
    /// over.
    pub fn wait(&self, version: u64, most: Duration) -> CaptureStatus {
        self.0.wait(version, most)
    }

    /// The last events, about as many as are wanted, and when the newest of
    /// their bytes came.
    pub fn last_events(&self, events: u64) -> Option<(EventWindow, HostTime)> {
        let decoding = self.0.decoder_state();
        Some((decoding.live.window(events)?, decoding.newest_received?))
    }

    /// About so many events before the one of that number, which may only be on
    /// disk any more; `None` if they are nowhere.
    ///
    /// # Errors
    ///
    /// If they cannot be read or decoded.
    pub fn older_events(
        &self,
        before: u64,
        events: u64,
    ) -> Result<Option<decode::DecodedRecording>, OlderEventsError> {
        let Some(folder) = &self.0.folder else {
            return Ok(None);
        };
        let recording = Recording::open(folder)?;
        let oldest = recording.segments().first();
        let Some(oldest) = oldest.map(|segment| segment.offset) else {
            return Ok(None);
        };
        let mark = {
            let live = &self.0.decoder_state().live;
            let mark = live.checkpoint_before(before.saturating_sub(events));
            match mark.filter(|mark| mark.offset() >= oldest) {
                None if oldest > 0 => live.checkpoint_from_offset(oldest).cloned(),
                mark => mark.cloned(),
            }
        };
        match mark {
            Some(mark) if mark.event >= before => Ok(None),
            None if oldest > 0 => Ok(None),
            mark => older_events::read_before(
                &recording,
                &self.0.settings,
                mark.as_ref(),
                before,
                events,
            ),
        }
    }

    /// Whether nothing more is taken from the source, and what was taken is on
    /// disk, if it is saved. It may not be decoded yet.
    pub fn has_read(&self) -> bool {
        self.0.has_read()
    }

    /// Ends the capture. What came is decoded.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// Ends the capture. Decoding ends after a time, whatever waits then; what came is
    /// saved before, if it is saved at all.
    pub fn stop_within(&self, time: Duration) {
        self.0.stop_within(time);
    }
}
