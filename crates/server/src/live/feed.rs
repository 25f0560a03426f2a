//! Where a live trace comes from.

use rtoscope_capture::{CaptureStatus, CaptureWatch, error_chain};
use rtoscope_decode::live::HostTime;
use rtoscope_decode::{DecodeError, DecodedRecording};
use std::time::Duration;

/// A recording that is under way: a [`CaptureWatch`], or what stands in for one.
pub trait LiveFeed: Send + Sync + 'static {
    /// How it stands.
    fn status(&self) -> CaptureStatus;

    /// Waits until the status is another than the one of that version, or the
    /// time is over.
    fn wait(&self, version: u64, most: Duration) -> CaptureStatus;

    /// The last events that are kept, about as many as are wanted, and when the
    /// newest of their bytes came; `None` if there are none.
    ///
    /// # Errors
    ///
    /// If they cannot be decoded.
    fn last_events(&self, events: u64)
    -> Result<Option<(DecodedRecording, HostTime)>, DecodeError>;

    /// About so many events before the one of that number, of those that are on
    /// disk; `None` if there are none.
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

/// Why older events cannot be shown: a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OlderEventsError(pub String);

impl LiveFeed for CaptureWatch {
    fn status(&self) -> CaptureStatus {
        Self::status(self)
    }

    fn wait(&self, version: u64, most: Duration) -> CaptureStatus {
        Self::wait(self, version, most)
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
