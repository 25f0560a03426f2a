//! Data that was not read.

use rtoscope_trace::diagnostic::pluralise;
use std::fmt;

/// What a target sent and the capture did not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    /// Number of datagrams that the system dropped because the capture did not read them
    /// in time. The following bytes need not continue the ones before.
    Datagrams(u64),
    /// Number of bytes that waited to be read when the capture ended.
    Bytes(u64),
}

impl Unread {
    /// Whether everything was read.
    pub fn is_empty(self) -> bool {
        matches!(self, Self::Datagrams(0) | Self::Bytes(0))
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Datagrams(count) => {
                let datagrams = pluralise(count, "datagram", "datagrams");
                write!(
                    f,
                    "the system dropped {datagrams} that were not read in time"
                )
            }
            Self::Bytes(count) => {
                let bytes = pluralise(count, "byte", "bytes");
                write!(
                    f,
                    "the capture ended with {bytes} of the target still unread"
                )
            }
        }
    }
}
