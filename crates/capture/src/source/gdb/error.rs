//! Why a stub is of no help.

use super::link::LinkError;
use rtoscope_trace::Address;

/// Why something could not be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum StubError {
    /// Nothing came.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// Memory that cannot be read.
    #[error("the memory at {} cannot be read ({reply})", Address(*address))]
    Unreadable {
        /// Where it lies.
        address: u64,
        /// What the stub says.
        reply: String,
    },
    /// The target was halted while it was read.
    #[error("the target stopped while it was read")]
    Halted,
    /// The program on the target is at its end.
    #[error("the program on the target ended")]
    Ended,
    /// An answer that makes no sense.
    #[error("it answers nonsense to {0}")]
    InvalidReply(String),
}
