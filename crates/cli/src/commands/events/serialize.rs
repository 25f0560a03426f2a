//! Events as CSV and JSON lines.

use super::column::{Column, ColumnValues};
use super::selection::{EventSelection, Row};
use super::text_lines;
use rtoscope_command::output;
use rtoscope_trace::{CallStack, Event, Name, Trace};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// Writes events as CSV, with a header before the first one. Returns their number.
pub(crate) fn write_csv(
    values: &ColumnValues<'_>,
    selection: &EventSelection<'_>,
    columns: &[Column],
    with_head: bool,
) -> anyhow::Result<u64> {
    let columns = if columns.is_empty() {
        &Column::CSV
    } else {
        columns
    };
    let mut output = output::stdout();
    if with_head {
        let mut head = csv::Writer::from_writer(&mut output);
        let names = columns.iter().map(|column| column.name());
        head.write_record(names).map_err(output::csv_error)?;
    }
    selection.write(output, |rows, text| {
        let mut writer = csv::Writer::from_writer(text);
        let mut value = String::new();
        for row in rows {
            for column in columns {
                value.clear();
                values.append_row(&mut value, *column, row);
                writer.write_field(&value).map_err(output::csv_error)?;
            }
            writer
                .write_record(None::<&[u8]>)
                .map_err(output::csv_error)?;
        }
        Ok(writer.flush()?)
    })
}

/// Writes one JSON object per line, with only the members of `columns` if there are
/// any. Returns the number of events.
pub(crate) fn write_json_lines(
    values: &ColumnValues<'_>,
    selection: &EventSelection<'_>,
    columns: &[Column],
) -> anyhow::Result<u64> {
    let (trace, format_info) = (values.trace(), values.format_info());
    // The members of an object are distinct.
    let mut members = Vec::new();
    for column in columns {
        if !members.contains(column) {
            members.push(*column);
        }
    }
    let columns = &members[..];
    selection.write(output::stdout(), |rows, text| {
        for row in rows {
            let mut line = match row {
                Row::Line(time, log, line) => text_lines::document(trace, (*time, log, line)),
                Row::Event(event) => match format_info.record_members(trace, event.index) {
                    Some(record) => record_document(trace, record, values, event),
                    None => {
                        let document = EventDocument {
                            values,
                            event,
                            columns,
                        };
                        output::json_text::write(&mut *text, &document)?;
                        text.push(b'\n');
                        continue;
                    }
                },
            };
            if let Row::Event(event) = row {
                if trace.is_restart(event.index) {
                    line.insert("restart".to_owned(), Value::Bool(true));
                }
                if let Some(stack) = trace.call_stacks.get(event.index) {
                    line.insert("stack".to_owned(), stack_document(stack));
                }
            }
            if !columns.is_empty() {
                let mut only = Map::new();
                for column in columns {
                    let value = line.remove(column.name());
                    only.insert(column.name().to_owned(), value.unwrap_or_default());
                }
                line = only;
            }
            output::json_text::write(&mut *text, &line)?;
            text.push(b'\n');
        }
        Ok(())
    })
}

/// An event of a format whose records have no members of their own, written member by member.
struct EventDocument<'d> {
    values: &'d ColumnValues<'d>,
    event: &'d Event,
    /// The members; all if there are none.
    columns: &'d [Column],
}

/// The members of such an event.
const EVENT_MEMBERS: [Column; 19] = [
    Column::Event,
    Column::Time,
    Column::TimeNs,
    Column::Timestamp,
    Column::Core,
    Column::Context,
    Column::ContextAddress,
    Column::Priority,
    Column::Threshold,
    Column::Interrupted,
    Column::Kind,
    Column::Number,
    Column::Component,
    Column::Object,
    Column::Info1,
    Column::Info2,
    Column::Info3,
    Column::Info4,
    Column::Arguments,
];

impl Serialize for EventDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (trace, event) = (self.values.trace(), self.event);
        let mut members = serializer.serialize_map(None)?;
        for column in self.columns {
            self.add(&mut members, *column)?;
        }
        if self.columns.is_empty() {
            for column in EVENT_MEMBERS {
                self.add(&mut members, column)?;
            }
            if trace.is_restart(event.index) {
                members.serialize_entry("restart", &true)?;
            }
            if trace.call_stacks.get(event.index).is_some() {
                self.add(&mut members, Column::Stack)?;
            }
        }
        members.end()
    }
}

