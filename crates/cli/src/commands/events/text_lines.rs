//! The lines of text logs among the events.

use super::column::Column;
use rtoscope_trace::printable::Printable;
use rtoscope_trace::text_log::{LogLevel, SignedTicks};
use rtoscope_trace::{Nanoseconds, TextLog, TextLogLine, Ticks, Trace};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// The level shown for a line that has none.
const NO_LEVEL: &str = "text";

/// A time since the first event of the recording that the trace is a part of.
fn recording_time(trace: &Trace, time: SignedTicks) -> i128 {
    i128::from(trace.origin.time.0) + i128::from(time.0)
}

fn nanoseconds(trace: &Trace, time: SignedTicks) -> Option<i128> {
    let ticks = recording_time(trace, time);
    let size = u64::try_from(ticks.unsigned_abs()).unwrap_or(u64::MAX);
    let Nanoseconds(size) = trace.timescale().duration(Ticks(size))?;
    Some(ticks.signum() * i128::from(size))
}

/// Appends the value of a column for a line; appends nothing if there is none.
pub(super) fn append(
    to: &mut String,
    trace: &Trace,
    column: Column,
    (time, log, line): (SignedTicks, &TextLog, &TextLogLine<'_>),
) {
    // Writing to a `String` cannot fail.
    let _ = match column {
        Column::Time => write!(to, "{}", recording_time(trace, time)),
        Column::TimeNs => match nanoseconds(trace, time) {
            Some(time) => write!(to, "{time}"),
            None => Ok(()),
        },
        Column::Context => write!(to, "{}", Printable::text(&log.name)),
        Column::Kind => to.write_str(line.level.map_or(NO_LEVEL, LogLevel::name)),
        Column::Component => to.write_str("text_log"),
        Column::Object => write!(to, "{}", Printable::text(line.source)),
        Column::Arguments if line.source.is_empty() => {
            write!(to, "{}", Printable::text(line.text))
        }
        Column::Arguments => {
            let [source, text] = [line.source, line.text].map(Printable::text);
            write!(to, "{source}: {text}")
        }
        _ => Ok(()),
    };
}

/// A line as a JSON object.
pub(super) fn document(
    trace: &Trace,
    (time, log, line): (SignedTicks, &TextLog, &TextLogLine<'_>),
) -> Map<String, Value> {
    let ticks = i64::try_from(recording_time(trace, time)).ok();
    let ns = nanoseconds(trace, time).and_then(|time| i64::try_from(time).ok());
    let members = [
        ("text_log", json!(log.name)),
        ("line", json!(line.number)),
        ("time", json!(ticks)),
        ("time_ns", json!(ns)),
        ("level", json!(line.level.map(LogLevel::name))),
        (
            "source",
            json!(Some(line.source).filter(|it| !it.is_empty())),
        ),
        ("text", json!(line.text)),
        ("continuation", json!(line.is_continuation)),
    ];
    let members = members.into_iter();
    members
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}
