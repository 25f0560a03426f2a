//! What is read again and again, and what a look at it gives.

use super::error::StubError;
use super::stub::Stub;

/// A trace in a target's memory.
pub(super) trait MemoryTrace: Send {
    /// Reads what is new. `moves` says whether the target runs meanwhile.
    fn poll(&mut self, stub: &mut Stub, moves: bool) -> Result<PollOutcome, StubError>;

    /// The trace buffer or container of the last look that gave something new.
    fn bytes(&self) -> &[u8];

    /// What it is, and where.
    fn name(&self) -> String;
}

/// What a look gives.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum PollOutcome {
    /// Something new.
    New {
        /// How much of what the target has room for it is.
        fill_ratio: f64,
    },
    /// Nothing that could be given out.
    Unchanged {
        /// As above, of what could not.
        fill_ratio: f64,
    },
    /// The target was about to write: in about a millisecond there will be more
    /// to see.
    Retry,
    /// The target has written over all that was known: everything was read anew,
    /// and in about a millisecond there will be something to see.
    Overrun,
    /// The target wrote over what was being read.
    TooSlow,
    /// Nothing is recorded, and why.
    Disabled(String),
    /// It is no longer there, and why.
    Gone(String),
}
