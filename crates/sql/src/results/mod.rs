//! Results of queries, written in an output format.

mod column_names;
mod csv;
mod json;
mod table;
mod writer;

use crate::engine::SqlDiagnostic;
use anyhow::{Context as _, anyhow};
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions};
pub(crate) use column_names::distinct_columns;
use datafusion::execution::SendableRecordBatchStream;
use futures::StreamExt as _;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use rtoscope_command::output;
use rtoscope_command::query::QueryFormat;
use std::io::{self, BufWriter, Write};
use std::path::Path;
pub(crate) use table::{address, is_number};
use tokio::runtime::Runtime;
use writer::ResultWriter;

/// Writes a result to a file, which appears once it is complete, or to standard
/// output; returns the number of rows.
pub(crate) fn save(
    runtime: &Runtime,
    sql: &str,
    rows: SendableRecordBatchStream,
    format: QueryFormat,
    path: Option<&Path>,
) -> anyhow::Result<u64> {
    let mut count = 0;
    let write_all = |output: &mut (dyn Write + Send)| {
        count = runtime.block_on(write(sql, rows, format, output))?;
        anyhow::Ok(())
    };
    if path.is_none() && !format.is_binary() {
        let mut output = stdout();
        write_all(&mut output)?;
        output.flush()?;
    } else {
        output::atomic_output::write_file(path, write_all)?;
    }
    Ok(count)
}

/// Standard output with a large buffer, usable on any thread.
pub(crate) fn stdout() -> BufWriter<io::Stdout> {
    BufWriter::with_capacity(1 << 16, io::stdout())
}

/// Writes a result and returns the number of rows.
pub(crate) async fn write(
    sql: &str,
    mut rows: SendableRecordBatchStream,
    format: QueryFormat,
    output: &mut (dyn Write + Send),
) -> anyhow::Result<u64> {
    let schema = distinct_columns(&rows.schema());
    let mut output = ErrorTracker {
        output,
        failure: None,
    };
    let mut count = 0;
    let written = async {
        let mut writer = result_writer(format, &schema, &mut output)?;
        while let Some(batch) = rows.next().await {
            let batch = batch.map_err(|error| SqlDiagnostic::new(sql, &error, &[]))?;
            let columns = batch.columns().to_vec();
            let rows = batch.num_rows();
            count += rows as u64;
            let named = match columns.is_empty() {
                true => batch,
                false => RecordBatch::try_new(schema.clone(), columns)?,
            };
            writer.write_batch(&named)?;
        }
        writer.finish()
    };
    let written = written.await;
    match (output.failure, written) {
        // The formats' writers do not all pass the I/O error on.
        (Some(failure), Err(_)) => Err(failure.into()),
        (_, Err(error)) => Err(anyhow!(error)),
        (_, Ok(())) => Ok(count),
    }
}

/// A writer for rows of this schema, whose column names are distinct.
fn result_writer<'a>(
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

/// An output that keeps its I/O error.
struct ErrorTracker<'a> {
    output: &'a mut (dyn Write + Send),
    failure: Option<io::Error>,
}

impl ErrorTracker<'_> {
    fn track<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        done.map_err(|error| {
            let copy = io::Error::new(error.kind(), error.to_string());
            self.failure = Some(error);
            copy
        })
    }
}

impl Write for ErrorTracker<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.output.write(bytes);
        self.track(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.output.flush();
        self.track(done)
    }
}
