//! Sources of live traces.

use rtoscope_capture::{CaptureStatus, CaptureWatch, error_chain};
use rtoscope_decode::live::HostTime;
use rtoscope_decode::{DecodeError, DecodedRecording};
use std::time::Duration;

/// A recording in progress: a [`CaptureWatch`], or a test's replacement.
pub trait LiveFeed: Send + Sync + 'static {
    /// The current status.
    fn status(&self) -> CaptureStatus;

    /// Waits until the status differs from `version`, or until the timeout.
    fn wait(&self, version: u64, timeout: Duration) -> CaptureStatus;

    /// The last events in memory, about `events` of them, and the time of arrival of
    /// their newest byte; `None` if there are none.
    ///
    /// # Errors
    ///
    /// If they cannot be decoded.
    fn last_events(&self, events: u64)
    -> Result<Option<(DecodedRecording, HostTime)>, DecodeError>;

    /// About `events` events on disk before event number `before`; `None` if there are
    /// none.
    ///
    /// # Errors
    ///
    /// If they cannot be read or decoded.
    fn older_events(
        &self,
        before: u64,
        events: u64,
    ) -> Result<Option<DecodedRecording>, OlderEventsError>;
}

/// Why older events cannot be shown, as a message for the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OlderEventsError(pub String);

impl LiveFeed for CaptureWatch {
    fn status(&self) -> CaptureStatus {
        Self::status(self)
    }

    fn wait(&self, version: u64, timeout: Duration) -> CaptureStatus {
        Self::wait(self, version, timeout)
    }

    fn last_events(
        &self,
        events: u64,
    ) -> Result<Option<(DecodedRecording, HostTime)>, DecodeError> {
        let Some((cut, at)) = self.last_events(events) else {
            return Ok(None);
        };
        Ok(Some((cut.decode()?, at)))
    }

    fn older_events(
        &self,
        before: u64,
        events: u64,
    ) -> Result<Option<DecodedRecording>, OlderEventsError> {
        Self::older_events(self, before, events)
            .map_err(|error| OlderEventsError(error_chain(&error)))
    }
}
