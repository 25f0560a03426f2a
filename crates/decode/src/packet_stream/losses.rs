//! What is missing in a stream, and what was damaged.

use super::{EventPage, GapCause};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind};

/// The bytes of a stream so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct StreamStatus {
    /// Their number.
    pub(crate) bytes: u64,
    /// Those before the first packet.
    pub(crate) leading: u64,
    /// Number of damaged places between packets, and their bytes.
    pub(crate) places: u64,
    pub(crate) damaged: u64,
    /// Number of packets that were incomplete when the bytes ended, and their bytes.
    pub(crate) cuts: u64,
    pub(crate) cut_bytes: u64,
    /// The offset and the number of the bytes at the end that belong to no packet.
    pub(crate) damaged_end: Option<(u64, u64)>,
}

impl StreamStatus {
    /// The losses in words.
    pub(crate) fn text(&self, missing: u64, packet: [&str; 2]) -> String {
        let [one, several] = packet;
        format!(
            "{} missing, {} in {} damaged",
            pluralise(missing, one, several),
            pluralise(self.damaged, "byte", "bytes"),
            pluralise(self.places, "place", "places"),
        )
    }
}

/// The gaps of a page; `packet` is the name of one and of several packets.
pub(crate) fn gap_diagnostics(
    page: &EventPage,
    [one, several]: [&'static str; 2],
) -> impl Iterator<Item = Diagnostic> {
    page.inner_gaps().map(move |(gap, inner)| {
        let event = inner.next_event;
        let missing = gap.missing.map(|missing| {
            let verb = if missing == 1 { "is" } else { "are" };
            format!("{} {verb} missing", pluralise(missing, one, several))
        });
        let (kind, message) = match gap.cause {
            GapCause::Overflow => (
                DiagnosticKind::Gap,
                match missing {
                    Some(missing) => {
                        format!("{missing} before event {event}: the target's buffer was full")
                    }
                    None => format!(
                        "{several} are missing before event {event}: the target's buffer was \
                         full; their number is unknown"
                    ),
                },
            ),
            GapCause::Damage { offset, bytes } => {
                let missing = missing.map(|missing| format!("; {missing}"));
                let message = format!(
                    "{} at offset {offset:#x} before event {event} belong to no {one}{}",
                    pluralise(bytes, "byte", "bytes"),
                    missing.unwrap_or_default()
                );
                let diagnostic = Diagnostic::new(DiagnosticKind::BadFrame, message);
                return diagnostic.at_event(event).at_offset(offset);
            }
            GapCause::MissingSwitchOut => (
                DiagnosticKind::Gap,
                format!(
                    "the thread before event {event} was not switched out: when it ran is unknown"
                ),
            ),
            GapCause::Disconnected => (
                DiagnosticKind::Gap,
                match missing {
                    Some(missing) => {
                        format!("{missing} before event {event}: the connection was lost")
                    }
                    None => format!(
                        "{several} may be missing before event {event}: the connection was lost"
                    ),
                },
            ),
            GapCause::Pause => (
                DiagnosticKind::SuppressedEntries,
                format!("the recording was stopped before event {event}"),
            ),
            GapCause::Restart => (
                DiagnosticKind::SuppressedEntries,
                format!("the target restarted before event {event}"),
            ),
        };
        Diagnostic::new(kind, message)
            .at_event(event)
            .with_count(gap.missing.unwrap_or(1))
    })
}

/// The bytes of a stream that belong to no packet, but for those in gaps.
pub(crate) fn stream_diagnostics(
    status: &StreamStatus,
    [packet, _]: [&str; 2],
) -> impl Iterator<Item = Diagnostic> {
    let bytes = |bytes| pluralise(bytes, "byte", "bytes");
    let lead = (status.leading > 0).then(|| {
        let message = format!("{} before the first {packet}", bytes(status.leading));
        Diagnostic::new(DiagnosticKind::CutFrame, message).with_count(status.leading)
    });
    let cut = (status.cuts > 0).then(|| {
        let message = format!(
            "the stream ends within {} {packet}, after {} of it",
            article(packet),
            bytes(status.cut_bytes)
        );
        Diagnostic::new(DiagnosticKind::CutFrame, message).with_count(status.cut_bytes)
    });
    let damaged = status.damaged_end.map(|(offset, damaged)| {
        let message = format!(
            "{} at offset {offset:#x} after the last event belong to no {packet}",
            bytes(damaged)
        );
        Diagnostic::new(DiagnosticKind::BadFrame, message).at_offset(offset)
    });
    lead.into_iter().chain(cut).chain(damaged)
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with('e') { "an" } else { "a" }
}
