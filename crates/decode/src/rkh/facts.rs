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
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The members of `info` that only a stream has.
#[derive(Serialize, JsonSchema)]
pub(super) struct StreamMembers {
    /// Of the decompressed stream.
    bytes: u64,
    /// `target`, `target-later` (after the first records), `user`, `guessed` or `default`.
    configuration_source: &'static str,
    /// Parts with one configuration: from the start, or from a configuration record of the
    /// target, to the next.
    runs: Vec<RunMembers>,
    losses: LossMembers,
}

#[derive(Serialize, JsonSchema)]
struct RunMembers {
    /// The event with which it starts.
    first_event: u32,
    /// Whether the target restarted there.
    restart: bool,
    /// The first version of RKH that has these records.
    records: &'static str,
    /// The settings by their keys.
    configuration: BTreeMap<&'static str, u32>,
    /// The target's configuration record.
    target: Option<TargetMembers>,
}

#[derive(Serialize, JsonSchema)]
struct TargetMembers {
    version: Option<String>,
    /// The enabled options, without `RKH_CFG_`.
    options: Vec<&'static str>,
    /// 0 if not recorded.
    timestamp_hz_low_16_bits: u16,
}

/// Unusable and missing data.
#[derive(Serialize, JsonSchema)]
struct LossMembers {
    /// Frames that could not be decoded, without those cut off at the ends of the stream.
    bad_frames: u64,
    /// From sequence numbers, modulo 256 in each gap.
    missing_records: u64,
    /// Bytes of all frames that could not be decoded.
    unused_bytes: u64,
    /// Frames split by `-O split-glued`.
    split_frames: u64,
    /// Number of each kind of damage that occurs.
    kinds: BTreeMap<&'static str, u64>,
    /// The first of them, in order.
    problems: Vec<ProblemMembers>,
}

#[derive(Default, Serialize, JsonSchema)]
struct ProblemMembers {
    offset: u64,
    kind: &'static str,
    /// The first byte of a frame, the record's id if it is undamaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u32>,
    /// Bytes of the frame without escapes.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// Bytes after the end of the record; 0 for missing or wrong ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    extra: Option<u64>,
    /// Its sequence number; of a gap that of the record after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u8>,
    /// Number of records that the frame can be split into, or 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    glued: Option<u32>,
    /// The sequence number before a gap.
    #[serde(skip_serializing_if = "Option::is_none")]
    prev: Option<u8>,
    /// Records missing in a gap.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<u8>,
}

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
        members: members(&StreamMembers {
            bytes: stream.total_bytes,
            configuration_source: provenance,
            runs: stream.runs.iter().map(run_members).collect(),
            losses: losses_members(losses),
        }),
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
    let settings: Vec<_> = configuration_members(&run.configuration)
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

fn run_members(run: &StreamRun) -> RunMembers {
    RunMembers {
        first_event: run.first.0,
        restart: run.restart,
        records: run.configuration.dialect.name(),
        configuration: configuration_members(&run.configuration).collect(),
        target: run.target.as_ref().map(|target| TargetMembers {
            version: target.version.map(|version| version.to_string()),
            options: enabled_options(target),
            timestamp_hz_low_16_bits: target.timestamp_hz,
        }),
    }
}

fn configuration_members(
    configuration: &StreamConfiguration,
) -> impl Iterator<Item = (&'static str, u32)> {
    let keys = CONFIGURATION_KEYS.iter();
    keys.filter_map(|key| Some((key.name, configuration.get(key.name)?)))
}

fn losses_members(losses: &StreamLosses) -> LossMembers {
    let kinds = ProblemKind::ALL.iter();
    let kinds = kinds.map(|kind| (kind.name(), losses.count(*kind)));
    LossMembers {
        bad_frames: losses.bad_frames(),
        missing_records: losses.missing_records,
        unused_bytes: losses.unusable_bytes,
        split_frames: losses.split_frames,
        kinds: kinds.filter(|(_, count)| *count > 0).collect(),
        problems: losses.problems.iter().map(problem_members).collect(),
    }
}

fn problem_members(problem: &StreamProblem) -> ProblemMembers {
    let mut all = ProblemMembers {
        offset: problem.offset,
        kind: problem.detail.kind().name(),
        ..ProblemMembers::default()
    };
    match problem.detail {
        ProblemDetail::Checksum { id, bytes } => {
            all.id = Some(id.into());
            all.bytes = Some(bytes);
        }
        ProblemDetail::Malformed {
            id,
            extra,
            bytes,
            sequence,
            glued,
        } => {
            all.id = Some(id.into());
            all.extra = Some(extra);
            all.bytes = Some(bytes);
            all.seq = sequence;
            all.glued = Some(glued);
        }
        ProblemDetail::Unknown {
            id,
            bytes,
            sequence,
        } => {
            all.id = Some(id);
            all.bytes = Some(bytes);
            all.seq = sequence;
        }
        ProblemDetail::Aborted { bytes }
        | ProblemDetail::Lead { bytes }
        | ProblemDetail::Text { bytes }
        | ProblemDetail::Tail { bytes }
        | ProblemDetail::Unclosed { bytes }
        | ProblemDetail::TooLong { bytes } => all.bytes = Some(bytes),
        ProblemDetail::Gap {
            previous,
            sequence,
            missing,
        } => {
            all.prev = Some(previous);
            all.seq = Some(sequence);
            all.lost = Some(missing);
        }
    }
    all
}
