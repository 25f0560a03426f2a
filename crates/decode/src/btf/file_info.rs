//! What a recording keeps of its format: the interpreter, and the facts of `info`.

use super::FORMAT;
use super::entities::{EntityTable, EntityType};
use super::interpret::BtfInterpreter;
use super::line_reader::{Header, LineReader};
use super::trace_builder::{name, text};
use crate::Format;
use crate::format::facts::members;
use crate::format::{
    EventInterpreter, FactColumn, FactSection, FactTable, FormatDetails, FormatFacts,
};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{EventIndex, Trace};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of a file apart from its events.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FileInfo {
    entities: Arc<EntityTable>,
    header: Arc<Header>,
    lines: u64,
    rejected_lines: u64,
    /// The offsets of the events' lines, if they are wanted.
    offsets: Vec<u64>,
}

/// The members of `info` that only these files have.
#[derive(Serialize, JsonSchema)]
pub(super) struct FileMembers {
    /// The parameters of the header, such as `creator`.
    parameters: BTreeMap<String, String>,
    lines: u64,
    /// Lines that might have been events, and are none.
    rejected_lines: u64,
    entities: Vec<EntityMembers>,
}

#[derive(Serialize, JsonSchema)]
struct EntityMembers {
    /// `task`, `isr`, `core` …
    entity_type: &'static str,
    name: String,
}

/// The schema of the members.
pub(super) fn members_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    FileMembers::json_schema(generator)
}

impl FileInfo {
    pub(super) fn new(reader: &LineReader, offsets: Vec<u64>) -> Self {
        Self {
            entities: Arc::clone(&reader.entities),
            header: Arc::clone(&reader.header),
            lines: reader.state.lines,
            rejected_lines: reader.rejected.invalid.count,
            offsets,
        }
    }

    fn entity_members(&self) -> impl Iterator<Item = EntityMembers> {
        self.entities.all.iter().map(|entity| EntityMembers {
            entity_type: entity.entity_type.name(),
            name: text(name(entity)),
        })
    }
}

impl FormatDetails for FileInfo {
    fn format(&self) -> Format {
        FORMAT
    }

    fn interpreter(&self, trace: &Trace) -> EventInterpreter {
        let entities = Arc::clone(&self.entities);
        EventInterpreter::new(BtfInterpreter::new(trace, entities))
    }

    fn record_offset(&self, event: EventIndex) -> Option<u64> {
        self.offsets.get(event.index()).copied()
    }

    fn facts(&self, _trace: &Trace) -> FormatFacts {
        let mut description = FORMAT.title().to_owned();
        let parameters = &self.header.parameters;
        let value = |key: &str| {
            let found = parameters.iter().find(|(name, _)| name == key);
            found.map(|(_, value)| text(value.as_bytes()))
        };
        if let Some(creator) = value("creator") {
            description.push_str(&format!(" by {creator}"));
        }
        let mut lines = vec![("lines", self.lines_text())];
        for key in ["version", "creationDate", "inputFile", "timeScale"] {
            lines.extend(value(key).map(|value| (key, value)));
        }
        let count = |of_type| self.entities.of_type(of_type).count() as u64;
        let counts = [
            pluralise(count(EntityType::Task), "task", "tasks"),
            pluralise(count(EntityType::Isr), "ISR", "ISRs"),
            pluralise(count(EntityType::Core), "core", "cores"),
            pluralise(count(EntityType::Runnable), "runnable", "runnables"),
            pluralise(count(EntityType::Semaphore), "semaphore", "semaphores"),
        ];
        lines.push(("entities", counts.join(", ")));
        let rows = self.entity_members();
        let rows = rows.map(|entity| vec![entity.entity_type.to_owned(), entity.name]);
        FormatFacts {
            description,
            lines,
            sections: vec![FactSection {
                title: "Entities".to_owned(),
                table: FactTable::Rows {
                    columns: vec![FactColumn::text("type"), FactColumn::text("name")],
                    rows: rows.collect(),
                },
            }],
            members: members(&FileMembers {
                parameters: parameters.iter().cloned().collect(),
                lines: self.lines,
                rejected_lines: self.rejected_lines,
                entities: self.entity_members().collect(),
            }),
        }
    }
}

impl FileInfo {
    fn lines_text(&self) -> String {
        let rejected = pluralise(
            self.rejected_lines,
            "line is no event",
            "lines are no events",
        );
        format!("{}, {rejected}", self.lines)
    }
}
