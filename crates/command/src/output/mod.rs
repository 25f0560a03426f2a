//! How output is written: tables for people, JSON and CSV for machines.

pub mod whole;

use clap::ValueEnum;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde::Serialize;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

/// How a document is written.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For machines.
    Json,
}

/// Standard output in large blocks.
pub fn stdout() -> BufWriter<io::StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Whether text for people may be coloured.
pub fn coloured() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// Writes a document as indented JSON.
pub fn json(document: &impl Serialize) -> anyhow::Result<()> {
    let mut output = stdout();
    serde_json::to_writer_pretty(&mut output, document).map_err(io::Error::from)?;
    writeln!(output)?;
    output.flush()?;
    Ok(())
}

/// Writes rows as CSV.
pub fn csv(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> anyhow::Result<()> {
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
pub fn table(
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
        table.add_row(row);
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
pub fn section(text: &mut String, title: &str, body: &str) {
    let _ = write!(text, "\n{title}\n");
    for line in body.lines() {
        let indent = if line.is_empty() { "" } else { "  " };
        let _ = writeln!(text, "{indent}{line}");
    }
}

/// Binary output: a file, or standard output where that is no terminal. The
/// file is created with its first byte, so that a command that fails before
/// leaves what was there.
pub fn binary(path: Option<&Path>) -> anyhow::Result<Box<dyn Write + '_>> {
    match path {
        Some(path) => Ok(Box::new(BufWriter::with_capacity(
            1 << 18,
            LateFile { path, file: None },
        ))),
        None if io::stdout().is_terminal() => {
            anyhow::bail!("standard output is a terminal; give a file with --output, or a pipe")
        }
        None => Ok(Box::new(stdout())),
    }
}

/// A file that is created when it is first written to.
struct LateFile<'a> {
    path: &'a Path,
    file: Option<File>,
}

impl Write for LateFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let named = |error: io::Error| {
                    let message = format!("{}: {error}", self.path.display());
                    io::Error::new(error.kind(), message)
                };
                self.file.insert(File::create(self.path).map_err(named)?)
            }
        };
        file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), File::flush)
    }
}
