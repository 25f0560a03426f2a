//! How a capture stands.

use rtoscope_decode::Format;
use rtoscope_decode::live::{Moment, Tally};
use std::path::PathBuf;

/// How a capture stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    /// Changes whenever something else here or in the trace does.
    pub version: u64,
    /// The format, once it is known.
    pub format: Option<Format>,
    /// Whether a target is there.
    pub connection: Connection,
    /// Bytes that came.
    pub bytes: u64,
    /// Connections that were refused: what they sent was not read.
    pub refused: u64,
    /// Events that came, and what did not.
    pub tally: Tally,
    /// Bytes that came in the last second or so.
    pub bytes_per_second: f64,
    /// Events that came in the last second or so.
    pub events_per_second: f64,
    /// When the newest byte came that is decoded.
    pub newest: Option<Moment>,
    /// Bytes that wait to be decoded.
    pub waiting: u64,
    /// When the capture has ended: bytes that came and were not decoded, since it was
    /// interrupted.
    pub undecoded: u64,
    /// What is on disk, if it is saved.
    pub saved: Option<Saved>,
    /// Why what came cannot be decoded, if it cannot.
    pub undecodable: Option<String>,
}

/// Whether a target is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Connection {
    /// Nobody yet: what is waited for.
    Waiting(String),
    /// Somebody: who.
    Connected(String),
    /// No longer, and why.
    Lost(String),
    /// The source has come to its end, or the user has ended the capture.
    Ended,
    /// The source cannot go on, and why.
    Failed(String),
}

/// What of a capture is on disk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Saved {
    /// Where.
    pub folder: PathBuf,
    /// Bytes that were written.
    pub bytes: u64,
    /// Why no more is written, if that is so. What was written stays.
    pub problem: Option<String>,
    /// Bytes that came and are not in the recording.
    pub missing: u64,
    /// When the capture has ended: why the recording is not whole, if it is not.
    pub fault: Option<String>,
}
