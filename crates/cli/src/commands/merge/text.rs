//! Alignments as text.

use rtoscope_analysis::alignment::{AlignedRecording, MergeDocument};
use rtoscope_command::output::{append_section, format_table};
use rtoscope_trace::{Frequency, Nanoseconds};
use std::fmt::Write as _;

const HEADER: [&str; 8] = [
    "recording",
    "format",
    "clock",
    "span",
    "offset",
    "drift",
    "uncertainty at start",
    "at end",
];
const RIGHT: [&str; 6] = [
    "clock",
    "span",
    "offset",
    "drift",
    "uncertainty at start",
    "at end",
];

const MATCH_HEADER: [&str; 6] = [
    "recording",
    "rule",
    "pairs",
    "repeated",
    "only in first",
    "only in other",
];
const MATCH_RIGHT: [&str; 4] = ["pairs", "repeated", "only in first", "only in other"];

pub(super) fn render(document: &MergeDocument) -> String {
    let method = match document.method {
        "common-counter" => "timestamps of a common counter",
        "absolute" => "times of arrival at the host",
        _ => "causes and effects",
    };
    let mut text = format!("Recordings on the axis of the first, by {method}\n");
    let rows = document.recordings.iter().map(row);
    append_section(&mut text, "Places", &format_table(&HEADER, &RIGHT, rows));
    let matches = document.recordings.iter().flat_map(|recording| {
        recording.matches.iter().map(|it| {
            let counts = [it.pairs, it.repeated, it.only_in_first, it.only_in_other];
            let counts = counts.into_iter().map(|count| count.to_string());
            let names = [recording.recording.clone(), it.rule.clone()];
            names.into_iter().chain(counts).collect::<Vec<_>>()
        })
    });
    let matches: Vec<_> = matches.collect();
    if !matches.is_empty() {
        let table = format_table(&MATCH_HEADER, &MATCH_RIGHT, matches);
        append_section(&mut text, "Matching events", &table);
    }
    let mut notes = String::new();
    for it in &document.recordings {
        for problem in &it.problems {
            let _ = writeln!(notes, "{}: {}", it.recording, problem.message);
        }
        if let Some(refused) = &it.refused {
            let _ = writeln!(notes, "{}: no place: {}", it.recording, refused.message);
        }
    }
    if !notes.is_empty() {
        append_section(&mut text, "Problems", &notes);
    }
    text
}

/// By how much times may differ at most; `None` if unknown.
pub(super) fn uncertainty(recording: &AlignedRecording) -> Option<String> {
    let ends = [
        recording.start_uncertainty_ns?,
        recording.end_uncertainty_ns?,
    ];
    Some(Nanoseconds(ends.into_iter().max()?).to_string())
}

fn row(it: &AlignedRecording) -> Vec<String> {
    let unknown = || "-".to_owned();
    let time = |ns: Option<u64>| ns.map_or_else(unknown, |ns| Nanoseconds(ns).to_string());
    let bound = |ns: Option<u64>| ns.map_or_else(unknown, |ns| format!("±{}", Nanoseconds(ns)));
    let clock = it.clock_hz.and_then(Frequency::from_hertz);
    let offset = it.offset_ns.map_or_else(unknown, |ns| {
        let sign = if ns < 0 { "-" } else { "" };
        format!("{sign}{}", Nanoseconds(ns.unsigned_abs()))
    });
    let drift = match (it.drift_ppm, it.drift_uncertainty_ppm) {
        (None, _) => unknown(),
        (Some(drift), Some(most)) => format!("{drift:.3} ± {most:.3} ppm"),
        (Some(drift), None) => format!("{drift:.3} ppm"),
    };
    vec![
        it.recording.clone(),
        it.format.to_owned(),
        clock.map_or_else(unknown, |clock| clock.to_string()),
        time(it.span_ns),
        offset,
        drift,
        bound(it.start_uncertainty_ns),
        bound(it.end_uncertainty_ns),
    ]
}
