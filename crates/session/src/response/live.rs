//! What is said of a recording that is still under way.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// Where a trace begins that is a part of a longer recording. Questions and
/// answers count from the part's first event; this is added to say it to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct RecordingOffset {
    /// The number of its first event in the recording.
    pub event: u64,
    /// The time of that event, in ticks since the first of the recording.
    pub time: u64,
}

/// How a recording stands that is still under way, and what of it can be asked.
/// The contract `rtoscope/live/2`.
///
/// A part of the recording that can be asked is an edition; each has a number,
/// and later ones have higher numbers. An edition never changes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct LiveStatus {
    /// `rtoscope/live/2`.
    pub schema: &'static str,
    /// Another one whenever something here but the edition is. Who tells it back
    /// as `seen` misses no change.
    pub version: u64,
    /// The edition that this tells of; 0 if there is none yet.
    pub snapshot: u64,
    /// Where the edition begins.
    pub base: RecordingOffset,
    /// How many events it has.
    pub events: u32,
    /// Ticks from its first event to its last.
    pub span: u64,
    /// Events of the whole recording.
    pub total_events: u64,
    /// Events that are known to be missing, at least.
    pub missing: u64,
    /// Places where events are missing.
    pub gaps: u64,
    /// Frames or buffers that could not be used.
    pub invalid_frames: u64,
    /// Bytes that came.
    pub bytes: u64,
    /// Bytes that came in the last second or so.
    pub bytes_per_second: f64,
    /// Events that came in the last second or so.
    pub events_per_second: f64,
    /// Whether a target is there.
    pub connection: ConnectionStatus,
    /// When the newest byte of the edition came, in milliseconds since 1970 by
    /// the clock of the host; `null` if that is not known.
    pub received_at: Option<f64>,
    /// What is on disk, if it is saved.
    pub saved: Option<SavedRecording>,
    /// Bytes that wait to be decoded.
    pub queued_bytes: u64,
    /// Why what came cannot be decoded or shown, if it cannot.
    pub decode_error: Option<String>,
    /// Whether there may be older events on disk than the edition has.
    pub has_older: bool,
}

/// Whether a target is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ConnectionStatus {
    /// Whether it is.
    pub state: ConnectionState,
    /// What is waited for, who is there, or why not; empty at the end.
    pub text: String,
}

/// Whether a target is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum ConnectionState {
    /// Nobody yet.
    Waiting,
    /// Somebody.
    Connected,
    /// No longer; the source tries to reach it again.
    Lost,
    /// The recording has come to its end.
    Ended,
    /// The source cannot go on.
    Failed,
}

/// What of a recording is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct SavedRecording {
    /// Where.
    pub folder: String,
    /// Bytes that were written.
    pub bytes: u64,
    /// Why no more is written, if that is so. What was written stays.
    pub error: Option<String>,
}
