//! What a recording keeps of its format: the meanings of its events, and the facts of `info`.

use super::FORMAT;
use super::field_class::ClockClass;
use crate::Format;
use crate::format::facts::members;
use crate::format::{
    EventInterpreter, FactColumn, FactSection, FactTable, FormatDetails, FormatFacts,
};
use crate::mapping::MappedEvents;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Name, Trace};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What is known of the traces apart from their events.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TraceInfo {
    traces: Vec<TraceSummary>,
    meanings: MappedEvents,
}

/// A trace.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TraceSummary {
    pub(super) folder: String,
    pub(super) version: &'static str,
    pub(super) uuid: Option<[u8; 16]>,
    pub(super) environment: Vec<(String, String)>,
    pub(super) clocks: Vec<ClockClass>,
    pub(super) event_classes: u64,
    pub(super) streams: Vec<StreamSummary>,
}

/// A stream.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StreamSummary {
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) packets: u64,
    pub(super) core: Option<u64>,
    pub(super) discarded_events: u64,
    pub(super) missing_packets: u64,
}

/// The members of `info` that only these recordings have.
#[derive(Serialize, JsonSchema)]
pub(super) struct CtfMembers {
    traces: Vec<TraceMembers>,
}

#[derive(Serialize, JsonSchema)]
struct TraceMembers {
    /// The folder in the input; empty for that of the input.
    folder: String,
    /// That of CTF: `1.8` or `2`.
    version: &'static str,
    uuid: Option<String>,
    environment: BTreeMap<String, String>,
    clocks: Vec<ClockMembers>,
    /// Number of event classes that the metadata declare.
    event_classes: u64,
    streams: Vec<StreamMembers>,
}

#[derive(Serialize, JsonSchema)]
struct ClockMembers {
    name: String,
    frequency_hertz: u64,
}

#[derive(Serialize, JsonSchema)]
struct StreamMembers {
    name: String,
    bytes: u64,
    packets: u64,
    /// `null` if the stream does not contain it.
    core: Option<u64>,
    /// Events that the recorder dropped, as it counted them.
    discarded_events: u64,
    /// Packets whose numbers are missing.
    missing_packets: u64,
}

/// The schema of the members.
pub(super) fn members_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    CtfMembers::json_schema(generator)
}

impl TraceInfo {
    pub(super) fn new(traces: Vec<TraceSummary>, meanings: MappedEvents) -> Self {
        Self { traces, meanings }
    }

    fn streams(&self) -> impl Iterator<Item = &StreamSummary> {
        self.traces.iter().flat_map(|trace| &trace.streams)
    }
}

/// A text of the metadata, for people.
fn text(text: &str) -> String {
    Name::new(text.as_bytes()).to_string()
}

impl TraceSummary {
    fn value(&self, key: &str) -> Option<&str> {
        let found = self.environment.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str())
    }

    fn members(&self) -> TraceMembers {
        let clocks = self.clocks.iter().map(|clock| ClockMembers {
            name: text(&clock.name),
            frequency_hertz: clock.hertz,
        });
        let streams = self.streams.iter().map(|stream| StreamMembers {
            name: text(&stream.name),
            bytes: stream.bytes,
            packets: stream.packets,
            core: stream.core,
            discarded_events: stream.discarded_events,
            missing_packets: stream.missing_packets,
        });
        let environment = self.environment.iter();
        TraceMembers {
            folder: text(&self.folder),
            version: self.version,
            uuid: self
                .uuid
                .map(|uuid| format!("{:032x}", u128::from_be_bytes(uuid))),
            environment: environment
                .map(|(key, value)| (text(key), text(value)))
                .collect(),
            clocks: clocks.collect(),
            event_classes: self.event_classes,
            streams: streams.collect(),
        }
    }
}

impl FormatDetails for TraceInfo {
    fn format(&self) -> Format {
        FORMAT
    }

    fn interpreter(&self, _trace: &Trace) -> EventInterpreter {
        EventInterpreter::new(self.meanings.clone())
    }

    fn facts(&self, _trace: &Trace) -> FormatFacts {
        let mut description = FORMAT.title().to_owned();
        let first = self.traces.first();
        if let Some(tracer) = first.and_then(|trace| trace.value("tracer_name")) {
            description.push_str(&format!(" by {}", text(tracer)));
        }
        let mut lines = Vec::new();
        if let Some(trace) = first {
            lines.push(("version", trace.version.to_owned()));
            for key in ["hostname", "recording", "domain"] {
                lines.extend(trace.value(key).map(|value| (key, text(value))));
            }
        }
        let count = |of: fn(&StreamSummary) -> u64| self.streams().map(of).sum::<u64>();
        let streams = [
            pluralise(self.streams().count() as u64, "stream", "streams"),
            pluralise(count(|it| it.packets), "packet", "packets"),
        ];
        lines.push(("streams", streams.join(", ")));
        let lost = [
            pluralise(
                count(|it| it.discarded_events),
                "event discarded",
                "events discarded",
            ),
            pluralise(
                count(|it| it.missing_packets),
                "packet missing",
                "packets missing",
            ),
        ];
        lines.push(("losses", lost.join(", ")));
        let rows = self.traces.iter().flat_map(|trace| {
            trace.streams.iter().map(|stream| {
                vec![
                    text(&format!("{}{}", trace.folder, stream.name)),
                    stream
                        .core
                        .map_or_else(|| "-".to_owned(), |core| core.to_string()),
                    stream.packets.to_string(),
                    stream.bytes.to_string(),
                    stream.discarded_events.to_string(),
                    stream.missing_packets.to_string(),
                ]
            })
        });
        FormatFacts {
            description,
            lines,
            sections: vec![FactSection {
                title: "Streams".to_owned(),
                table: FactTable::Rows {
                    columns: vec![
                        FactColumn::text("stream"),
                        FactColumn::number("core"),
                        FactColumn::number("packets"),
                        FactColumn::number("bytes"),
                        FactColumn::number("discarded"),
                        FactColumn::number("missing"),
                    ],
                    rows: rows.collect(),
                },
            }],
            members: members(&CtfMembers {
                traces: self.traces.iter().map(TraceSummary::members).collect(),
            }),
        }
    }
}
