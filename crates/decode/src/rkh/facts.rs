//! The facts of a stream.

use super::format::FORMAT;
use super::losses::{ProblemDetail, ProblemKind, StreamLosses, StreamProblem};
use super::record_members::option_name;
use super::stream_info::{Provenance, StreamInfo, StreamRun};
use crate::format::facts::members;
use crate::format::{FactSection, FactTable, FormatFacts};
use rtoscope_trace::Trace;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_wire::rkh::TargetConfiguration;
use rtoscope_wire::rkh::config::{CONFIGURATION_KEYS, StreamConfiguration};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub(super) fn facts(stream: &StreamInfo, trace: &Trace) -> FormatFacts {
    let [provenance, provenance_text] = provenance_names(stream.provenance);
    let losses = &stream.losses;
    let lost = format!(
        "{} in bad frames ({}), {} missing",
        pluralise(losses.unusable_bytes, "byte", "bytes"),
        losses.bad_frames(),
        missing_text(stream, trace),
    );
    FormatFacts {
        description: description(stream),
        lines: vec![
            ("stream", pluralise(stream.total_bytes, "byte", "bytes")),
            ("settings", provenance_text.to_owned()),
            ("losses", lost),
        ],
        sections: stream.runs.iter().map(run_section).collect(),
        members: members([
            ("bytes", json!(stream.total_bytes)),
            ("configuration_source", json!(provenance)),
            ("runs", stream.runs.iter().map(run_members).collect()),
            ("losses", losses_members(losses)),
        ]),
    }
}

fn description(stream: &StreamInfo) -> String {
    let title = FORMAT.title();
    let Some(run) = stream.runs.first() else {
        return title.to_owned();
    };
    match run.target.and_then(|target| target.version) {
        Some(version) => format!("{title}, RKH {version}"),
        None => {
            let records = run.configuration.dialect.name();
            format!("{title}, records of RKH {records} or later")
        }
    }
}

/// The names of a provenance for machines and for people.
const fn provenance_names(provenance: Provenance) -> [&'static str; 2] {
    match provenance {
        Provenance::Target => ["target", "recorded in the stream"],
        Provenance::TargetLater => ["target-later", "recorded later in the stream"],
        Provenance::User => ["user", "set by the user"],
        Provenance::Guessed => ["guessed", "guessed"],
        Provenance::Default => ["default", "default: those of Trazer"],
    }
}

/// The number of missing records, as far as it is known.
fn missing_text(stream: &StreamInfo, trace: &Trace) -> String {
    let records = stream.losses.missing_records;
    let restarts = |event| {
        let mut runs = stream.runs.iter();
        runs.any(|run| run.restart && run.first == event)
    };
    let mut unknown = trace.gaps.iter().filter(|gap| gap.missing.is_none());
    match (unknown.any(|gap| !restarts(gap.next_event)), records) {
        (true, 0) => "an unknown number of records".to_owned(),
        (true, _) => format!("at least {}", pluralise(records, "record", "records")),
        (false, _) => pluralise(records, "record", "records"),
    }
}

fn run_section(run: &StreamRun) -> FactSection {
    FactSection {
        title: match (run.restart, run.first.0) {
            (_, 0) => "Configuration".to_owned(),
            (true, event) => format!("Configuration after a restart [event {event}]"),
            (false, event) => format!("Configuration from event {event} on"),
        },
        table: FactTable::Lines(configuration_text(run)),
    }
}

fn configuration_text(run: &StreamRun) -> String {
    let settings = configuration_members(&run.configuration);
    let settings: Vec<_> = settings
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    let mut text = settings.join(" ");
    text.push('\n');
    if let Some(target) = &run.target {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "on: {}", enabled_options(target).join(" "));
        if target.timestamp_hz != 0 {
            let hz = target.timestamp_hz;
            let _ = writeln!(
                text,
                "timestamps: {hz} Hz, or {hz} Hz plus a multiple of 65536 Hz"
            );
        }
    }
    text
}

fn enabled_options(target: &TargetConfiguration) -> Vec<&'static str> {
    let options = target.options.iter().filter(|(_, on)| *on);
    options.map(|(name, _)| option_name(name)).collect()
}

fn run_members(run: &StreamRun) -> Value {
    Value::Object(members([
        ("first_event", json!(run.first.0)),
        ("restart", json!(run.restart)),
        ("records", json!(run.configuration.dialect.name())),
        (
            "configuration",
            Value::Object(configuration_members(&run.configuration)),
        ),
        ("target", run.target.as_ref().map(target_members).into()),
    ]))
}

fn configuration_members(configuration: &StreamConfiguration) -> Map<String, Value> {
    let values = CONFIGURATION_KEYS.iter().filter_map(|key| {
        let value = configuration.get(key.name)?;
        Some((key.name.to_owned(), json!(value)))
    });
    values.collect()
}

/// The timestamp frequency has only its low 16 bits.
fn target_members(target: &TargetConfiguration) -> Value {
    let version = target.version.map(|version| version.to_string());
    Value::Object(members([
        ("version", json!(version)),
        ("options", json!(enabled_options(target))),
        ("timestamp_hz_low_16_bits", json!(target.timestamp_hz)),
    ]))
}

fn losses_members(losses: &StreamLosses) -> Value {
    let kinds = ProblemKind::ALL.iter().filter_map(|kind| {
        let count = losses.count(*kind);
        (count > 0).then_some((kind.name(), count))
    });
    let mut kinds: Vec<_> = kinds.collect();
    kinds.sort_unstable();
    let kinds = kinds.into_iter();
    let kinds: Map<_, _> = kinds
        .map(|(kind, count)| (kind.to_owned(), json!(count)))
        .collect();
    Value::Object(members([
        ("bad_frames", json!(losses.bad_frames())),
        ("missing_records", json!(losses.missing_records)),
        ("unused_bytes", json!(losses.unusable_bytes)),
        ("split_frames", json!(losses.split_frames)),
        ("kinds", Value::Object(kinds)),
        (
            "problems",
            losses.problems.iter().map(problem_members).collect(),
        ),
    ]))
}

fn problem_members(problem: &StreamProblem) -> Value {
    let mut all = members([
        ("offset", json!(problem.offset)),
        ("kind", json!(problem.detail.kind().name())),
    ]);
    let details = match problem.detail {
        ProblemDetail::Checksum { id, bytes } => json!({"id": id, "bytes": bytes}),
        ProblemDetail::Malformed {
            id,
            extra,
            bytes,
            sequence,
            glued,
        } => json!({"id": id, "extra": extra, "bytes": bytes, "seq": sequence, "glued": glued}),
        ProblemDetail::Unknown {
            id,
            bytes,
            sequence,
        } => json!({"id": id, "bytes": bytes, "seq": sequence}),
        ProblemDetail::Aborted { bytes }
        | ProblemDetail::Lead { bytes }
        | ProblemDetail::Text { bytes }
        | ProblemDetail::Tail { bytes }
        | ProblemDetail::Unclosed { bytes }
        | ProblemDetail::TooLong { bytes } => json!({"bytes": bytes}),
        ProblemDetail::Gap {
            previous,
            sequence,
            missing,
        } => json!({"prev": previous, "seq": sequence, "lost": missing}),
    };
    if let Value::Object(details) = details {
        all.extend(details);
    }
    Value::Object(all)
}
