//! How output is written: tables for people, JSON and CSV for machines.

pub mod atomic_output;
pub mod json_text;
mod partial_output;

use clap::ValueEnum;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use rtoscope_trace::printable::{self, Printable};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};

/// How a document is written.
#[derive(Clone, Copy, ValueEnum)]
pub enum OutputFormat {
    /// For people.
    Text,
    /// For machines.
    Json,
}

/// Standard output in large blocks.
pub fn stdout() -> BufWriter<io::StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Writes a message for people on standard error, formatted as by [`format!`].
/// Nothing in it commands a terminal; what may hold line feeds, such as the name of
/// a file, is [`Printable`] before.
#[macro_export]
macro_rules! message {
    ($($argument:tt)*) => {
        $crate::output::message(&format!($($argument)*))
    };
}

/// Writes a message for people on standard error.
pub fn message(text: &str) {
    anstream::eprintln!("rtoscope: {}", printable::multiline(text));
}

/// Whether text for people may be coloured.
pub fn is_coloured() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// Writes a text for people, without anything that a terminal would obey.
pub fn write_text(text: &str) -> anyhow::Result<()> {
    let mut output = stdout();
    output.write_all(printable::multiline(text).as_bytes())?;
    Ok(output.flush()?)
}

/// Writes a document as indented JSON.
pub fn write_json(document: &impl Serialize) -> anyhow::Result<()> {
    let mut output = stdout();
    json_text::write_pretty(&mut output, document)?;
    writeln!(output)?;
    output.flush()?;
    Ok(())
}

/// Writes rows as CSV.
pub fn write_csv(
    header: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> anyhow::Result<()> {
    let mut writer = csv::Writer::from_writer(stdout());
    writer.write_record(header).map_err(csv_error)?;
    for row in rows {
        writer.write_record(row).map_err(csv_error)?;
    }
    writer.flush()?;
    Ok(())
}

/// An I/O error inside a CSV error as itself, so that a closed pipe is seen.
pub fn csv_error(error: csv::Error) -> anyhow::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        other => anyhow::anyhow!("{other:?}"),
    }
}

/// A table for people; columns named in `right` are aligned to the right.
pub fn format_table(
    header: &[&str],
    right: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header.iter().copied());
    for row in rows {
        // A cell is one line, whatever the text in it.
        table.add_row(row.iter().map(|cell| Printable::text(cell).to_string()));
    }
    for (column, name) in table.column_iter_mut().zip(header) {
        column.set_padding((0, 2));
        if right.contains(name) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Appends a part of a text for people, indented below its title.
pub fn append_section(text: &mut String, title: &str, body: &str) {
    let _ = write!(text, "\n{title}\n");
    for line in body.lines() {
        let indent = if line.is_empty() { "" } else { "  " };
        let _ = writeln!(text, "{indent}{line}");
    }
}
