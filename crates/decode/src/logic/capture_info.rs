//! What a recording keeps of its format: the facts of `info`.

use super::FORMAT;
use super::capture_reader::CaptureReader;
use super::interpret::CaptureInterpreter;
use super::signal_table::{SignalTable, SignalType};
use crate::Format;
use crate::format::facts::members;
use crate::format::{
    EventInterpreter, FactColumn, FactSection, FactTable, FormatDetails, FormatFacts,
};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{EventIndex, Name, Trace};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of a capture apart from its events.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CaptureInfo {
    table: Arc<SignalTable>,
    rejected: u64,
    /// The offsets of the events, if they are wanted.
    offsets: Vec<u64>,
}

/// The members of `info` that only captures have.
#[derive(Serialize, JsonSchema)]
pub(super) struct CaptureMembers {
    /// `VCD`, `CSV` or `sigrok session`.
    syntax: &'static str,
    /// What the capture says about itself: `date`, `version`, `timescale`, `scope` …
    properties: BTreeMap<&'static str, String>,
    /// Places that might have been changes of signals, and are none.
    rejected_changes: u64,
    signals: Vec<SignalMembers>,
}

#[derive(Serialize, JsonSchema)]
struct SignalMembers {
    name: String,
    /// `digital`, `vector`, `wide-vector`, `real`, `text` or `event`.
    signal_type: &'static str,
    bits: u32,
}

/// The schema of the members.
pub(super) fn members_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    CaptureMembers::json_schema(generator)
}

impl CaptureInfo {
    pub(super) fn new(reader: &CaptureReader, offsets: Vec<u64>) -> Self {
        Self {
            table: Arc::clone(&reader.table),
            rejected: reader.damage.rejected.count,
            offsets,
        }
    }

    fn signals(&self) -> impl Iterator<Item = SignalMembers> {
        self.table.all.iter().map(|signal| SignalMembers {
            name: Name::new(&signal.name).to_string(),
            signal_type: signal.signal_type.name(),
            bits: signal.bits,
        })
    }
}

impl FormatDetails for CaptureInfo {
    fn format(&self) -> Format {
        FORMAT
    }

    fn interpreter(&self, _trace: &Trace) -> EventInterpreter {
        EventInterpreter::new(CaptureInterpreter)
    }

    fn record_offset(&self, event: EventIndex) -> Option<u64> {
        self.offsets.get(event.index()).copied()
    }

    fn facts(&self, _trace: &Trace) -> FormatFacts {
        let table = &self.table;
        let mut lines: Vec<_> = table
            .properties
            .iter()
            .map(|(key, text)| (*key, Name::new(text.as_bytes()).to_string()))
            .collect();
        let digital = table.all.iter();
        let digital = digital.filter(|it| it.signal_type == SignalType::Digital);
        let digital = digital.count() as u64;
        let others = table.all.len() as u64 - digital;
        let aliases = match table.aliases {
            0 => String::new(),
            aliases => format!(", {}", pluralise(aliases, "further name", "further names")),
        };
        lines.push((
            "signals",
            format!("{digital} digital, {others} others{aliases}"),
        ));
        let rows = self.signals().map(|signal| {
            let SignalMembers {
                name,
                signal_type,
                bits,
            } = signal;
            vec![name, signal_type.to_owned(), bits.to_string()]
        });
        FormatFacts {
            description: format!("{} ({})", FORMAT.title(), table.syntax.name()),
            lines,
            sections: vec![FactSection {
                title: "Signals".to_owned(),
                table: FactTable::Rows {
                    columns: vec![
                        FactColumn::text("signal"),
                        FactColumn::text("type"),
                        FactColumn::number("bits"),
                    ],
                    rows: rows.collect(),
                },
            }],
            members: members(&CaptureMembers {
                syntax: table.syntax.name(),
                properties: table.properties.iter().cloned().collect(),
                rejected_changes: self.rejected,
                signals: self.signals().collect(),
            }),
        }
    }
}
