//! What a recording keeps of its format: the meanings of its events, and the facts of `info`.

use super::FORMAT;
use crate::Format;
use crate::format::facts::members;
use crate::format::{EventInterpreter, FormatDetails, FormatFacts};
use crate::mapping::MappedEvents;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Name, Trace};
use schemars::JsonSchema;
use serde::Serialize;

/// What is known of a file apart from its events.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FileInfo {
    pub(super) syntax: &'static str,
    pub(super) lines: u64,
    pub(super) rejected_lines: u64,
    pub(super) columns: Vec<String>,
    pub(super) meanings: MappedEvents,
}

/// The members of `info` that only these files have.
#[derive(Serialize, JsonSchema)]
pub(super) struct FileMembers {
    /// `CSV` or `JSON lines`.
    syntax: &'static str,
    lines: u64,
    /// Lines that might have been events, and are none.
    rejected_lines: u64,
    columns: Vec<String>,
}

/// The schema of the members.
pub(super) fn members_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    FileMembers::json_schema(generator)
}

impl FileInfo {
    fn names(&self) -> impl Iterator<Item = String> {
        let names = self.columns.iter();
        names.map(|name| Name::new(name.as_bytes()).to_string())
    }
}

impl FormatDetails for FileInfo {
    fn format(&self) -> Format {
        FORMAT
    }

    fn interpreter(&self, _trace: &Trace) -> EventInterpreter {
        EventInterpreter::new(self.meanings.clone())
    }

    fn facts(&self, _trace: &Trace) -> FormatFacts {
        let rejected = pluralise(
            self.rejected_lines,
            "line is no event",
            "lines are no events",
        );
        let columns: Vec<_> = self.names().collect();
        FormatFacts {
            description: format!("{} ({})", FORMAT.title(), self.syntax),
            lines: vec![
                ("lines", format!("{}, {rejected}", self.lines)),
                ("columns", columns.join(", ")),
            ],
            sections: Vec::new(),
            members: members(&FileMembers {
                syntax: self.syntax,
                lines: self.lines,
                rejected_lines: self.rejected_lines,
                columns,
            }),
        }
    }
}
