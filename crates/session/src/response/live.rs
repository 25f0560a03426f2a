//! Status of a live trace.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// The position of a trace within a longer recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct RecordingOffset {
    /// The number of its first event in the recording.
    pub event: u64,
    /// The time of that event, in ticks since the first event of the recording.
    pub time: u64,
}

/// Status of a live trace: the contract `rtoscope/live/1`.
///
/// A snapshot is a part of the recording that can be queried. Snapshots have
/// ascending numbers and never change.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct LiveStatus {
    /// `rtoscope/live/1`.
    pub schema: &'static str,
    /// Changes with every member other than `snapshot`. A client that passes it back as
    /// `version` misses no change.
    pub version: u64,
    /// The number of the snapshot; 0 if there is none yet.
    pub snapshot: u64,
    /// The start of the snapshot.
    pub base: RecordingOffset,
    /// Number of events in the snapshot.
    pub events: u32,
    /// Ticks from its first event to its last.
    pub span: u64,
    /// Number of events in the whole recording.
    pub total_events: u64,
    /// Minimum number of missing events.
    pub missing: u64,
    /// Number of gaps.
    pub gaps: u64,
    /// Number of frames or buffers that could not be decoded.
    pub invalid_frames: u64,
    /// Number of received bytes.
    pub bytes: u64,
    /// Received bytes per second, averaged over about a second.
    pub bytes_per_second: f64,
    /// Received events per second, averaged over about a second.
    pub events_per_second: f64,
    /// The connection to the target.
    pub connection: ConnectionStatus,
    /// When the newest byte of the snapshot arrived, in milliseconds since 1970 by the
    /// host's clock; `null` if unknown.
    pub received_at: Option<f64>,
    /// The recording on disk, if there is one.
    pub saved: Option<SavedRecording>,
    /// Number of bytes that wait for decoding.
    pub queued_bytes: u64,
    /// Why the bytes cannot be decoded or shown, if so.
    pub decode_error: Option<String>,
    /// Whether there may be events on disk that are older than the snapshot.
    pub has_older: bool,
    /// Whether commands can be sent to the target.
    pub takes_commands: bool,
}

/// The connection to the target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ConnectionStatus {
    /// Its state.
    pub state: ConnectionState,
    /// What the source waits for, the target's name, or the reason; empty at the end.
    pub text: String,
}

/// State of the connection to the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum ConnectionState {
    /// No target has connected yet.
    Waiting,
    /// A target is connected.
    Connected,
    /// The connection was lost; the source tries to reconnect.
    Lost,
    /// The recording has ended.
    Ended,
    /// The source has failed.
    Failed,
}

/// A recording on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct SavedRecording {
    /// Its folder.
    pub folder: String,
    /// Number of written bytes.
    pub bytes: u64,
    /// Why writing has stopped, if so. Written bytes stay.
    pub error: Option<String>,
}
