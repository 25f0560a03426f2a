//! A view of a capture.

use super::older_events::{self, OlderEventsError};
use super::requests::SendError;
use super::shared::CaptureState;
use crate::CaptureStatus;
use rtoscope_decode as decode;
use rtoscope_decode::live::{EventWindow, HostTime};
use rtoscope_recording::Recording;
use rtoscope_trace::TraceOrigin;
use std::sync::Arc;
use std::time::Duration;

/// A view of a capture for other threads. It does not keep the capture running, and
/// afterwards shows its final state.
#[derive(Clone)]
pub struct CaptureWatch(Arc<CaptureState>);

impl CaptureWatch {
    pub(super) fn new(shared: Arc<CaptureState>) -> Self {
        Self(shared)
    }

    /// The current status.
    pub fn status(&self) -> CaptureStatus {
        self.0.status()
    }

    /// Waits until the status differs from `version`, or until the timeout.
    pub fn wait(&self, version: u64, most: Duration) -> CaptureStatus {
        self.0.wait(version, most)
    }

    /// The last events, about `events` of them, and when their newest bytes arrived.
    pub fn last_events(&self, events: u64) -> Option<(EventWindow, HostTime)> {
        let decoding = self.0.decoder_state();
        Some((decoding.live.window(events)?, decoding.newest_received?))
    }

    /// The events from the first event of an earlier window on, and when their newest
    /// bytes arrived; `None` if that event is no longer in memory. `base` is the origin of
    /// the earlier window's trace.
    pub fn events_from(&self, base: TraceOrigin) -> Option<(EventWindow, HostTime)> {
        let decoding = self.0.decoder_state();
        Some((decoding.live.window_from(base)?, decoding.newest_received?))
    }

    /// About `events` events before event number `before`, which may only be on disk;
    /// `None` if there are none.
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

    /// Whether the source takes bytes for the target.
    pub fn is_writable(&self) -> bool {
        self.0.is_writable
    }

    /// Sends bytes to the target, and waits until it has taken them.
    ///
    /// # Errors
    ///
    /// If the source cannot send, no target is connected, or it does not take the bytes
    /// in time.
    pub fn send(&self, bytes: Vec<u8>) -> Result<(), SendError> {
        if self.0.has_read() {
            return Err(SendError("the capture has ended".to_owned()));
        }
        self.0.requests.send(bytes)
    }

    /// Whether the source is no longer read and received bytes are on disk, if they are
    /// saved. They may not be decoded yet.
    pub fn has_read(&self) -> bool {
        self.0.has_read()
    }

    /// Stops the capture. Received bytes are decoded.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// Stops the capture. Decoding stops after a time, whatever is queued; received
    /// bytes are saved before, if they are saved at all.
    pub fn stop_within(&self, time: Duration) {
        self.0.stop_within(time);
    }
}
