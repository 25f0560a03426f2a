//! Status messages of a capture.

use rtoscope_capture::{CaptureStatus, SourceState};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::printable::Printable;
use std::fmt::Write as _;

/// The message for a connection change, if it deserves one.
pub(super) fn connection_text(connection: &SourceState) -> Option<String> {
    match connection {
        SourceState::Waiting(target) => Some(format!("waiting for {target}")),
        SourceState::Connected(peer) => Some(format!("connected to {peer}")),
        SourceState::Lost(reason) => Some(format!("connection lost: {reason}")),
        // The summary reports it.
        SourceState::Ended | SourceState::Failed(_) => None,
    }
}

/// The status of a capture on one line.
pub(super) fn status_line(status: &CaptureStatus) -> String {
    let mut line = match &status.connection {
        SourceState::Waiting(target) => format!("waiting for {target}"),
        SourceState::Connected(peer) => peer.clone(),
        SourceState::Lost(reason) => format!("lost: {reason}"),
        SourceState::Ended => "ended".to_owned(),
        SourceState::Failed(reason) => reason.clone(),
    };
    let _ = write!(
        line,
        " · {} · {:.0} events/s · {}/s",
        pluralise(status.tally.events, "event", "events"),
        status.events_per_second,
        byte_size(status.bytes_per_second)
    );
    for part in loss_texts(status) {
        let _ = write!(line, " · {part}");
    }
    if status.queued_bytes > 1 << 20 {
        let _ = write!(
            line,
            " · {} to decode",
            byte_size(status.queued_bytes as f64)
        );
    }
    if let Some(saved) = &status.saved {
        let _ = match &saved.write_error {
            None => write!(line, " · {} saved", byte_size(saved.bytes as f64)),
            Some(problem) => write!(line, " · NOT SAVED: {problem}"),
        };
    }
    line
}

/// The final summary of a capture.
pub(super) fn final_summary(status: &CaptureStatus) -> String {
    let events = pluralise(status.tally.events, "event", "events");
    let mut line = format!("{events} in {}", byte_size(status.bytes as f64));
    match loss_texts(status).as_slice() {
        [] if status.bytes == 0
            || status.undecoded_bytes > 0
            || status.refused_connections > 0
            || status.unread_bytes > 0 => {}
        [] => line.push_str("; nothing missing"),
        parts => {
            for part in parts {
                let _ = write!(line, "; {part}");
            }
        }
    }
    if status.undecoded_bytes > 0 {
        let undecoded = byte_size(status.undecoded_bytes as f64);
        let _ = write!(line, "; {undecoded} not decoded");
    }
    if status.refused_connections > 0 {
        let refused = pluralise(status.refused_connections, "connection", "connections");
        let _ = write!(line, "; {refused} not read");
    }
    if status.unread_bytes > 0 {
        let unread = byte_size(status.unread_bytes as f64);
        let _ = write!(line, "; {unread} not read");
    }
    if let Some(saved) = &status.saved {
        let _ = write!(
            line,
            "; {} saved in {}",
            byte_size(saved.bytes as f64),
            Printable::path(&saved.folder)
        );
        if saved.missing_bytes > 0 {
            let missing = pluralise(saved.missing_bytes, "byte", "bytes");
            let _ = write!(line, ", {missing} NOT SAVED");
        }
        if let Some(problem) = &saved.write_error {
            let _ = write!(line, ", then failed: {problem}");
        }
    }
    line
}

/// Why there is no trace, if nothing of one was received: `last` is the state before the end.
pub(super) fn nothing_received(status: &CaptureStatus, last: &SourceState) -> Option<String> {
    if status.bytes > 0 {
        return None;
    }
    let what = match &status.other_data {
        Some(other) => format!("no trace was received, only {other}"),
        None => "nothing was received".to_owned(),
    };
    Some(match last {
        SourceState::Waiting(target) => format!("{what}; waited for {target}"),
        SourceState::Connected(peer) => format!("{what}; was connected to {peer}"),
        SourceState::Lost(reason) => format!("{what}; the connection was lost: {reason}"),
        SourceState::Ended | SourceState::Failed(_) => what,
    })
}

