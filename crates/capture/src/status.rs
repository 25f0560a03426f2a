//! Status of a capture.

use rtoscope_decode::Format;
use rtoscope_decode::live::{HostTime, LiveStats};
use std::path::PathBuf;

/// Status of a capture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CaptureStatus {
    /// Changes with every other member, and with the trace.
    pub version: u64,
    /// The format, once known.
    pub format: Option<Format>,
    /// State of the source.
    pub connection: SourceState,
    /// Number of received bytes.
    pub bytes: u64,
    /// After the end: what the source received if it was nothing of the trace.
    pub other_data: Option<String>,
    /// Number of refused connections, whose bytes were not read.
    pub refused_connections: u64,
    /// Number of datagrams that the system dropped.
    pub dropped_datagrams: u64,
    /// After the end: number of bytes that the target had sent and that were not read.
    pub unread_bytes: u64,
    /// Numbers of events, gaps and losses.
    pub tally: LiveStats,
    /// Received bytes per second, averaged over about a second.
    pub bytes_per_second: f64,
    /// Received events per second, averaged over about a second.
    pub events_per_second: f64,
    /// When the newest decoded byte arrived.
    pub newest_received: Option<HostTime>,
    /// Number of bytes that wait for decoding.
    pub queued_bytes: u64,
    /// After the end: number of received bytes that were not decoded because of an
    /// interrupt.
    pub undecoded_bytes: u64,
    /// The recording on disk, if there is one.
    pub saved: Option<RecordingStatus>,
    /// Why the received bytes cannot be decoded, if so.
    pub decode_error: Option<String>,
}

/// State of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceState {
    /// Waiting, with a description.
    Waiting(String),
    /// Connected, with the target's name.
    Connected(String),
    /// The connection was lost, with the reason.
    Lost(String),
    /// The source has ended, or the user has stopped the capture.
    Ended,
    /// The source has failed, with the reason.
    Failed(String),
}

impl Default for SourceState {
    fn default() -> Self {
        Self::Waiting("the source".to_owned())
    }
}

/// Status of a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordingStatus {
    /// The folder.
    pub folder: PathBuf,
    /// Number of written bytes.
    pub bytes: u64,
    /// Why writing has stopped, if so. Written bytes stay.
    pub write_error: Option<String>,
    /// Number of received bytes that are missing.
    pub missing_bytes: u64,
    /// After the end: why the recording is incomplete, if so.
    pub incomplete_reason: Option<String>,
}
