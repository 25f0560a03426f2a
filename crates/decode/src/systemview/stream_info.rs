//! What a recording keeps of its format: the interpreter, and the facts of `info`.

use super::FORMAT;
use super::event_reader::EventReader;
use super::interpret::SystemViewInterpreter;
use super::target::{Initialisation, Target};
use super::trace_builder::PACKET;
use crate::Format;
use crate::format::facts::members;
use crate::format::{
    EventInterpreter, FactColumn, FactSection, FactTable, FormatDetails, FormatFacts,
};
use crate::packet_stream::StreamStatus;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{EventIndex, Frequency, Name, Trace};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of a stream apart from its events.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StreamInfo {
    target: Arc<Target>,
    status: StreamStatus,
    missing: u64,
    /// The offsets of the events' packets, if they are wanted.
    offsets: Vec<u64>,
}

impl StreamInfo {
    pub(super) fn new(reader: &EventReader, status: StreamStatus, offsets: Vec<u64>) -> Self {
        Self {
            offsets,
            target: Arc::clone(&reader.target),
            status,
            missing: reader.missing,
        }
    }
}

/// The members of `info` that only these streams have.
#[derive(Serialize, JsonSchema)]
pub(super) struct StreamMembers {
    /// Of the decompressed stream.
    stream_bytes: u64,
    /// The items of the target's descriptions: `N` the application, `D` the device, `C` the core,
    /// `O` the operating system.
    system: BTreeMap<String, String>,
    /// The target's timestamps and addresses; `None` if the start of the recording is missing.
    initialisation: Option<InitialisationMembers>,
    /// Packets that the target counted as lost.
    missing_packets: u64,
    /// Places with bytes that belong to no packet, and their bytes.
    damaged_places: u64,
    damaged_bytes: u64,
    tasks: Vec<TaskMembers>,
}

#[derive(Serialize, JsonSchema)]
struct InitialisationMembers {
    timestamp_hz: u32,
    cpu_hz: u32,
    /// The address with id 0.
    ram_base: String,
    /// The distance of addresses with consecutive ids, as a power of two.
    id_shift: u32,
}

#[derive(Serialize, JsonSchema)]
struct TaskMembers {
    address: String,
    /// `None` if it is not recorded.
    name: Option<String>,
    /// As the operating system counts.
    priority: Option<u32>,
    /// The base address of the stack.
    stack_base: Option<String>,
    /// What the operating system's glue code records: FreeRTOS's, the bytes that were never used.
    stack_size: Option<u32>,
}

/// The schema of the members.
pub(super) fn members_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    StreamMembers::json_schema(generator)
}

impl FormatDetails for StreamInfo {
    fn format(&self) -> Format {
        FORMAT
    }

    fn interpreter(&self, trace: &Trace) -> EventInterpreter {
        let interrupts = self.target.interrupts.clone();
        EventInterpreter::new(SystemViewInterpreter::new(trace, interrupts))
    }

    fn record_offset(&self, event: EventIndex) -> Option<u64> {
        self.offsets.get(event.index()).copied()
    }

    fn facts(&self, _trace: &Trace) -> FormatFacts {
        let target = &*self.target;
        let mut description = FORMAT.title().to_owned();
        let item = |key: &str| target.system.get(key).filter(|value| !value.is_empty());
        if let Some(system) = item("O") {
            description.push_str(&format!(" of {}", Name::new(system.as_bytes())));
        }
        let mut lines = vec![("stream", pluralise(self.status.bytes, "byte", "bytes"))];
        let keys = [("N", "program"), ("D", "device"), ("C", "core")];
        for (key, label) in keys {
            let value = item(key).map(|value| Name::new(value.as_bytes()).to_string());
            lines.extend(value.map(|value| (label, value)));
        }
        if let Some(init) = target.initialisation {
            lines.push(("addresses", addresses_text(init)));
        }
        lines.push(("losses", self.status.text(self.missing, PACKET)));
        FormatFacts {
            description,
            lines,
            sections: vec![self.tasks_section()],
            members: members(&self.members()),
        }
    }
}

fn addresses_text(init: Initialisation) -> String {
    let Initialisation {
        cpu_hertz,
        ram_base,
        id_shift,
        ..
    } = init;
    let cpu = Frequency::from_hertz(cpu_hertz.into());
    let cpu = cpu.map_or_else(|| "unknown clock".to_owned(), |it| it.to_string());
    format!("ids from {ram_base:#x} in steps of 2^{id_shift} bytes; processor {cpu}")
}

impl StreamInfo {
    fn tasks_section(&self) -> FactSection {
        let rows = self.task_members().map(|task| {
            let or_unknown = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            vec![
                task.address,
                or_unknown(task.name.map(|name| Name::new(name.as_bytes()).to_string())),
                or_unknown(task.priority.map(|it| it.to_string())),
                or_unknown(task.stack_base),
                or_unknown(task.stack_size.map(|it| it.to_string())),
            ]
        });
        FactSection {
            title: "Tasks".to_owned(),
            table: FactTable::Rows {
                columns: vec![
                    FactColumn::text("address"),
                    FactColumn::text("name"),
                    FactColumn::number("priority"),
                    FactColumn::text("stack base"),
                    FactColumn::number("stack size"),
                ],
                rows: rows.collect(),
            },
        }
    }

    fn task_members(&self) -> impl Iterator<Item = TaskMembers> {
        self.target.tasks.iter().map(|task| TaskMembers {
            address: self.target.address(task.id).to_string(),
            name: task.name.as_ref().map(|name| Name::new(name).to_string()),
            priority: task.priority,
            stack_base: task.stack.map(|[base, ..]| format!("{base:#x}")),
            // The end of some ports' stacks is below their base.
            stack_size: task
                .stack
                .and_then(|[base, size, _]| base.checked_add(size).and(Some(size))),
        })
    }

    fn members(&self) -> StreamMembers {
        let init = self.target.initialisation;
        StreamMembers {
            stream_bytes: self.status.bytes,
            system: self.target.system.clone(),
            initialisation: init.map(|init| InitialisationMembers {
                timestamp_hz: init.timestamp_hertz,
                cpu_hz: init.cpu_hertz,
                ram_base: format!("{:#x}", init.ram_base),
                id_shift: init.id_shift,
            }),
            missing_packets: self.missing,
            damaged_places: self.status.places,
            damaged_bytes: self.status.damaged,
            tasks: self.task_members().collect(),
        }
    }
}