fn loss_texts(status: &CaptureStatus) -> Vec<String> {
    let tally = &status.tally;
    let mut parts = Vec::new();
    if status.dropped_datagrams > 0 {
        let datagrams = pluralise(status.dropped_datagrams, "datagram", "datagrams");
        parts.push(format!("{datagrams} dropped"));
    }
    if tally.gaps > 0 {
        let missing = match tally.missing_events {
            0 => "an unknown number of events missing".to_owned(),
            missing => format!("at least {} missing", pluralise(missing, "event", "events")),
        };
        let gaps = pluralise(tally.gaps, "gap", "gaps");
        parts.push(format!("{missing} in {gaps}"));
    }
    if tally.unusable > 0 {
        let frames = pluralise(tally.unusable, "damaged frame", "damaged frames");
        parts.push(frames);
    }
    if tally.truncated > 0 {
        parts.push(format!(
            "{} cut off",
            pluralise(tally.truncated, "frame", "frames")
        ));
    }
    if tally.unusable + tally.truncated == 0 && tally.unusable_bytes > 0 {
        let bytes = pluralise(tally.unusable_bytes, "byte", "bytes");
        parts.push(format!("{bytes} unusable"));
    }
    parts
}

/// Formats a number of bytes with a unit.
fn byte_size(bytes: f64) -> String {
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
    use rtoscope_capture::RecordingStatus;
    use rtoscope_decode::live::LiveStats;

    fn some() -> CaptureStatus {
        CaptureStatus {
            version: 1,
            connection: SourceState::Connected("10.0.0.7:5000".to_owned()),
            bytes: 1_234_567,
            tally: LiveStats {
                events: 2500,
                ..LiveStats::default()
            },
            bytes_per_second: 2400.0,
            events_per_second: 120.4,
            ..CaptureStatus::default()
        }
    }

    #[test]
    fn summary_without_losses() {
        let status = some();
        assert_eq!(
            final_summary(&status),
            "2500 events in 1.2 MB; nothing missing"
        );
        assert_eq!(
            status_line(&status),
            "10.0.0.7:5000 · 2500 events · 120 events/s · 2.4 kB/s"
        );
    }

    #[test]
    fn no_data_is_explained() {
        let mut status = some();
        let connected = status.connection.clone();
        assert_eq!(nothing_received(&status, &connected), None);
        status.bytes = 0;
        status.tally.events = 0;
        assert_eq!(final_summary(&status), "0 events in 0 B");
        assert_eq!(
            nothing_received(&status, &SourceState::Waiting("a target".to_owned())).unwrap(),
            "nothing was received; waited for a target"
        );
        status.other_data = Some("9 bytes, none for stimulus port 0".to_owned());
        assert_eq!(
            nothing_received(&status, &connected).unwrap(),
            "no trace was received, only 9 bytes, none for stimulus port 0; was connected to \
             10.0.0.7:5000"
        );
    }

    #[test]
    fn summary_lists_losses() {
        let mut status = some();
        status.tally.gaps = 2;
        status.tally.missing_events = 7;
        status.tally.unusable = 1;
        status.saved = Some(RecordingStatus {
            folder: "run".into(),
            bytes: 12,
            write_error: Some("no space left".to_owned()),
            missing_bytes: 7,
            incomplete_reason: None,
        });
        status.refused_connections = 2;
        status.undecoded_bytes = 1000;
        status.dropped_datagrams = 3;
        status.unread_bytes = 2000;
        assert_eq!(
            final_summary(&status),
            "2500 events in 1.2 MB; 3 datagrams dropped; at least 7 events missing in 2 gaps; 1 \
             damaged frame; 1.0 kB not decoded; 2 connections not read; 2.0 kB not read; 12 B saved in run, 7 bytes NOT SAVED, then \
             failed: no space left"
        );
        status.tally.unusable = 0;
        status.tally.truncated = 1;
        status.tally.unusable_bytes = 9;
        let line = super::status_line(&status);
        assert!(
            line.contains("gaps · 1 frame cut off · NOT SAVED"),
            "{line}"
        );
        status.tally.missing_events = 0;
        assert!(status_line(&status).contains("an unknown number of events missing in 2 gaps"));
    }
}
