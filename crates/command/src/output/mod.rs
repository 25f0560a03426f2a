//! Output as text, JSON, CSV and files.

#[cfg(not(target_family = "wasm"))]
pub mod atomic_output;
mod json_schema;
pub mod json_text;
#[cfg(not(target_family = "wasm"))]
mod partial_folder;
#[cfg(not(target_family = "wasm"))]
mod partial_output;

pub use json_schema::json_schema;
#[cfg(not(target_family = "wasm"))]
pub use partial_folder::{PartialFolder, create_parent};

use clap::ValueEnum;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use rtoscope_trace::printable::{self, Printable};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};

/// An output format.
#[derive(Clone, Copy, ValueEnum)]
pub enum OutputFormat {
    /// Text for people
    Text,
    /// JSON for programs
    Json,
}

/// Standard output with a large buffer.
pub fn stdout() -> BufWriter<io::StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Prints a message on standard error, formatted as by [`format!`]. Control
/// characters are escaped; format arguments that may contain line feeds, such as
/// file names, with [`Printable`].
#[macro_export]
macro_rules! message {
    ($($argument:tt)*) => {
        $crate::output::message(&format!($($argument)*))
    };
}

/// Prints a message on standard error.
pub fn message(text: &str) {
    anstream::eprintln!("rtoscope: {}", printable::multiline(text));
}

/// Whether text on standard output may be coloured.
pub fn is_coloured() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// Writes text to standard output, with control characters escaped.
pub fn write_text(text: &str) -> anyhow::Result<()> {
    let mut output = stdout();
    output.write_all(printable::multiline(text).as_bytes())?;
    Ok(output.flush()?)
}

/// Writes a document as JSON to standard output, with a line for each row of a table.
pub fn write_json(document: &impl Serialize) -> anyhow::Result<()> {
    let mut output = stdout();
    json_text::write_indented(&mut output, document)?;
    writeln!(output)?;
    output.flush()?;
    Ok(())
}

/// Writes rows as CSV to standard output.
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

/// Unwraps the I/O error in a CSV error, so that a closed pipe is recognised.
pub fn csv_error(error: csv::Error) -> anyhow::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        other => anyhow::anyhow!("{other:?}"),
    }
}

/// Formats a table; the columns named in `right` are right-aligned.
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
        // A cell is always one line, whatever its text.
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

/// Appends a section: a title and an indented body.
pub fn append_section(text: &mut String, title: &str, body: &str) {
    let _ = write!(text, "\n{title}\n");
    for line in body.lines() {
        let indent = if line.is_empty() { "" } else { "  " };
        let _ = writeln!(text, "{indent}{line}");
    }
}
