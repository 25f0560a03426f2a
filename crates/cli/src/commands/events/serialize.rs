//! Events as CSV and JSON lines.

use super::column::{Column, ColumnValues};
use super::selection::{EventSelection, Row};
use super::text_lines;
use rtoscope_command::output;
use rtoscope_trace::{CallStack, Event, Name, Trace};
use serde_json::{Map, Value, json};
use std::io::Write;

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
    let mut writer = csv::Writer::from_writer(output::stdout());
    if with_head {
        let header = columns.iter().map(|column| column.name());
        writer.write_record(header).map_err(output::csv_error)?;
    }
    let mut value = String::new();
    let mut written = 0;
    for row in selection.rows() {
        written += 1;
        for column in columns {
            value.clear();
            values.append_row(&mut value, *column, &row);
            writer.write_field(&value).map_err(output::csv_error)?;
        }
        writer
            .write_record(None::<&[u8]>)
            .map_err(output::csv_error)?;
    }
    writer.flush()?;
    Ok(written)
}

/// Writes one JSON object per line, with only the members of `columns` if there are
/// any. Returns the number of events.
pub(crate) fn write_json_lines(
    values: &ColumnValues<'_>,
    selection: &EventSelection<'_>,
    columns: &[Column],
) -> anyhow::Result<u64> {
    let (trace, format_info) = (values.trace(), values.format_info());
    let mut output = output::stdout();
    let mut written = 0;
    for row in selection.rows() {
        written += 1;
        let mut line = match &row {
            Row::Line(time, log, line) => text_lines::document(trace, (*time, log, line)),
            Row::Event(event) => match format_info.record_members(trace, event.index) {
                Some(record) => record_document(trace, record, values, event),
                None => event_document(trace, values, event),
            },
        };
        if let Row::Event(event) = &row
            && trace.is_restart(event.index)
        {
            line.insert("restart".to_owned(), Value::Bool(true));
        }
        if let Row::Event(event) = &row
            && let Some(stack) = trace.call_stacks.get(event.index)
        {
            line.insert("stack".to_owned(), stack_document(stack));
        }
        if !columns.is_empty() {
            let mut only = Map::new();
            for column in columns {
                let value = line.remove(column.name());
                only.insert(column.name().to_owned(), value.unwrap_or_default());
            }
            line = only;
        }
        output::json_text::write(&mut output, &line)?;
        writeln!(output)?;
    }
    output.flush()?;
    Ok(written)
}

fn event_document(trace: &Trace, values: &ColumnValues<'_>, event: &Event) -> Map<String, Value> {
    let text = |column| {
        let mut text = String::new();
        values.append(&mut text, column, event);
        Some(text)
            .filter(|text| !text.is_empty())
            .map_or(Value::Null, Value::from)
    };
    let [info1, info2, info3, info4] = event.arguments;
    let time = trace.recording_time(event.time);
    let interrupted = event.interrupted().map(|context| values.context(context));
    let members = [
        ("event", json!(trace.recording_event(event.index))),
        ("time", json!(time.0)),
        (
            "time_ns",
            json!(trace.timescale().time(event.time).map(|time| time.0)),
        ),
        ("timestamp", json!(event.timestamp)),
        ("core", json!(event.core)),
        ("context", json!(values.context(event.context))),
        ("context_address", text(Column::ContextAddress)),
        ("priority", json!(event.priority())),
        ("threshold", json!(event.threshold())),
        ("interrupted", json!(interrupted)),
        ("kind", text(Column::Kind)),
        ("number", json!(event.kind.0)),
        ("component", json!(trace.catalogue.component(event.kind))),
        ("object", text(Column::Object)),
        ("info1", json!(info1)),
        ("info2", json!(info2)),
        ("info3", json!(info3)),
        ("info4", json!(info4)),
        ("arguments", arguments(trace, event)),
    ];
    members
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
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
        ("arguments", arguments(trace, event)),
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
fn arguments(trace: &Trace, event: &Event) -> Value {
    let Some(kind) = trace.catalogue.get(event.kind) else {
        return json!({});
    };
    let named = trace.arguments(kind, event);
    let mut members = Map::new();
    for (name, value) in named {
        let mut key = name.to_owned();
        // An application may use the same name for two fields.
        while members.contains_key(&key) {
            key.push('\'');
        }
        members.insert(key, Value::from(format!("{value:#}")));
    }
    Value::Object(members)
}
