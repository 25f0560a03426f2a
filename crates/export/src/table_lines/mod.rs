//! Tables as CSV and JSON lines.

mod cells;
mod line_format;

pub use line_format::LineFormat;

use crate::Progress;
use cells::ColumnCells;
use line_format::LineTemplate;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_tables::{Table, TableRows};
use rtoscope_trace::parallel;
use std::io::{self, Write};
use std::ops::Range;

/// Rows that a thread writes before their lines go to the output. Each distinct text of them is
/// formatted once.
const PART_ROWS: usize = 1 << 14;

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
}

impl<W: Write> TableWriter<W> {
    /// Starts a table; `tags` become additional columns with constant values.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn new(
        mut output: W,
        table: Table,
        layout: LineFormat,
        tags: &[(String, String)],
    ) -> io::Result<Self> {
        output.write_all(&layout.header(table.columns(), tags))?;
        Ok(Self {
            output,
            table,
            format: layout,
            template: layout.template(table.columns(), tags),
        })
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
        rows.prepare(&self.template.columns());
        let events = source.trace.events.len() as u64;
        let mut reported = 0;
        let step = PART_ROWS * parallel::threads();
        for first in (0..rows.len()).step_by(step) {
            let last = rows.len().min(first + step);
            let parts = (first..last).step_by(PART_ROWS);
            let parts = parts.map(|part| part..last.min(part + PART_ROWS));
            let (format, template) = (self.format, &self.template);
            for lines in parallel::map(parts.collect(), |part| template.lines(format, &rows, part))
            {
                self.output.write_all(&lines)?;
            }
            let done = u128::from(events) * last as u128 / rows.len() as u128;
            let done = u64::try_from(done).unwrap_or(events);
            progress(done - reported);
            reported = done;
        }
        progress(events - reported);
        Ok(())
    }

    /// Flushes the table and returns the output.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.output.flush()?;
        Ok(self.output)
    }
}

impl LineTemplate {
    fn columns(&self) -> Vec<usize> {
        (0..self.prefixes.len()).collect()
    }

    /// The lines of some rows.
    fn lines(&self, format: LineFormat, rows: &TableRows<'_>, part: Range<usize>) -> Vec<u8> {
        let columns = self.columns();
        let batch = rows.batch(part.clone(), &columns).into_iter();
        let cells: Vec<_> = batch.map(|it| ColumnCells::new(format, it)).collect();
        let mut lines = Vec::new();
        for row in 0..part.len() {
            for (edge, cells) in self.prefixes.iter().zip(&cells) {
                lines.extend_from_slice(edge);
                cells.write(row, &mut lines);
            }
            lines.extend_from_slice(&self.line_end);
        }
        lines
    }
}
