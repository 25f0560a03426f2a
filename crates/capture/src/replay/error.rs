//! Why something cannot be played.

use crate::recording::RecordingError;
use rtoscope_decode::DecodeError;
use std::io;

/// Why something cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The file cannot be decoded, so that it is not known what comes when.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A buffer cannot be taken out of its container.
    #[error("cannot take the trace buffer out of the file")]
    Extract(#[source] io::Error),
    /// Nobody can receive it there.
    #[error("cannot send to {to}: {problem}")]
    Receiver {
        /// The address.
        to: String,
        /// What is wrong with it, or what the system says.
        problem: String,
    },
    /// The receiver went away.
    #[error("{to} went away ({problem}) after {sent} bytes; --reconnect waits for it to come back")]
    Disconnected {
        /// The address.
        to: String,
        /// What the system says.
        problem: String,
        /// Bytes that were sent.
        sent: u64,
    },
    /// A file, or standard output, cannot be written.
    #[error("cannot write to {to}")]
    Write {
        /// Which.
        to: String,
        /// What the system says.
        source: io::Error,
    },
    /// The trace has no times, only ticks.
    #[error(
        "the trace does not say how fast its clock ticks, so that it is not known when to send \
         what: give --clock, or --speed max"
    )]
    NoFrequency,
}
