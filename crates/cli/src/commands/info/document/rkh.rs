//! What only an RKH stream has.

use crate::commands::events::rkh::short;
use rtoscope_decode::rkh::losses::Detail;
use rtoscope_decode::rkh::{Losses, Problem, ProblemKind, Provenance, Run, Stream};
use rtoscope_wire::rkh::TargetConfiguration;
use rtoscope_wire::rkh::config::{Configuration, KEYS};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

#[derive(Serialize)]
pub(crate) struct Rkh {
    pub(crate) bytes: u64,
    /// `told`, `told-later`, `given`, `guessed` or `assumed`.
    pub(crate) configuration_from: &'static str,
    pub(crate) runs: Vec<RunDocument>,
    pub(crate) losses: LossesDocument,
}

/// From a target's configuration record, or the start, to the next.
#[derive(Serialize)]
pub(crate) struct RunDocument {
    pub(crate) first_event: u32,
    /// Whether the target started again.
    pub(crate) restart: bool,
    /// The first version of RKH that has these records.
    pub(crate) records: &'static str,
    /// The settings by their keys.
    pub(crate) configuration: Map<String, Value>,
    pub(crate) target: Option<TargetDocument>,
}

/// What the target says about itself.
#[derive(Serialize)]
pub(crate) struct TargetDocument {
    pub(crate) version: Option<String>,
    /// The switches that are on.
    pub(crate) options: Vec<&'static str>,
    /// The low 16 bits of the stamps' ticks in a second.
    pub(crate) stamp_hz_low_16_bits: u16,
}

#[derive(Serialize)]
pub(crate) struct LossesDocument {
    /// Frames that could not be used, without those cut at the stream's ends.
    pub(crate) bad_frames: u64,
    /// Records missing by their sequence numbers, modulo 256 in each gap.
    pub(crate) missing_records: u64,
    pub(crate) unused_bytes: u64,
    pub(crate) frames_taken_apart: u64,
    /// How many of each kind.
    pub(crate) kinds: BTreeMap<&'static str, u64>,
    /// The first of them.
    pub(crate) problems: Vec<Value>,
}

impl Rkh {
    pub(super) fn new(stream: &Stream) -> Self {
        Self {
            bytes: stream.bytes,
            configuration_from: match stream.provenance {
                Provenance::Told => "told",
                Provenance::ToldLater => "told-later",
                Provenance::Given => "given",
                Provenance::Guessed => "guessed",
                Provenance::Assumed => "assumed",
            },
            runs: stream.runs.iter().map(run).collect(),
            losses: losses(&stream.losses),
        }
    }
}

fn run(run: &Run) -> RunDocument {
    RunDocument {
        first_event: run.first.0,
        restart: run.restart,
        records: run.configuration.dialect.name(),
        configuration: settings(&run.configuration),
        target: run.target.as_ref().map(target),
    }
}

fn settings(configuration: &Configuration) -> Map<String, Value> {
    let values = KEYS.iter().filter_map(|key| {
        let value = configuration.get(key.name)?;
        Some((key.name.to_owned(), json!(value)))
    });
    values.collect()
}

fn target(target: &TargetConfiguration) -> TargetDocument {
    let options = target.options.iter().filter(|(_, on)| *on);
    TargetDocument {
        version: target.version.map(|version| version.to_string()),
        options: options.map(|(name, _)| short(name)).collect(),
        stamp_hz_low_16_bits: target.stamp_hz,
    }
}

fn losses(losses: &Losses) -> LossesDocument {
    let kinds = ProblemKind::ALL.iter().filter_map(|kind| {
        let count = losses.count(*kind);
        (count > 0).then_some((kind.name(), count))
    });
    LossesDocument {
        bad_frames: losses.bad_frames(),
        missing_records: losses.missing,
        unused_bytes: losses.bytes,
        frames_taken_apart: losses.split,
        kinds: kinds.collect(),
        problems: losses.problems.iter().map(problem).collect(),
    }
}

fn problem(problem: &Problem) -> Value {
    let mut members = Map::new();
    members.insert("offset".to_owned(), json!(problem.offset));
    members.insert("kind".to_owned(), json!(problem.detail.kind().name()));
    let details = match problem.detail {
        Detail::Checksum { id, bytes } => json!({"id": id, "bytes": bytes}),
        Detail::Malformed {
            id,
            extra,
            bytes,
            sequence,
            glued,
        } => json!({"id": id, "extra": extra, "bytes": bytes, "seq": sequence, "glued": glued}),
        Detail::Unknown {
            id,
            bytes,
            sequence,
        } => json!({"id": id, "bytes": bytes, "seq": sequence}),
        Detail::Aborted { bytes }
        | Detail::Lead { bytes }
        | Detail::Tail { bytes }
        | Detail::TooLong { bytes } => json!({"bytes": bytes}),
        Detail::Gap {
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
