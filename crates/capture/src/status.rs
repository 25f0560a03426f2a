//! How a capture stands.

use rtoscope_decode::Format;
use rtoscope_decode::live::{HostTime, LiveStats};
use std::path::PathBuf;

/// How a capture stands.
#[derive(Debug, Clone, PartialEq)]
pub struct CaptureStatus {
    /// Changes whenever something else here or in the trace does.
    pub version: u64,
    /// The format, once it is known.
    pub format: Option<Format>,
    /// Whether a target is there.
    pub connection: SourceState,
    /// Bytes that came.
    pub bytes: u64,
    /// Connections that were refused: what they sent was not read.
    pub refused_connections: u64,
    /// Events that came, and what did not.
    pub tally: LiveStats,
    /// Bytes that came in the last second or so.
    pub bytes_per_second: f64,
    /// Events that came in the last second or so.
    pub events_per_second: f64,
    /// When the newest byte came that is decoded.
    pub newest_received: Option<HostTime>,
    /// Bytes that wait to be decoded.
    pub queued_bytes: u64,
    /// When the capture has ended: bytes that came and were not decoded, since it was
    /// interrupted.
    pub undecoded_bytes: u64,
    /// What is on disk, if it is saved.
    pub saved: Option<RecordingStatus>,
    /// Why what came cannot be decoded, if it cannot.
    pub decode_error: Option<String>,
}

/// Whether a target is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceState {
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
pub struct RecordingStatus {
    /// Where.
    pub folder: PathBuf,
    /// Bytes that were written.
    pub bytes: u64,
    /// Why no more is written, if that is so. What was written stays.
    pub write_error: Option<String>,
    /// Bytes that came and are not in the recording.
    pub missing_bytes: u64,
    /// When the capture has ended: why the recording is not whole, if it is not.
    pub incomplete_reason: Option<String>,
}
