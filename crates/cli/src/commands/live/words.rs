//! A capture in words.

use rtoscope_capture::{Connection, Status};
use rtoscope_trace::diagnostic::counted;
use rtoscope_trace::printable::Printable;
use std::fmt::Write as _;

/// What happened to the target, if it is worth a line.
pub(super) fn connection(connection: &Connection) -> Option<String> {
    match connection {
        Connection::Waiting(what) => Some(format!("waiting for {what}")),
        Connection::Connected(who) => Some(format!("connected to {who}")),
        Connection::Lost(reason) => Some(format!("connection lost: {reason}")),
        // The summary says so.
        Connection::Ended | Connection::Failed(_) => None,
    }
}

/// How a capture stands, on one line.
pub(super) fn status(status: &Status) -> String {
    let mut line = match &status.connection {
        Connection::Waiting(what) => format!("waiting for {what}"),
        Connection::Connected(who) => who.clone(),
        Connection::Lost(reason) => format!("lost: {reason}"),
        Connection::Ended => "ended".to_owned(),
        Connection::Failed(reason) => reason.clone(),
    };
    let _ = write!(
        line,
        " · {} · {:.0} events/s · {}/s",
        counted(status.tally.events, "event", "events"),
        status.events_per_second,
        bytes(status.bytes_per_second)
    );
    for part in losses(status) {
        let _ = write!(line, " · {part}");
    }
    if status.waiting > 1 << 20 {
        let _ = write!(line, " · {} to decode", bytes(status.waiting as f64));
    }
    if let Some(saved) = &status.saved {
        let _ = match &saved.problem {
            None => write!(line, " · {} saved", bytes(saved.bytes as f64)),
            Some(problem) => write!(line, " · NOT SAVED: {problem}"),
        };
    }
    line
}

/// What came of a capture.
pub(super) fn summary(status: &Status) -> String {
    let events = counted(status.tally.events, "event", "events");
    let mut line = format!("{events} in {}", bytes(status.bytes as f64));
    match losses(status).as_slice() {
        [] if status.undecoded > 0 || status.refused > 0 => {}
        [] => line.push_str("; nothing is missing"),
        parts => {
            for part in parts {
                let _ = write!(line, "; {part}");
            }
        }
    }
    if status.undecoded > 0 {
        let undecoded = bytes(status.undecoded as f64);
        let _ = write!(line, "; {undecoded} of it not decoded");
    }
    if status.refused > 0 {
        let refused = counted(status.refused, "connection", "connections");
        let _ = write!(line, "; {refused} not read");
    }
    if let Some(saved) = &status.saved {
        let _ = write!(
            line,
            "; {} saved in {}",
            bytes(saved.bytes as f64),
            Printable::path(&saved.folder)
        );
        if saved.missing > 0 {
            let missing = counted(saved.missing, "byte", "bytes");
            let _ = write!(line, ", {missing} NOT SAVED");
        }
        if let Some(problem) = &saved.problem {
            let _ = write!(line, ", and no more: {problem}");
        }
    }
    line
}

fn losses(status: &Status) -> Vec<String> {
    let tally = &status.tally;
    let mut parts = Vec::new();
    if tally.gaps > 0 {
        let missing = match tally.missing {
            0 => "an unknown number of events missing".to_owned(),
            missing => format!("{} missing at least", counted(missing, "event", "events")),
        };
        let gaps = counted(tally.gaps, "gap", "gaps");
        parts.push(format!("{missing} in {gaps}"));
    }
    if tally.bad > 0 {
        let frames = counted(tally.bad, "damaged frame", "damaged frames");
        parts.push(frames);
    }
    if tally.cut > 0 {
        parts.push(format!("{} cut off", counted(tally.cut, "frame", "frames")));
    }
    if tally.bad + tally.cut == 0 && tally.bad_bytes > 0 {
        let bytes = counted(tally.bad_bytes, "byte", "bytes");
        parts.push(format!("{bytes} of no use"));
    }
    parts
}

/// Bytes with a unit.
fn bytes(bytes: f64) -> String {
    match bytes {
        ..1e3 => format!("{bytes:.0} B"),
        1e3..1e6 => format!("{:.1} kB", bytes / 1e3),
        1e6..1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.2} GB", bytes / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_capture::Saved;
    use rtoscope_decode::live::Tally;

    fn some() -> Status {
        Status {
            version: 1,
            format: None,
            connection: Connection::Connected("10.0.0.7:5000".to_owned()),
            bytes: 1_234_567,
            refused: 0,
            tally: Tally {
                events: 2500,
                ..Tally::default()
            },
            bytes_per_second: 2400.0,
            events_per_second: 120.4,
            newest: None,
            waiting: 0,
            undecoded: 0,
            saved: None,
            undecodable: None,
        }
    }

    #[test]
    fn nothing_missing_is_said() {
        let status = some();
        assert_eq!(
            summary(&status),
            "2500 events in 1.2 MB; nothing is missing"
        );
        assert_eq!(
            super::status(&status),
            "10.0.0.7:5000 · 2500 events · 120 events/s · 2.4 kB/s"
        );
    }

    #[test]
    fn losses_are_said() {
        let mut status = some();
        status.tally.gaps = 2;
        status.tally.missing = 7;
        status.tally.bad = 1;
        status.saved = Some(Saved {
            folder: "run".into(),
            bytes: 12,
            problem: Some("no space left".to_owned()),
            missing: 7,
            fault: None,
        });
        status.refused = 2;
        status.undecoded = 1000;
        assert_eq!(
            summary(&status),
            "2500 events in 1.2 MB; 7 events missing at least in 2 gaps; 1 damaged frame; 1.0 kB of \
             it not decoded; 2 connections not read; 12 B saved in run, 7 bytes NOT SAVED, and no \
             more: no space left"
        );
        status.tally.bad = 0;
        status.tally.cut = 1;
        status.tally.bad_bytes = 9;
        let line = super::status(&status);
        assert!(
            line.contains("gaps · 1 frame cut off · NOT SAVED"),
            "{line}"
        );
        status.tally.missing = 0;
        assert!(super::status(&status).contains("an unknown number of events missing in 2 gaps"));
    }
}
