//! Results as CSV.

use super::writer::ResultWriter;
use arrow::array::{Array, RecordBatch};
use arrow::datatypes::SchemaRef;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use std::fmt::Write as _;
use std::io::Write;

/// A header line, and one line per row.
pub(super) struct CsvWriter<W: Write> {
    output: W,
    /// Lines that are not written yet.
    text: String,
}

impl<W: Write> CsvWriter<W> {
    pub(super) fn new(schema: &SchemaRef, output: W) -> Self {
        let mut text = String::new();
        let names = schema
            .fields()
            .iter()
            .map(|field| Some(field.name().as_str()));
        line(names, &mut text);
        Self { output, text }
    }
}

impl<W: Write> ResultWriter for CsvWriter<W> {
    fn write_batch(&mut self, rows: &RecordBatch) -> anyhow::Result<()> {
        let options = FormatOptions::new();
        let columns = rows.columns().iter();
        let columns = columns.map(|column| ArrayFormatter::try_new(column, &options));
        let formatters: Vec<_> = columns.collect::<Result<_, _>>()?;
        let columns = rows.columns().iter();
        let missing: Vec<_> = columns.map(Array::logical_nulls).collect();
        let mut cells = vec![String::new(); formatters.len()];
        for row in 0..rows.num_rows() {
            for (cell, formatter) in cells.iter_mut().zip(&formatters) {
                cell.clear();
                formatter.value(row).write(cell)?;
            }
            let values = cells.iter().zip(&missing).map(|(cell, missing)| {
                let is_missing = missing.as_ref().is_some_and(|rows| rows.is_null(row));
                (!is_missing).then_some(cell.as_str())
            });
            line(values, &mut self.text);
        }
        self.output.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> anyhow::Result<()> {
        self.output.write_all(self.text.as_bytes())?;
        Ok(self.output.flush()?)
    }
}

/// Appends a line. Nulls are empty fields and empty texts are quoted, as in
/// exports.
fn line<'a>(values: impl ExactSizeIterator<Item = Option<&'a str>>, text: &mut String) {
    // Readers would skip an empty line.
    let is_alone = values.len() == 1;
    for (place, value) in values.enumerate() {
        if place > 0 {
            text.push(',');
        }
        match value {
            Some(value) if is_plain(value) => text.push_str(value),
            None if !is_alone => {}
            value => {
                _ = write!(
                    text,
                    "\"{}\"",
                    value.unwrap_or_default().replace('"', "\"\"")
                );
            }
        }
    }
    text.push('\n');
}

/// Whether a text needs no quotes. Spaces at its ends, which some readers drop,
/// do.
fn is_plain(text: &str) -> bool {
    let is_blank = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    let bytes = text.as_bytes();
    !is_blank(bytes.first()) && !is_blank(bytes.last()) && !text.contains([',', '"', '\n', '\r'])
}
