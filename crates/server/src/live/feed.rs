//! Where a live trace comes from.

use rtoscope_capture::{Status, Watch, sentence};
use rtoscope_decode::live::Moment;
use rtoscope_decode::{DecodeError, Recording};
use std::time::Duration;

/// A recording that is under way: a [`Watch`], or what stands in for one.
pub trait Feed: Send + Sync + 'static {
    /// How it stands.
    fn status(&self) -> Status;

    /// Waits until the status is another than the one of that version, or the
    /// time is over.
    fn wait(&self, version: u64, most: Duration) -> Status;

    /// The last events that are kept, about as many as are wanted, and when the
    /// newest of their bytes came; `None` if there are none.
    ///
    /// # Errors
    ///
    /// If they cannot be decoded.
    fn last(&self, events: u64) -> Result<Option<(Recording, Moment)>, DecodeError>;

    /// About so many events before the one of that number, of those that are on
    /// disk; `None` if there are none.
    ///
    /// # Errors
    ///
    /// If they cannot be read or decoded.
    fn older(&self, before: u64, events: u64) -> Result<Option<Recording>, OlderProblem>;
}

/// Why older events cannot be shown: a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OlderProblem(pub String);

impl Feed for Watch {
    fn status(&self) -> Status {
        Self::status(self)
    }

    fn wait(&self, version: u64, most: Duration) -> Status {
        Self::wait(self, version, most)
    }

    fn last(&self, events: u64) -> Result<Option<(Recording, Moment)>, DecodeError> {
        let Some((cut, at)) = self.cut(events) else {
            return Ok(None);
        };
        Ok(Some((cut.decode()?, at)))
    }

    fn older(&self, before: u64, events: u64) -> Result<Option<Recording>, OlderProblem> {
        Self::older(self, before, events).map_err(|error| OlderProblem(sentence(&error)))
    }
}
