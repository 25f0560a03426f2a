//! Errors of GDB servers.

use super::link::LinkError;
use rtoscope_trace::Address;

/// Why an operation failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum StubError {
    /// No reply.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// Memory that cannot be read.
    #[error("the memory at {} cannot be read ({reply})", Address(*address))]
    Unreadable {
        /// Its address.
        address: u64,
        /// The server's error.
        reply: String,
    },
    /// Memory that cannot be written.
    #[error("the memory at {} cannot be written ({reply})", Address(*address))]
    Unwritable {
        /// Its address.
        address: u64,
        /// The server's error.
        reply: String,
    },
    /// The target was halted while it was read.
    #[error("the target stopped while it was read")]
    Halted,
    /// The program on the target has ended.
    #[error("the program on the target ended")]
    Ended,
    /// A reply that is not valid.
    #[error("invalid reply to {0}")]
    InvalidReply(String),
}
