//! What a recording keeps of its format: the interpreter, and the facts of `info`.

use super::event_reader::EventReader;
use super::interpret::PercepioInterpreter;
use super::stream_format::StreamFormat;
use super::target::Target;
use super::{EVENT, FORMAT};
use crate::Format;
use crate::format::facts::members;
use crate::format::{
    EventInterpreter, FactColumn, FactSection, FactTable, FormatDetails, FormatFacts,
};
use crate::packet_stream::StreamStatus;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{EventIndex, Name, Trace};
use rtoscope_wire::percepio::StreamHeader;
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// What is known of a recording apart from its events.
#[derive(Debug, Clone)]
pub(super) struct StreamInfo {
    target: Arc<Target>,
    stream: StreamFormat,
    status: StreamStatus,
    missing: u64,
    /// The offsets of the events, if they are wanted.
    offsets: Vec<u64>,
}

impl StreamInfo {
    pub(super) fn new(reader: &EventReader, status: StreamStatus, offsets: Vec<u64>) -> Self {
        Self {
            target: Arc::clone(&reader.target),
            stream: reader.stream.unwrap_or_else(StreamFormat::without_header),
            status,
            missing: reader.missing,
            offsets,
        }
    }
}

impl PartialEq for StreamInfo {
    fn eq(&self, other: &Self) -> bool {
        self.target == other.target
            && self.stream.header == other.stream.header
            && (self.status, self.missing) == (other.status, other.missing)
            && self.offsets == other.offsets
    }
}

/// The members of `info` that only these recordings have.
#[derive(Serialize, JsonSchema)]
pub(super) struct StreamMembers {
    /// Of the decompressed stream, or of a ring buffer's events and header.
    stream_bytes: u64,
    /// What the header says; `None` if it is missing.
    header: Option<HeaderMembers>,
    /// Events that are missing by the counts of events.
    missing_events: u64,
    /// Places with bytes that belong to no event, and their bytes.
    damaged_places: u64,
    damaged_bytes: u64,
    tasks: Vec<TaskMembers>,
}

#[derive(Serialize, JsonSchema)]
struct HeaderMembers {
    /// The version of the format.
    version: u16,
    /// The kernel, or `unknown`.
    kernel: &'static str,
    /// The name and the version of the recorder's port.
    port: String,
    port_version: String,
    is_big_endian: bool,
    /// Of an address.
    word_bits: u8,
    /// `None` if the recorder's version does not record it.
    cores: Option<u8>,
    /// The source of timestamps.
    timestamp_source: &'static str,
    timestamp_hz: u64,
    os_tick_hz: u32,
}

#[derive(Serialize, JsonSchema)]
struct TaskMembers {
    address: String,
    /// `None` if it is not recorded.
    name: Option<String>,
    /// As the operating system counts, when the task was created or first recorded.
    priority: Option<u64>,
    deleted: bool,
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
        let target = &*self.target;
        EventInterpreter::new(PercepioInterpreter::new(
            self.stream.kernel,
            &target.handlers,
            &target.names,
        ))
    }

    fn record_offset(&self, event: EventIndex) -> Option<u64> {
        self.offsets.get(event.index()).copied()
    }

    fn facts(&self, _trace: &Trace) -> FormatFacts {
        let mut description = FORMAT.title().to_owned();
        let mut lines = Vec::new();
        if let Some(header) = self.header_members() {
            description.push_str(&format!(" of {}", header.kernel));
            lines.push((
                "recorder",
                format!(
                    "port {} {}, format version {}",
                    header.port, header.port_version, header.version
                ),
            ));
            lines.push(("timestamps", header.timestamp_source.to_owned()));
        }
        lines.push(("stream", pluralise(self.status.bytes, "byte", "bytes")));
        lines.push(("losses", self.status.text(self.missing, EVENT)));
        FormatFacts {
            description,
            lines,
            sections: vec![self.tasks_section()],
            members: members(&self.members()),
        }
    }
}

/// The types of timestamps in words, from 1 on.
const TIMESTAMP_SOURCES: [&str; 6] = [
    "a counter of 32 bits, up",
    "a counter of 32 bits, down",
    "the timer of the system's tick, up",
    "the timer of the system's tick, down",
    "a timer, up",
    "a timer, down",
];

impl StreamInfo {
    fn header_members(&self) -> Option<HeaderMembers> {
        let header = self.stream.header?;
        let StreamHeader {
            timestamps, layout, ..
        } = header;
        let name = header.platform_name;
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        let source = (timestamps.kind as usize).checked_sub(1);
        let source = source.and_then(|source| TIMESTAMP_SOURCES.get(source));
        let [major, minor, patch] = header.platform_version;
        Some(HeaderMembers {
            version: header.version,
            kernel: self.stream.kernel.name,
            port: Name::new(name).to_string(),
            port_version: format!("{major}.{minor}.{patch}"),
            is_big_endian: layout.is_big_endian,
            word_bits: layout.word_bytes() as u8 * 8,
            cores: header.cores,
            timestamp_source: source.copied().unwrap_or("unknown"),
            timestamp_hz: timestamps.frequency,
            os_tick_hz: timestamps.os_tick_frequency,
        })
    }

    fn tasks_section(&self) -> FactSection {
        let rows = self.target.tasks.iter().map(|task| {
            let or_unknown = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            vec![
                format!("{:#x}", task.address),
                or_unknown(task.name.as_ref().map(Name::to_string)),
                or_unknown(task.priority.map(|it| it.to_string())),
                if task.is_deleted { "yes" } else { "no" }.to_owned(),
            ]
        });
        FactSection {
            title: "Tasks".to_owned(),
            table: FactTable::Rows {
                columns: vec![
                    FactColumn::text("address"),
                    FactColumn::text("name"),
                    FactColumn::number("priority"),
                    FactColumn::text("deleted"),
                ],
                rows: rows.collect(),
            },
        }
    }

    fn members(&self) -> StreamMembers {
        let tasks = self.target.tasks.iter().map(|task| TaskMembers {
            address: format!("{:#x}", task.address),
            name: task.name.as_ref().map(Name::to_string),
            priority: task.priority,
            deleted: task.is_deleted,
        });
        StreamMembers {
            stream_bytes: self.status.bytes,
            header: self.header_members(),
            missing_events: self.missing,
            damaged_places: self.status.places,
            damaged_bytes: self.status.damaged,
            tasks: tasks.collect(),
        }
    }
}
