//! Writers for results, one per output format.

mod column_names;
mod csv;
mod json;
mod table;

pub(crate) use column_names::distinct_columns;

use anyhow::Context as _;
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use rtoscope_command::query::QueryFormat;
use std::io::Write;

/// Writes a result batch by batch.
pub(crate) trait ResultWriter {
    /// Writes a batch of rows.
    fn write_batch(&mut self, rows: &RecordBatch) -> anyhow::Result<()>;

    /// Writes what follows the last row.
    fn finish(self: Box<Self>) -> anyhow::Result<()>;
}

/// A writer for rows of this schema, whose column names are distinct.
pub(crate) fn result_writer<'a>(
    format: QueryFormat,
    schema: &SchemaRef,
    output: &'a mut (dyn Write + Send),
) -> anyhow::Result<Box<dyn ResultWriter + 'a>> {
    Ok(match format {
        QueryFormat::Table => Box::new(table::TableWriter::new(schema, output)),
        QueryFormat::Csv => Box::new(csv::CsvWriter::new(schema, output)),
        QueryFormat::Json => Box::new(json::array(output)),
        QueryFormat::Jsonl => Box::new(json::lines(output)),
        QueryFormat::Parquet => {
            let compression = Compression::ZSTD(ZstdLevel::default());
            let properties = WriterProperties::builder().set_compression(compression);
            let writer = ArrowWriter::try_new(output, schema.clone(), Some(properties.build()));
            Box::new(writer.context("this result cannot be written as Parquet")?)
        }
        QueryFormat::Arrow => {
            let options = IpcWriteOptions::default();
            Box::new(FileWriter::try_new_with_options(output, schema, options)?)
        }
    })
}

impl<W: Write + Send> ResultWriter for ArrowWriter<W> {
    fn write_batch(&mut self, rows: &RecordBatch) -> anyhow::Result<()> {
        Ok(self.write(rows)?)
    }

    fn finish(self: Box<Self>) -> anyhow::Result<()> {
        self.close()?;
        Ok(())
    }
}

impl<W: Write> ResultWriter for FileWriter<W> {
    fn write_batch(&mut self, rows: &RecordBatch) -> anyhow::Result<()> {
        Ok(self.write(rows)?)
    }

    fn finish(mut self: Box<Self>) -> anyhow::Result<()> {
        Ok(FileWriter::finish(&mut self)?)
    }
}
