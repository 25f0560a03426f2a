//! Status of a live trace.

use super::snapshot::SnapshotInfo;
use rtoscope_capture::{CaptureStatus, SourceState};
use rtoscope_decode::live::HostTime;
use rtoscope_session::response::{self, ConnectionState, LiveStatus};

/// The status of a recording with respect to one of its snapshots.
pub(super) fn status(
    status: CaptureStatus,
    version: u64,
    snapshot: Option<(u64, SnapshotInfo)>,
    has_older: bool,
    takes_commands: bool,
) -> LiveStatus {
    let (snapshot, info) = snapshot.unzip();
    let part = info.map(|info| info.part).unwrap_or_default();
    LiveStatus {
        schema: "rtoscope/live/1",
        version,
        snapshot: snapshot.unwrap_or_default(),
        base: part.base,
        events: part.events,
        span: info.map(|info| info.span).unwrap_or_default(),
        total_events: status.tally.events,
        missing: status.tally.missing_events,
        gaps: status.tally.gaps,
        invalid_frames: status.tally.unusable,
        bytes: status.bytes,
        bytes_per_second: status.bytes_per_second,
        events_per_second: status.events_per_second,
        connection: connection(status.connection),
        received_at: info.and_then(|info| info.received).map(milliseconds),
        saved: status.saved.map(|saved| response::SavedRecording {
            folder: saved.folder.display().to_string(),
            bytes: saved.bytes,
            error: saved.write_error,
        }),
        queued_bytes: status.queued_bytes,
        decode_error: status.decode_error,
        has_older,
        takes_commands,
    }
}

fn connection(connection: SourceState) -> response::ConnectionStatus {
    let (state, text) = match connection {
        SourceState::Waiting(what) => (ConnectionState::Waiting, what),
        SourceState::Connected(who) => (ConnectionState::Connected, who),
        SourceState::Lost(why) => (ConnectionState::Lost, why),
        SourceState::Ended => (ConnectionState::Ended, String::new()),
        SourceState::Failed(why) => (ConnectionState::Failed, why),
    };
    response::ConnectionStatus { state, text }
}

/// Milliseconds since 1970, with fractions.
fn milliseconds(moment: HostTime) -> f64 {
    moment.0 as f64 / 1e6
}
