//! Details of RKH streams.

use crate::commands::events::rkh_json::option_name;
use rtoscope_decode::rkh::losses::ProblemDetail;
use rtoscope_decode::rkh::{
    ProblemKind, Provenance, StreamInfo, StreamLosses, StreamProblem, StreamRun,
};
use rtoscope_wire::rkh::TargetConfiguration;
use rtoscope_wire::rkh::config::{CONFIGURATION_KEYS, StreamConfiguration};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

#[derive(Serialize)]
pub(crate) struct RkhDocument {
    pub(crate) bytes: u64,
    /// `target`, `target-later`, `user`, `guessed` or `default`.
    pub(crate) configuration_source: &'static str,
    pub(crate) runs: Vec<RunDocument>,
    pub(crate) losses: LossesDocument,
}

/// A run: from a target's configuration record, or the start, to the next one.
#[derive(Serialize)]
pub(crate) struct RunDocument {
    pub(crate) first_event: u32,
    /// Whether the target restarted here.
    pub(crate) restart: bool,
    /// The first version of RKH with these records.
    pub(crate) records: &'static str,
    /// The settings by key.
    pub(crate) configuration: Map<String, Value>,
    pub(crate) target: Option<TargetDocument>,
}

/// The target's own configuration record.
#[derive(Serialize)]
pub(crate) struct TargetDocument {
    pub(crate) version: Option<String>,
    /// The enabled options.
    pub(crate) options: Vec<&'static str>,
    /// The low 16 bits of the timestamp frequency in hertz.
    pub(crate) timestamp_hz_low_16_bits: u16,
}

#[derive(Serialize)]
pub(crate) struct LossesDocument {
    /// Undecodable frames, except those truncated at the ends of the stream.
    pub(crate) bad_frames: u64,
    /// Missing records by sequence number, modulo 256 per gap.
    pub(crate) missing_records: u64,
    pub(crate) unused_bytes: u64,
    pub(crate) split_frames: u64,
    /// The number of problems by kind.
    pub(crate) kinds: BTreeMap<&'static str, u64>,
    /// The first problems.
    pub(crate) problems: Vec<Value>,
}

impl RkhDocument {
    pub(super) fn new(stream: &StreamInfo) -> Self {
        Self {
            bytes: stream.total_bytes,
            configuration_source: match stream.provenance {
                Provenance::Target => "target",
                Provenance::TargetLater => "target-later",
                Provenance::User => "user",
                Provenance::Guessed => "guessed",
                Provenance::Default => "default",
            },
            runs: stream.runs.iter().map(run_document).collect(),
            losses: losses_document(&stream.losses),
        }
    }
}

fn run_document(run: &StreamRun) -> RunDocument {
    RunDocument {
        first_event: run.first.0,
        restart: run.restart,
        records: run.configuration.dialect.name(),
        configuration: configuration_settings(&run.configuration),
        target: run.target.as_ref().map(target_document),
    }
}

fn configuration_settings(configuration: &StreamConfiguration) -> Map<String, Value> {
    let values = CONFIGURATION_KEYS.iter().filter_map(|key| {
        let value = configuration.get(key.name)?;
        Some((key.name.to_owned(), json!(value)))
    });
    values.collect()
}

fn target_document(target: &TargetConfiguration) -> TargetDocument {
    let options = target.options.iter().filter(|(_, on)| *on);
    TargetDocument {
        version: target.version.map(|version| version.to_string()),
        options: options.map(|(name, _)| option_name(name)).collect(),
        timestamp_hz_low_16_bits: target.timestamp_hz,
    }
}

fn losses_document(losses: &StreamLosses) -> LossesDocument {
    let kinds = ProblemKind::ALL.iter().filter_map(|kind| {
        let count = losses.count(*kind);
        (count > 0).then_some((kind.name(), count))
    });
    LossesDocument {
        bad_frames: losses.bad_frames(),
        missing_records: losses.missing_records,
        unused_bytes: losses.unusable_bytes,
        split_frames: losses.split_frames,
        kinds: kinds.collect(),
        problems: losses.problems.iter().map(problem_document).collect(),
    }
}

fn problem_document(problem: &StreamProblem) -> Value {
    let mut members = Map::new();
    members.insert("offset".to_owned(), json!(problem.offset));
    members.insert("kind".to_owned(), json!(problem.detail.kind().name()));
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
        | ProblemDetail::Tail { bytes }
        | ProblemDetail::TooLong { bytes } => json!({"bytes": bytes}),
        ProblemDetail::Gap {
            previous,
            sequence,
            missing,
        } => json!({"prev": previous, "seq": sequence, "lost": missing}),
    };
    if let Value::Object(details) = details {
        members.extend(details);
    }
    Value::Object(members)
}
