//! Events as CSV and JSON lines.

use super::column::{Column, Values};
use super::rkh;
use super::select::Selection;
use rtoscope_command::output;
use rtoscope_decode::{Origin, Recording};
use rtoscope_trace::{Event, Trace};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Writes events as CSV, with a head before the first ones. Returns how many.
pub(crate) fn csv(
    values: &Values<'_>,
    selection: &Selection<'_>,
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
    for event in selection.events() {
        written += 1;
        for column in columns {
            value.clear();
            values.append(&mut value, *column, &event);
            writer.write_field(&value).map_err(output::csv_error)?;
        }
        writer
            .write_record(None::<&[u8]>)
            .map_err(output::csv_error)?;
    }
    writer.flush()?;
    Ok(written)
}

/// One object a line; only the members that columns name if any are given.
/// Returns how many.
pub(crate) fn json_lines(
    values: &Values<'_>,
    selection: &Selection<'_>,
    columns: &[Column],
) -> anyhow::Result<u64> {
    let Recording { trace, origin } = values.recording();
    let mut output = output::stdout();
    let mut written = 0;
    for event in selection.events() {
        written += 1;
        let mut line = match origin {
            Origin::ThreadX { .. } | Origin::Cswitch(_) => document(trace, values, &event),
            Origin::Rkh(stream) => rkh::document(trace, stream, values, &event),
        };
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

fn document(trace: &Trace, values: &Values<'_>, event: &Event) -> Map<String, Value> {
    let text = |column| {
        let mut text = String::new();
        values.append(&mut text, column, event);
        Some(text)
            .filter(|text| !text.is_empty())
            .map_or(Value::Null, Value::from)
    };
    let [info1, info2, info3, info4] = event.arguments.map(|word| format!("{word:#x}"));
    let time = trace.moment(event.time);
    let interrupted = event.interrupted().map(|context| values.context(context));
    let members = [
        ("index", json!(trace.number(event.index))),
        ("ticks", json!(time.0)),
        ("ns", json!(trace.clock.time(time).map(|time| time.0))),
        ("raw", json!(event.stamp)),
        ("core", json!(event.core)),
        ("context", json!(values.context(event.context))),
        ("context_address", text(Column::ContextAddress)),
        ("priority", json!(event.priority())),
        ("threshold", json!(event.threshold())),
        ("interrupted", json!(interrupted)),
        ("id", json!(event.kind.0)),
        ("event", text(Column::Event)),
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

/// The arguments by name, in words.
pub(super) fn arguments(trace: &Trace, event: &Event) -> Value {
    let Some(kind) = trace.catalogue.get(event.kind) else {
        return json!({});
    };
    let named = trace.arguments(kind, event);
    let mut members = Map::new();
    for (name, value) in named {
        let mut key = name.to_owned();
        // An application may give two fields the same name.
        while members.contains_key(&key) {
            key.push('\'');
        }
        members.insert(key, Value::from(format!("{value:#}")));
    }
    Value::Object(members)
}
