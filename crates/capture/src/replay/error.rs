//! Errors of a replay.

use rtoscope_decode::DecodeError;
use rtoscope_recording::RecordingError;
use rtoscope_trace::NoTime;
use std::io;

/// Why a replay failed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The file cannot be decoded, so the times of its bytes are unknown.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The receiver cannot be opened.
    #[error("cannot send to {to}: {problem}")]
    Receiver {
        /// The address.
        to: String,
        /// The error in the address, or of the system.
        problem: String,
    },
    /// The receiver disconnected.
    #[error("{to} disconnected ({problem}) after {sent} bytes; --reconnect waits for it")]
    Disconnected {
        /// The address.
        to: String,
        /// The system's error.
        problem: String,
        /// Number of bytes sent.
        sent: u64,
    },
    /// A file, or standard output, cannot be written.
    #[error("cannot write to {to}")]
    Write {
        /// The file.
        to: String,
        /// The system's error.
        source: io::Error,
    },
    /// The trace has ticks but no clock frequency.
    #[error(
        "the trace does not say how fast its clock ticks, so that it is not known when to send \
         what: give --clock, or --speed max"
    )]
    NoFrequency,
    /// The trace's clock does not measure time.
    #[error("{0}, so that it is not known when to send what: give --speed max")]
    NoTime(NoTime),
}
