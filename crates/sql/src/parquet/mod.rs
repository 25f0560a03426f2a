//! Tables as Parquet files.

mod properties;
#[cfg(test)]
mod tests;

use crate::AnalyzedRecording;
use crate::arrow::{PartitionColumns, TableBatches};
use crate::provenance::Provenance;
use arrow::datatypes::DataType;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnWriter, ArrowRowGroupWriterFactory, ArrowWriterOptions, compute_leaves,
};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::writer::SerializedFileWriter;
use rtoscope_command::export::dataset::Tag;
use rtoscope_tables::Table;
use rtoscope_trace::parallel;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

/// Rows per row group.
const ROW_GROUP_ROWS: usize = 1 << 20;

/// Writes a table of recordings as a Parquet file. Memory holds one row group,
/// whose columns are encoded on all cores.
pub struct ParquetTableWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    table: Table,
    columns: PartitionColumns,
    provenance: Provenance,
    group: OpenRowGroup,
    /// Rows per full group.
    capacity: usize,
}

/// Rows that are encoded but not written yet.
#[derive(Default)]
struct OpenRowGroup {
    /// Empty if there are no rows.
    columns: Vec<ArrowColumnWriter>,
    rows: usize,
}

impl<W: Write + Send> ParquetTableWriter<W> {
    /// Starts a file. `partition_tags` become columns; `tags`, which are in
    /// the path of the file or become columns, go into its metadata. `ascending` names the
    /// column that the rows are sorted by, from
    /// [`TableBatches::ascending_column`].
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn new(
        output: W,
        table: Table,
        partition_tags: &[Tag],
        tags: &[Tag],
        ascending: Option<usize>,
    ) -> Result<Self> {
        let columns = PartitionColumns::new(table, partition_tags);
        let properties = properties::properties(table, ascending, None)?;
        let options = ArrowWriterOptions::new().with_properties(properties);
        Self::with_options(output, table, columns, tags, options)
    }

    /// Starts the file of one recording in a dataset, or one without rows; tags are folders
    /// there. Most of these files are small, so they lack Arrow's schema, which is larger than
    /// the rows of a small table.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn for_dataset(
        output: W,
        table: Table,
        tags: &[Tag],
        rows: Option<&TableBatches<'_>>,
    ) -> Result<Self> {
        let columns = PartitionColumns::new(table, &[]);
        let ascending = rows.and_then(TableBatches::ascending_column);
        let count = rows.map_or(0, TableBatches::len);
        let properties = properties::properties(table, ascending, Some(count))?;
        let options = ArrowWriterOptions::new()
            .with_properties(properties)
            .with_skip_arrow_metadata(true);
        Self::with_options(output, table, columns, tags, options)
    }

    fn with_options(
        output: W,
        table: Table,
        columns: PartitionColumns,
        tags: &[Tag],
        options: ArrowWriterOptions,
    ) -> Result<Self> {
        let provenance = Provenance::new(table, tags);
        let schema = Arc::clone(columns.schema());
        let writer = ArrowWriter::try_new_with_options(output, schema, options)?;
        let (mut file, factory) = writer.into_serialized_writer()?;
        for (key, value) in provenance.leading_metadata() {
            file.append_key_value_metadata(KeyValue::new(key, value));
        }
        Ok(Self {
            file,
            factory,
            table,
            columns,
            provenance,
            group: OpenRowGroup::default(),
            capacity: ROW_GROUP_ROWS,
        })
    }

    /// Adds the rows of a recording and reports the number of written rows to
    /// `progress`.
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
        self.provenance.add_recording(opened);
        let mut first = 0;
        while first < batches.len() {
            let end = batches.len().min(first + self.capacity - self.group.rows);
            self.encode(&batches, first..end)?;
            progress((end - first) as u64);
            first = end;
            if self.group.rows == self.capacity {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Finishes the file and returns the output.
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
        let fields = Arc::clone(self.columns.schema());
        let fields = fields.fields();
        let all: Vec<usize> = (0..self.table.columns().len()).collect();
        let step = TableBatches::rows_at_a_time();
        for first in rows.clone().step_by(step) {
            let batches = batches.batches(first..rows.end.min(first + step), &all)?;
            let batches = batches.iter().map(|batch| self.columns.add_to(batch));
            let batches: Vec<_> = batches.collect::<std::result::Result<_, _>>()?;
            let mut columns: Vec<_> = self.group.columns.iter_mut().enumerate().collect();
            // Text columns take longest: starting one of them last would delay the others.
            columns.sort_by_key(|(column, _)| fields[*column].data_type() != &DataType::Utf8);
            let encode = |(column, writer): (usize, &mut ArrowColumnWriter)| {
                for batch in &batches {
                    for leaf in compute_leaves(&fields[column], batch.column(column))? {
                        writer.write(&leaf)?;
                    }
                }
                Ok(())
            };
            let encoded = parallel::map(columns, encode).into_iter();
            encoded.collect::<Result<()>>()?;
        }
        Ok(())
    }

    /// Writes the group unless it is empty.
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
