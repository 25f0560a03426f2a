//! Text output for RKH streams.

use super::FormatSummary;
use crate::commands::info::document::{GapDocument, RkhDocument, RunDocument};
use rtoscope_command::output::append_section;
use rtoscope_trace::diagnostic::pluralise;
use std::fmt::Write as _;

pub(super) fn summary_rows(document: &RkhDocument, gaps: &[GapDocument]) -> FormatSummary {
    let first = document.runs.first();
    let version = first.and_then(|run| run.target.as_ref()?.version.clone());
    let format = match (version, first) {
        (Some(version), _) => format!("RKH trace stream, RKH {version}"),
        (None, Some(run)) => format!("RKH trace stream, records of RKH {} or later", run.records),
        (None, None) => "RKH trace stream".to_owned(),
    };
    let from = match document.configuration_source {
        "target" => "recorded in the stream",
        "target-later" => "recorded later in the stream",
        "user" => "set by the user",
        "guessed" => "guessed",
        _ => "default: those of Trazer",
    };
    let losses = &document.losses;
    let lost = format!(
        "{} in bad frames ({}), {} missing",
        pluralise(losses.unused_bytes, "byte", "bytes"),
        losses.bad_frames,
        missing_text(document, gaps),
    );
    let facts = vec![
        ("stream", pluralise(document.bytes, "byte", "bytes")),
        ("settings", from.to_owned()),
        ("losses", lost),
    ];
    (format, facts)
}

/// The number of missing records, as far as it is known.
fn missing_text(document: &RkhDocument, gaps: &[GapDocument]) -> String {
    let records = document.losses.missing_records;
    let restarts = |event| {
        let mut runs = document.runs.iter();
        runs.any(|run| run.restart && run.first_event == event)
    };
    let mut unknown = gaps.iter().filter(|gap| gap.missing.is_none());
    match (unknown.any(|gap| !restarts(gap.before_event)), records) {
        (true, 0) => "an unknown number of records".to_owned(),
        (true, _) => format!("at least {}", pluralise(records, "record", "records")),
        (false, _) => pluralise(records, "record", "records"),
    }
}

pub(super) fn append_sections(text: &mut String, document: &RkhDocument) {
    for run in &document.runs {
        let title = match (run.restart, run.first_event) {
            (_, 0) => "Configuration".to_owned(),
            (true, event) => format!("Configuration after a restart [event {event}]"),
            (false, event) => format!("Configuration from event {event} on"),
        };
        append_section(text, &title, &configuration_text(run));
    }
}

fn configuration_text(run: &RunDocument) -> String {
    let settings = run.configuration.iter();
    let settings: Vec<_> = settings
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    let mut text = settings.join(" ");
    text.push('\n');
    if let Some(target) = &run.target {
        let _ = writeln!(text, "on: {}", target.options.join(" "));
        if target.timestamp_hz_low_16_bits != 0 {
            let hz = target.timestamp_hz_low_16_bits;
            let _ = writeln!(
                text,
                "timestamps: {hz} Hz, or {hz} Hz plus a multiple of 65536 Hz"
            );
        }
    }
    text
}
