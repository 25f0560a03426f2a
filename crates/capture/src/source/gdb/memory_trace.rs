//! Interface of traces in a target's memory.

use super::error::StubError;
use super::stub::Stub;

/// A trace in a target's memory.
pub(super) trait MemoryTrace: Send {
    /// Reads new data. `moves` is whether the target runs meanwhile.
    fn poll(&mut self, stub: &mut Stub, moves: bool) -> Result<PollOutcome, StubError>;

    /// The trace buffer, container or bytes of the last poll with new data.
    fn bytes(&self) -> &[u8];

    /// Sends bytes to the target, which is as in [`MemoryTrace::poll`]. Returns how many
    /// the target has room for; `None` if it takes none at all.
    fn send(&mut self, stub: &mut Stub, bytes: &[u8]) -> Result<Option<usize>, StubError> {
        let _ = (stub, bytes);
        Ok(None)
    }

    /// Display name: kind and address.
    fn name(&self) -> String;
}

/// The result of a poll.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum PollOutcome {
    /// New data.
    New {
        /// The amount of new data, as a fraction of the capacity.
        fill_ratio: f64,
    },
    /// Nothing that can be emitted.
    Unchanged {
        /// The amount of new data that could not be emitted, as a fraction of the
        /// capacity.
        fill_ratio: f64,
    },
    /// The target was in the middle of writing: poll again after about a millisecond.
    Retry,
    /// The target has overwritten all known data: everything was read again, and there
    /// will be new data in about a millisecond.
    Overrun,
    /// The target overwrote the data while it was being read.
    TooSlow,
    /// Recording is disabled, with the reason.
    Disabled(String),
    /// The trace no longer exists, with the reason.
    Gone(String),
}