impl EventDocument<'_> {
    fn add<M: SerializeMap>(&self, members: &mut M, column: Column) -> Result<(), M::Error> {
        let (values, event) = (self.values, self.event);
        let trace = values.trace();
        let name = column.name();
        match column {
            Column::Event => members.serialize_entry(name, &trace.recording_event(event.index)),
            Column::Time => members.serialize_entry(name, &trace.recording_time(event.time).0),
            Column::TimeNs => members
                .serialize_entry(name, &trace.timescale().time(event.time).map(|time| time.0)),
            Column::Timestamp => members.serialize_entry(name, &event.timestamp),
            Column::Core => members.serialize_entry(name, &event.core),
            Column::Context => members.serialize_entry(name, &values.context(event.context)),
            Column::ContextAddress => match trace.contexts.get(event.context) {
                Some(context) => {
                    members.serialize_entry(name, &format_args!("{}", context.address))
                }
                None => members.serialize_entry(name, &()),
            },
            Column::Priority => members.serialize_entry(name, &event.priority()),
            Column::Threshold => members.serialize_entry(name, &event.threshold()),
            Column::Interrupted => members.serialize_entry(
                name,
                &event.interrupted().map(|context| values.context(context)),
            ),
            Column::Kind => members.serialize_entry(name, &trace.catalogue.name(event.kind)),
            Column::Number => members.serialize_entry(name, &event.kind.0),
            Column::Component => {
                members.serialize_entry(name, &trace.catalogue.component(event.kind))
            }
            Column::Object => {
                let mut object = String::new();
                values.append(&mut object, column, event);
                members.serialize_entry(name, &Some(object).filter(|object| !object.is_empty()))
            }
            Column::Info1 => members.serialize_entry(name, &event.arguments[0]),
            Column::Info2 => members.serialize_entry(name, &event.arguments[1]),
            Column::Info3 => members.serialize_entry(name, &event.arguments[2]),
            Column::Info4 => members.serialize_entry(name, &event.arguments[3]),
            Column::Arguments => members.serialize_entry(name, &ArgumentMembers { trace, event }),
            Column::Stack => members.serialize_entry(
                name,
                &trace.call_stacks.get(event.index).map(stack_document),
            ),
            Column::Sequence | Column::Offset | Column::PostEvent | Column::Waited => {
                members.serialize_entry(name, &())
            }
        }
    }
}

/// The order of the members of a record.
const RECORD_MEMBERS: [&str; 15] = [
    "event",
    "offset",
    "sequence",
    "time",
    "time_ns",
    "timestamp",
    "kind",
    "number",
    "group",
    "name",
    "context",
    "post_event",
    "waited",
    "args",
    "arguments",
];

/// A record with the members that only its format has.
fn record_document(
    trace: &Trace,
    mut record: Map<String, Value>,
    values: &ColumnValues<'_>,
    event: &Event,
) -> Map<String, Value> {
    let post = values.post(event);
    let posted = post.map(|post| trace.recording_event(post.event));
    let waited = values.queue_time(event).map(|waited| waited.0);
    let common = [
        ("event", json!(trace.recording_event(event.index))),
        ("kind", json!(trace.catalogue.name(event.kind))),
        ("number", json!(event.kind.0)),
        ("context", json!(values.context(event.context))),
        ("post_event", json!(posted)),
        ("waited", json!(waited)),
        ("arguments", json!(ArgumentMembers { trace, event })),
    ];
    for (name, value) in common {
        record.insert(name.to_owned(), value);
    }
    let ordered = RECORD_MEMBERS.iter();
    let mut members: Map<_, _> = ordered
        .filter_map(|name| Some(((*name).to_owned(), record.shift_remove(*name)?)))
        .collect();
    members.extend(record);
    members
}

/// The frames, innermost first, and why there are no more.
fn stack_document(stack: CallStack<'_>) -> Value {
    let frames = stack.frames().map(|frame| {
        json!({
            "function": frame.function.as_ref().map(Name::to_string),
            "source": frame.file.as_ref().map(Name::to_string),
            "line": frame.line,
            "address": frame.address.to_string(),
        })
    });
    json!({ "frames": frames.collect::<Vec<_>>(), "stop": stack.stop().name() })
}

/// The arguments by name, decoded.
struct ArgumentMembers<'d> {
    trace: &'d Trace,
    event: &'d Event,
}

impl Serialize for ArgumentMembers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        let kind = self.trace.catalogue.get(self.event.kind);
        let named = kind.map(|kind| self.trace.arguments(kind, self.event));
        let mut keys: Vec<Cow<'_, str>> = Vec::new();
        for (name, value) in named.into_iter().flatten() {
            let mut key = Cow::from(name);
            // An application may use the same name for two fields.
            while keys.contains(&key) {
                key.to_mut().push('\'');
            }
            members.serialize_entry(&key, &format_args!("{value:#}"))?;
            keys.push(key);
        }
        members.end()
    }
}
