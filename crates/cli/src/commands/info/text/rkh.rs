//! What is told of an RKH stream.

use super::Facts;
use crate::commands::info::document::{Rkh, RunDocument};
use rtoscope_command::output::section;
use rtoscope_trace::diagnostic::counted;
use std::fmt::Write as _;

pub(super) fn facts(document: &Rkh) -> Facts {
    let first = document.runs.first();
    let version = first.and_then(|run| run.target.as_ref()?.version.clone());
    let format = match (version, first) {
        (Some(version), _) => format!("RKH trace stream, RKH {version}"),
        (None, Some(run)) => format!("RKH trace stream, records of RKH {} or later", run.records),
        (None, None) => "RKH trace stream".to_owned(),
    };
    let from = match document.configuration_from {
        "told" => "told by the stream",
        "told-later" => "told by the stream, later",
        "given" => "given",
        "guessed" => "guessed",
        _ => "assumed: what Trazer assumes",
    };
    let losses = &document.losses;
    let lost = format!(
        "{} in bad frames ({}), {} missing",
        counted(losses.unused_bytes, "byte", "bytes"),
        losses.bad_frames,
        counted(losses.missing_records, "record", "records"),
    );
    let facts = vec![
        ("stream", counted(document.bytes, "byte", "bytes")),
        ("settings", from.to_owned()),
        ("losses", lost),
    ];
    (format, facts)
}

pub(super) fn sections(text: &mut String, document: &Rkh) {
    for run in &document.runs {
        let title = match (run.restart, run.first_event) {
            (_, 0) => "Configuration".to_owned(),
            (true, event) => format!("Configuration after a restart [event {event}]"),
            (false, event) => format!("Configuration from event {event} on"),
        };
        section(text, &title, &configuration(run));
    }
}

fn configuration(run: &RunDocument) -> String {
    let settings = run.configuration.iter();
    let settings: Vec<_> = settings
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    let mut text = settings.join(" ");
    text.push('\n');
    if let Some(target) = &run.target {
        let _ = writeln!(text, "on: {}", target.options.join(" "));
        if target.stamp_hz_low_16_bits != 0 {
            let hz = target.stamp_hz_low_16_bits;
            let _ = writeln!(text, "stamps: {hz} Hz, or that and a multiple of 65536 Hz");
        }
    }
    text
}
