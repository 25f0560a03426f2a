//! The interface of writers for results, and those of Arrow and Parquet.

use arrow::array::RecordBatch;
use arrow::ipc::writer::FileWriter;
use parquet::arrow::ArrowWriter;
use std::io::Write;

/// Writes a result batch by batch.
pub(crate) trait ResultWriter {
    /// Writes a batch of rows.
    fn write_batch(&mut self, rows: &RecordBatch) -> anyhow::Result<()>;

    /// Writes what follows the last row.
    fn finish(self: Box<Self>) -> anyhow::Result<()>;
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
