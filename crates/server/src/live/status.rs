//! What is said about a live trace.

use super::edition::Made;
use rtoscope_capture::{Connection, Status};
use rtoscope_decode::live::Moment;
use rtoscope_session::answer::{self, ConnectionState, LiveStatus};

/// How a recording stands, seen with one of its editions.
pub(super) fn status(
    status: Status,
    version: u64,
    edition: Option<(u64, Made)>,
    has_older: bool,
) -> LiveStatus {
    let (edition, made) = edition.unzip();
    let part = made.map(|made| made.part).unwrap_or_default();
    LiveStatus {
        schema: "rtoscope/live/1",
        version,
        edition: edition.unwrap_or_default(),
        base: part.base,
        events: part.events,
        span: made.map(|made| made.span).unwrap_or_default(),
        total_events: status.tally.events,
        missing: status.tally.missing,
        gaps: status.tally.gaps,
        bad: status.tally.bad,
        bytes: status.bytes,
        bytes_per_second: status.bytes_per_second,
        events_per_second: status.events_per_second,
        connection: connection(status.connection),
        received_at: made.and_then(|made| made.received).map(milliseconds),
        saved: status.saved.map(|saved| answer::Saved {
            folder: saved.folder.display().to_string(),
            bytes: saved.bytes,
            problem: saved.problem,
        }),
        waiting: status.waiting,
        undecodable: status.undecodable,
        has_older,
    }
}

fn connection(connection: Connection) -> answer::Connection {
    let (state, text) = match connection {
        Connection::Waiting(what) => (ConnectionState::Waiting, what),
        Connection::Connected(who) => (ConnectionState::Connected, who),
        Connection::Lost(why) => (ConnectionState::Lost, why),
        Connection::Ended => (ConnectionState::Ended, String::new()),
        Connection::Failed(why) => (ConnectionState::Failed, why),
    };
    answer::Connection { state, text }
}

/// Milliseconds since 1970, with their fractions.
fn milliseconds(moment: Moment) -> f64 {
    moment.0 as f64 / 1e6
}
