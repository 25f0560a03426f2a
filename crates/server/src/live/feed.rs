//! Sources of live traces.

use rtoscope_capture::{CaptureStatus, CaptureWatch, SendError, error_chain};
use rtoscope_decode::live::{EventWindow, HostTime};
use rtoscope_decode::{DecodeError, DecodedRecording};
use rtoscope_trace::TraceOrigin;
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

    /// The events in memory from an earlier part's first event on, and the time of arrival
    /// of their newest byte; `None` if that event is no longer in memory. `base` is the
    /// origin of the earlier part.
    ///
    /// # Errors
    ///
    /// If they cannot be decoded.
    fn events_from(
        &self,
        base: TraceOrigin,
    ) -> Result<Option<(DecodedRecording, HostTime)>, DecodeError>;

    /// Whether commands can be sent to the target.
    fn takes_commands(&self) -> bool {
        false
    }

    /// Sends bytes to the target, and waits until it has taken them.
    ///
    /// # Errors
    ///
    /// If the target does not take them.
    fn send(&self, bytes: Vec<u8>) -> Result<(), SendError> {
        let _ = bytes;
        Err(SendError("the source takes no commands".to_owned()))
    }

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
        Self::last_events(self, events).map(decode).transpose()
    }

    fn events_from(
        &self,
        base: TraceOrigin,
    ) -> Result<Option<(DecodedRecording, HostTime)>, DecodeError> {
        Self::events_from(self, base).map(decode).transpose()
    }

    fn takes_commands(&self) -> bool {
        self.is_writable()
    }

    fn send(&self, bytes: Vec<u8>) -> Result<(), SendError> {
        Self::send(self, bytes)
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

fn decode(
    (window, received): (EventWindow, HostTime),
) -> Result<(DecodedRecording, HostTime), DecodeError> {
    Ok((window.decode()?, received))
}
