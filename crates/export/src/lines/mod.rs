//! Tables as lines of text: CSV and JSON lines.

mod cells;
mod layout;

pub use layout::Layout;

use crate::Progress;
use cells::Cells;
use layout::Edges;
use rtoscope_tables::{Rows, Source, Table};
use std::io::{self, Write};

/// Rows that are made at a time.
const BATCH: usize = 4096;
/// Bytes that are written at a time, at least.
const CHUNK: usize = 1 << 17;

/// Writes a table of recordings, one after the other.
///
/// Each row is a line, which a line feed ends. What is missing is empty in CSV,
/// where an empty text is `""`, and `null` in JSON. Numbers are exact, however
/// large.
pub struct Writer<W> {
    output: W,
    table: Table,
    layout: Layout,
    edges: Edges,
    /// What is not written yet.
    lines: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Begins a table; `tags` become columns behind it, the same in each line.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn new(
        output: W,
        table: Table,
        layout: Layout,
        tags: &[(String, String)],
    ) -> io::Result<Self> {
        let mut writer = Self {
            output,
            table,
            layout,
            edges: layout.edges(table.columns(), tags),
            lines: layout.head(table.columns(), tags),
        };
        writer.write_out()?;
        Ok(writer)
    }

    /// Adds a recording.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn add(&mut self, source: &Source<'_>, progress: &mut Progress<'_>) -> io::Result<()> {
        let rows = Rows::of(self.table, *source);
        let columns: Vec<_> = (0..self.table.columns().len()).collect();
        let mut cells: Vec<_> = columns.iter().map(|_| Cells::new(self.layout)).collect();
        let events = source.view.trace.events.len() as u64;
        let mut told = 0;
        for first in (0..rows.len()).step_by(BATCH) {
            let last = rows.len().min(first + BATCH);
            let batch = rows.batch(first..last, &columns);
            for (cells, values) in cells.iter_mut().zip(batch) {
                cells.fill(values);
            }
            for row in 0..last - first {
                self.line(&cells, row)?;
            }
            let done = u128::from(events) * last as u128 / rows.len() as u128;
            let done = u64::try_from(done).unwrap_or(events);
            progress(done - told);
            told = done;
        }
        progress(events - told);
        Ok(())
    }

    #[inline]
    fn line(&mut self, cells: &[Cells<'_>], row: usize) -> io::Result<()> {
        for (edge, cells) in self.edges.before.iter().zip(cells) {
            self.lines.extend_from_slice(edge);
            cells.write(row, &mut self.lines);
        }
        self.lines.extend_from_slice(&self.edges.behind);
        if self.lines.len() >= CHUNK {
            self.write_out()?;
        }
        Ok(())
    }

    fn write_out(&mut self) -> io::Result<()> {
        self.output.write_all(&self.lines)?;
        self.lines.clear();
        Ok(())
    }

    /// Writes what is left, and gives the output back.
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
