//! What a recording keeps of its format: the meanings of its events, and the facts of `info`.

use super::FORMAT;
use super::reader::StreamStatus;
use crate::Format;
use crate::format::facts::members;
use crate::format::{EventInterpreter, FormatDetails, FormatFacts};
use crate::mapping::MappedEvents;
use rtoscope_trace::Trace;
use rtoscope_trace::diagnostic::pluralise;
use schemars::JsonSchema;
use serde::Serialize;

/// What is known of a stream apart from its events.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StreamInfo {
    pub(super) bytes: u64,
    pub(super) status: StreamStatus,
    pub(super) missing: u64,
    pub(super) meanings: MappedEvents,
}

/// The members of `info` that only these streams have.
#[derive(Serialize, JsonSchema)]
pub(super) struct StreamMembers {
    stream_bytes: u64,
    /// Frames that can be read, metadata among them.
    frames: u64,
    damaged_frames: u64,
    /// Events that the recorder dropped, by its counter.
    missing_events: u64,
}

/// The schema of the members.
pub(super) fn members_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    StreamMembers::json_schema(generator)
}

impl FormatDetails for StreamInfo {
    fn format(&self) -> Format {
        FORMAT
    }

    fn interpreter(&self, _trace: &Trace) -> EventInterpreter {
        EventInterpreter::new(self.meanings.clone())
    }

    fn facts(&self, _trace: &Trace) -> FormatFacts {
        let StreamStatus {
            frames, damaged, ..
        } = self.status;
        FormatFacts {
            description: FORMAT.title().to_owned(),
            lines: vec![
                ("stream", pluralise(self.bytes, "byte", "bytes")),
                ("frames", format!("{frames}, {damaged} damaged")),
                ("losses", pluralise(self.missing, "event", "events")),
            ],
            sections: Vec::new(),
            members: members(&StreamMembers {
                stream_bytes: self.bytes,
                frames,
                damaged_frames: damaged,
                missing_events: self.missing,
            }),
        }
    }
}
