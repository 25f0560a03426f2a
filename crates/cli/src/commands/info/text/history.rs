//! Text output for the recording of a capture.

use crate::commands::info::document::CaptureDocument;
use rtoscope_command::output::{self, append_section};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::printable::Printable;
use std::fmt::Write as _;

/// Interruptions that the text shows: an unreliable connection breaks often.
const MAX_INTERRUPTIONS: usize = 50;

pub(super) fn summary_rows(document: &CaptureDocument) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(source) = &document.source {
        facts.push(("captured", Printable::text(source).to_string()));
    }
    if let Some([started, newest]) = document.times {
        facts.push(("started", started.to_string()));
        facts.push(("last data", newest.to_string()));
    }
    let mut stored = pluralise(document.bytes, "byte", "bytes");
    let segments = pluralise(document.segments as u64, "segment", "segments");
    let _ = write!(stored, " in {segments}");
    if document.removed_bytes > 0 {
        let removed = pluralise(document.removed_bytes, "byte", "bytes");
        let _ = write!(stored, ", the first {removed} removed");
    }
    facts.push(("stored", stored));
    facts
}

pub(super) fn append_sections(text: &mut String, document: &CaptureDocument) {
    let interruptions = &document.interruptions;
    if interruptions.is_empty() {
        return;
    }
    let rows = interruptions.iter().take(MAX_INTERRUPTIONS).map(|it| {
        vec![
            it.time.to_string(),
            it.before_event.to_string(),
            it.missing_bytes.to_string(),
            it.reason.clone(),
        ]
    });
    let header = ["at", "event", "bytes missing", "reason"];
    let mut table = output::format_table(&header, &["event", "bytes missing"], rows);
    if interruptions.len() > MAX_INTERRUPTIONS {
        let more = interruptions.len() - MAX_INTERRUPTIONS;
        let _ = writeln!(table, "and {more} more, which --format json lists");
    }
    append_section(text, "Interruptions", &table);
}
