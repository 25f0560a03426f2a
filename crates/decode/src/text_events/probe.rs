//! Recognises a text.

use super::csv_rows::{CsvRow, CsvRows};
use super::json_rows;
use super::row::{Columns, Row};
use crate::decimal::decimal;
use crate::format::detection::ProbeWindow;
use crate::mapping::MappingTables;

/// Number of bytes up to the end of the first event, at the start of an input.
pub(super) fn probe(window: &ProbeWindow<'_>) -> Option<usize> {
    window.is_start.then(|| end_of_first_event(window.bytes))?
}

/// Whether the bytes begin as a text of events does.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    /// As many as a window has.
    const SAMPLE_BYTES: usize = 1 << 16;
    end_of_first_event(bytes.get(..SAMPLE_BYTES).unwrap_or(bytes)).is_some()
}

/// The end of the first event: its time is a number, its name is none, and both columns have the
/// built-in names.
fn end_of_first_event(bytes: &[u8]) -> Option<usize> {
    let text = rtoscope_trace::text::strip_bom(bytes);
    let start = bytes.len() - text.len();
    let mut lines = text.split_inclusive(|byte| *byte == b'\n');
    let first = lines.next().filter(|line| line.ends_with(b"\n"))?;
    let is_object = first.starts_with(b"{");
    let is_separator = |byte: &u8| b",;\t".contains(byte);
    // Most other inputs are not read further.
    if first.contains(&0) || !is_object && !first.iter().any(is_separator) {
        return None;
    }
    let tables = MappingTables::default();
    let (mut columns, mut row) = (Columns::default(), Row::default());
    let end = if is_object {
        json_rows::read(first.trim_ascii(), &mut columns, &tables, &mut row).ok()?;
        start + first.len()
    } else {
        let second = lines.next().filter(|line| line.ends_with(b"\n"))?;
        let mut rows = CsvRows::new(text);
        let (names, length) = rows.read(first, &mut columns, &tables, &mut row);
        // A row ends at its carriage return, the line after it.
        let is_whole = |length: usize, line: &[u8]| matches!(line.get(length..), Some(b"" | b"\n"));
        let is_row = matches!(names, CsvRow::Names { .. }) && is_whole(length, first);
        let (values, length) =
            is_row.then(|| rows.read(second, &mut columns, &tables, &mut row))?;
        (matches!(values, CsvRow::Values) && is_whole(length, second)).then_some(())?;
        start + first.len() + second.len()
    };
    let event = row.text(columns.event);
    let is_event = columns.is_complete()
        && decimal(row.text(columns.time), 0).is_some()
        && !event.is_empty()
        && decimal(event, 0).is_none();
    is_event.then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_event_is_the_proof() {
        for (text, expected) in [
            ("time_us,event,thread\n1,switch_in,a\nx", Some(35)),
            ("time_us,event,thread\r\n1,switch_in,a\r\nx", Some(37)),
            ("{\"time\":1,\"event\":\"x\"}\nrest", Some(23)),
            ("event,time\n0,1\n", None),
            ("{\"time\":1}\n", None),
            ("{\"time\":1,\"event\":\"x\"}", None),
            ("time,event\nnow,x\n", None),
            ("Time [s],Channel 0\n0.0,1\n", None),
            ("1,2\n3,4\n", None),
            ("Dear reader,\n\n", None),
            ("", None),
        ] {
            assert_eq!(end_of_first_event(text.as_bytes()), expected, "{text}");
        }
    }
}
