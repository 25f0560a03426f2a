//! Writes the Parquet files of a partition, and uploads them.

use crate::partition::Partition;
use crate::schema::{PROVENANCE, file_schema, stored_type};
use crate::store::Location;
use crate::traces::NewFile;
use anyhow::Context as _;
use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_sql::arrow::TableBatches;
use rtoscope_tables::{ColumnType, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::ops::Range;
use std::sync::Arc;
use tokio::runtime::Handle;
use uuid::Uuid;

/// Rows of a row group: some megabytes. A query for a device reads a few groups.
pub(crate) const ROW_GROUP_ROWS: usize = 1 << 18;

/// Rows that are converted at a time.
const BATCH_ROWS: usize = 1 << 16;

/// Where a recording came from, and where its bytes are.
#[derive(Debug, Clone)]
pub(crate) struct Provenance {
    pub(crate) source: String,
    pub(crate) recorded_at: Option<String>,
    /// The pack's path below the root.
    pub(crate) pack: String,
    pub(crate) range: Range<u64>,
}

/// The files of a partition, one for each table that has rows.
pub(crate) struct PartitionWriter<'a> {
    partition: Partition,
    root: &'a Location,
    tags: &'a BTreeSet<String>,
    tables: &'a [Table],
    files: BTreeMap<Table, TableFile>,
}

/// The properties of a file.
pub(crate) fn properties(schema: &SchemaRef) -> anyhow::Result<WriterProperties> {
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("rtoscope version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        // Pages of a device are found by its name and those of a time by ticks.
        .set_statistics_enabled(EnabledStatistics::Page);
    for field in schema.fields() {
        let is_number = matches!(field.data_type(), DataType::Int64);
        let counts_up = field.name().ends_with("event")
            || field.name().ends_with("_ns")
            || ["time", "start", "end", "duration"].contains(&field.name().as_str());
        if is_number && counts_up {
            let path = ColumnPath::from(field.name().as_str());
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
    }
    Ok(properties.build())
}

/// A writer of a file whose readers see plain types.
pub(crate) fn arrow_writer(file: File, schema: &SchemaRef) -> anyhow::Result<ArrowWriter<File>> {
    let options = ArrowWriterOptions::new()
        .with_properties(properties(schema)?)
        .with_skip_arrow_metadata(true);
    let writer = ArrowWriter::try_new_with_options(file, Arc::clone(schema), options)?;
    Ok(writer)
}

struct TableFile {
    schema: SchemaRef,
    writer: ArrowWriter<File>,
    file: File,
    rows: u64,
    devices: (String, String),
}

impl<'a> PartitionWriter<'a> {
    /// A writer for some tables of the recordings of a partition.
    pub(crate) fn new(
        partition: Partition,
        root: &'a Location,
        tags: &'a BTreeSet<String>,
        tables: &'a [Table],
    ) -> Self {
        Self {
            partition,
            root,
            tags,
            tables,
            files: BTreeMap::new(),
        }
    }

    /// Adds a recording. Devices have to come in their order.
    pub(crate) fn add(
        &mut self,
        recording: &Arc<AnalyzedRecording>,
        tags: &BTreeMap<String, String>,
        device: &str,
        provenance: &Provenance,
    ) -> anyhow::Result<()> {
        for &table in self.tables {
            let batches = TableBatches::new(recording, table);
            if batches.is_empty() {
                continue;
            }
            let file = match self.files.entry(table) {
                std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::btree_map::Entry::Vacant(entry) => {
                    entry.insert(TableFile::new(table, self.tags, device)?)
                }
            };
            file.add(table, &batches, self.tags, tags, provenance)
                .with_context(|| table.to_string())?;
            device.clone_into(&mut file.devices.1);
        }
        Ok(())
    }

    /// Uploads the files.
    pub(crate) fn finish(self, runtime: &Handle) -> anyhow::Result<Vec<NewFile>> {
        let mut new = Vec::new();
        for (table, file) in self.files {
            let name = format!("{}.parquet", Uuid::new_v4().simple());
            let path = format!("{}/{name}", self.partition.folder(table));
            let (rows, devices) = (file.rows, file.devices.clone());
            let (from, bytes) = file.finish()?;
            runtime.block_on(self.root.join(&path).write(from))?;
            new.push(NewFile {
                table,
                partition: self.partition.clone(),
                path,
                bytes,
                rows,
                devices,
            });
        }
        Ok(new)
    }
}

impl TableFile {
    fn new(table: Table, tags: &BTreeSet<String>, device: &str) -> anyhow::Result<Self> {
        let schema = file_schema(table, tags);
        let file = tempfile::tempfile().context("cannot create a temporary file")?;
        Ok(Self {
            writer: arrow_writer(file.try_clone()?, &schema)?,
            schema,
            file,
            rows: 0,
            devices: (device.to_owned(), device.to_owned()),
        })
    }

    fn add(
        &mut self,
        table: Table,
        batches: &TableBatches<'_>,
        tags: &BTreeSet<String>,
        values: &BTreeMap<String, String>,
        provenance: &Provenance,
    ) -> anyhow::Result<()> {
        let columns: Vec<_> = (0..table.columns().len()).collect();
        for first in (0..batches.len()).step_by(BATCH_ROWS) {
            let rows = first..batches.len().min(first + BATCH_ROWS);
            let count = rows.len();
            let batch = batches.batch(rows, &columns)?;
            let tags = tags.iter().map(|tag| match values.get(tag) {
                Some(value) => repeated(value, count),
                None => new_null_array(&DataType::Utf8, count),
            });
            let mut arrays: Vec<ArrayRef> = tags.collect();
            for (column, array) in table.columns().iter().zip(batch.columns()) {
                arrays.push(stored(array, column.column_type)?);
            }
            if table == Table::Recordings {
                arrays.extend(provenance.columns(count));
            }
            let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays)?;
            self.writer.write(&batch)?;
            self.rows += count as u64;
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<(File, u64)> {
        use std::io::Seek as _;
        self.writer.close()?;
        let mut file = self.file;
        let bytes = file.metadata()?.len();
        file.rewind()?;
        Ok((file, bytes))
    }
}

fn repeated(value: &str, count: usize) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(std::iter::repeat_n(
        value, count,
    )))
}

/// The values with the type of the Delta table.
fn stored(array: &ArrayRef, column_type: ColumnType) -> anyhow::Result<ArrayRef> {
    Ok(cast(array, &stored_type(column_type))?)
}

impl Provenance {
    /// The columns [`PROVENANCE`].
    fn columns(&self, count: usize) -> [ArrayRef; PROVENANCE.len()] {
        let number = |number: u64| -> ArrayRef {
            let number = i64::try_from(number).unwrap_or(i64::MAX);
            Arc::new(Int64Array::from_value(number, count))
        };
        [
            repeated(&self.source, count),
            match &self.recorded_at {
                Some(time) => repeated(time, count),
                None => new_null_array(&DataType::Utf8, count),
            },
            repeated(&self.pack, count),
            number(self.range.start),
            number(self.range.end - self.range.start),
        ]
    }
}
