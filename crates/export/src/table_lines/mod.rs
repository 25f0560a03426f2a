//! Tables as CSV and JSON lines.

mod cells;
mod line_format;

pub use line_format::LineFormat;

use crate::Progress;
use cells::ColumnCells;
use line_format::LineTemplate;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_tables::{Table, TableRows};
use std::io::{self, Write};

/// Rows per batch.
const ROW_BATCH: usize = 4096;
/// The minimum number of bytes per write.
const FLUSH_BYTES: usize = 1 << 17;

/// Writes a table of one or several recordings.
///
/// Each row is a line that ends with a line feed. A missing value is empty in CSV,
/// where an empty text is `""`, and `null` in JSON. Numbers are exact, however
/// large.
pub struct TableWriter<W> {
    output: W,
    table: Table,
    format: LineFormat,
    template: LineTemplate,
    /// The lines that are not written yet.
    lines: Vec<u8>,
}

impl<W: Write> TableWriter<W> {
    /// Starts a table; `tags` become additional columns with constant values.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn new(
        output: W,
        table: Table,
        layout: LineFormat,
        tags: &[(String, String)],
    ) -> io::Result<Self> {
        let mut writer = Self {
            output,
            table,
            format: layout,
            template: layout.template(table.columns(), tags),
            lines: layout.header(table.columns(), tags),
        };
        writer.write_out()?;
        Ok(writer)
    }

    /// Adds a recording.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn add(
        &mut self,
        source: &AnalyzedRecording,
        progress: &mut Progress<'_>,
    ) -> io::Result<()> {
        let rows = TableRows::new(self.table, source);
        let columns: Vec<_> = (0..self.table.columns().len()).collect();
        let mut cells: Vec<_> = columns
            .iter()
            .map(|_| ColumnCells::new(self.format))
            .collect();
        let events = source.trace.events.len() as u64;
        let mut reported = 0;
        for first in (0..rows.len()).step_by(ROW_BATCH) {
            let last = rows.len().min(first + ROW_BATCH);
            let batch = rows.batch(first..last, &columns);
            for (cells, values) in cells.iter_mut().zip(batch) {
                cells.set_values(values);
            }
            for row in 0..last - first {
                self.write_row(&cells, row)?;
            }
            let done = u128::from(events) * last as u128 / rows.len() as u128;
            let done = u64::try_from(done).unwrap_or(events);
            progress(done - reported);
            reported = done;
        }
        progress(events - reported);
        Ok(())
    }

    #[inline]
    fn write_row(&mut self, cells: &[ColumnCells<'_>], row: usize) -> io::Result<()> {
        for (edge, cells) in self.template.prefixes.iter().zip(cells) {
            self.lines.extend_from_slice(edge);
            cells.write(row, &mut self.lines);
        }
        self.lines.extend_from_slice(&self.template.line_end);
        if self.lines.len() >= FLUSH_BYTES {
            self.write_out()?;
        }
        Ok(())
    }

    fn write_out(&mut self) -> io::Result<()> {
        self.output.write_all(&self.lines)?;
        self.lines.clear();
        Ok(())
    }

    /// Flushes the table and returns the output.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_out()?;
        self.output.flush()?;
        Ok(self.output)
    }
}
