//! Tables as Parquet files.

mod properties;
#[cfg(test)]
mod tests;

use crate::arrow::{PartitionColumns, TableBatches};
use crate::provenance::Provenance;
use crate::{AnalyzedRecording, parallel};
use arrow::datatypes::DataType;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::writer::SerializedFileWriter;
use rtoscope_command::export::dataset::Tag;
use rtoscope_tables::Table;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

/// Rows of a row group.
const ROW_GROUP_ROWS: usize = 1 << 20;

/// Rows that are made and encoded at once: of many, more say the same.
const BATCH_ROWS: usize = 1 << 17;

/// Writes a table of recordings, one after the other, as a Parquet file. Needs
/// memory for one row group, whose columns are encoded on all processors.
pub struct ParquetTableWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    table: Table,
    labels: PartitionColumns,
    provenance: Provenance,
    group: OpenRowGroup,
    /// Rows that a group has room for.
    room: usize,
}

/// Rows that are encoded, but not yet in the file.
#[derive(Default)]
struct OpenRowGroup {
    /// None if there are no rows.
    columns: Vec<ArrowColumnWriter>,
    rows: usize,
}

impl<W: Write + Send> ParquetTableWriter<W> {
    /// Begins a file. `labels` become columns; `tags`, which stand in the file's
    /// path or are the labels, are in its metadata. The file says that its rows
    /// are in the order of a column if they are [`rising`](TableBatches::rising) by
    /// that.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn new(
        output: W,
        table: Table,
        labels: &[Tag],
        tags: &[Tag],
        rising: Option<usize>,
    ) -> Result<Self> {
        let provenance = Provenance::new(table, tags);
        let labels = PartitionColumns::new(table, labels);
        let properties = properties::properties(table, rising)?;
        let writer = ArrowWriter::try_new(output, Arc::clone(labels.schema()), Some(properties))?;
        let (mut file, factory) = writer.into_serialized_writer()?;
        for (key, value) in provenance.leading_metadata() {
            file.append_key_value_metadata(KeyValue::new(key, value));
        }
        Ok(Self {
            file,
            factory,
            table,
            labels,
            provenance,
            group: OpenRowGroup::default(),
            room: ROW_GROUP_ROWS,
        })
    }

    /// Adds the rows of a recording, and tells `progress` now and then how many
    /// more there are.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn add_recording(
        &mut self,
        opened: &Arc<AnalyzedRecording>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<()> {
        let batches = TableBatches::new(opened, self.table);
        self.provenance.add_recording(&opened.source());
        let mut first = 0;
        while first < batches.len() {
            let end = batches.len().min(first + self.room - self.group.rows);
            self.encode(&batches, first..end)?;
            progress((end - first) as u64);
            first = end;
            if self.group.rows == self.room {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Ends the file, and gives the output back.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn finish(mut self) -> Result<W> {
        self.flush()?;
        let (key, value) = self.provenance.trailing_metadata();
        self.file
            .append_key_value_metadata(KeyValue::new(key, value));
        self.file.into_inner()
    }

    /// Adds rows to the group, which has room for them.
    fn encode(&mut self, batches: &TableBatches<'_>, rows: Range<usize>) -> Result<()> {
        if self.group.columns.is_empty() {
            let number = self.file.flushed_row_groups().len();
            self.group.columns = self.factory.create_column_writers(number)?;
        }
        self.group.rows += rows.len();
        let columns = std::mem::take(&mut self.group.columns);
        let (labels, count) = (&self.labels, self.table.columns().len());
        let fields = labels.schema().fields();
        let encode = |(column, mut writer): (usize, ArrowColumnWriter)| {
            for first in rows.clone().step_by(BATCH_ROWS) {
                let rows = first..rows.end.min(first + BATCH_ROWS);
                let values = match column.checked_sub(count) {
                    Some(label) => labels.values(label, rows.len())?,
                    None => batches.column(rows, column)?,
                };
                for leaf in compute_leaves(&fields[column], &values)? {
                    writer.write(&leaf)?;
                }
            }
            Ok((column, writer))
        };
        let mut columns: Vec<_> = columns.into_iter().enumerate().collect();
        // Sentences take longest: whoever began them last would be waited for.
        columns.sort_by_key(|(column, _)| fields[*column].data_type() != &DataType::Utf8);
        let encoded = parallel::map(columns, encode).into_iter();
        let mut encoded: Vec<_> = encoded.collect::<Result<_>>()?;
        encoded.sort_unstable_by_key(|(column, _)| *column);
        self.group.columns = encoded.into_iter().map(|(_, writer)| writer).collect();
        Ok(())
    }

    /// Writes the group, if it has rows.
    fn flush(&mut self) -> Result<()> {
        let OpenRowGroup { columns, rows: 1.. } = std::mem::take(&mut self.group) else {
            return Ok(());
        };
        let mut group = self.file.next_row_group()?;
        for chunk in parallel::map(columns, ArrowColumnWriter::close) {
            chunk?.append_to_row_group(&mut group)?;
        }
        group.close()?;
        Ok(())
    }
}
