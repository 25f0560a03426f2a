//! Tables in Arrow's IPC formats.

mod spool;

use crate::AnalyzedRecording;
use crate::arrow::{PartitionColumns, TableStream, TextArrays};
use crate::provenance::Provenance;
use arrow::array::RecordBatch;
use arrow::datatypes::Schema;
use arrow::error::ArrowError;
use arrow::ipc::writer::{FileWriter, StreamWriter};
use rtoscope_command::export::dataset::Tag;
use rtoscope_tables::Table;
use spool::Spool;
use std::io::Write;
use std::sync::Arc;

/// Writes a table of recordings in an Arrow IPC format. The data is not
/// compressed, so that readers can map it into memory.
pub struct ArrowTableWriter<W: Write> {
    output: Output<W>,
    table: Table,
    partition_columns: PartitionColumns,
    provenance: Provenance,
    /// The batches of several recordings.
    spool: Option<Spool>,
}

/// Writer of one of the IPC formats.
enum Output<W: Write> {
    /// File format: readers find the parts from its end.
    File(FileWriter<W>),
    /// Stream format: readers read from the start.
    Stream(StreamWriter<W>),
}

/// The number of recordings in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordingCount {
    /// One recording, whose batches are written immediately.
    One,
    /// Any number. The batches go to a temporary file first, because a
    /// dictionary precedes the first batch and holds the strings of all
    /// batches.
    Several,
}

/// The IPC format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// File format, also known as Feather 2.
    File,
    /// Stream format, for pipes.
    Stream,
}

impl<W: Write> ArrowTableWriter<W> {
    /// Starts a file or stream. `partition_tags` become columns; `tags`, which
    /// are in the path of the file or become columns, go into its metadata.
    ///
    /// # Errors
    ///
    /// If the output or a temporary file fails.
    pub fn new(
        output: W,
        layout: Layout,
        recordings: RecordingCount,
        table: Table,
        partition_tags: &[Tag],
        tags: &[Tag],
    ) -> Result<Self, ArrowError> {
        let provenance = Provenance::new(table, tags);
        let partition_columns = PartitionColumns::new(table, partition_tags);
        let mut metadata = partition_columns.schema().metadata().clone();
        metadata.extend(provenance.leading_metadata());
        let schema =
            Schema::new_with_metadata(partition_columns.schema().fields().clone(), metadata);
        let output = match layout {
            Layout::File => Output::File(FileWriter::try_new(output, &schema)?),
            Layout::Stream => Output::Stream(StreamWriter::try_new(output, &schema)?),
        };
        let spool = match recordings {
            RecordingCount::One => None,
            RecordingCount::Several => Some(Spool::new(Arc::clone(partition_columns.schema()))?),
        };
        Ok(Self {
            output,
            table,
            partition_columns,
            provenance,
            spool,
        })
    }

    /// Adds the rows of a recording and reports the number of written rows to
    /// `progress`.
    ///
    /// # Errors
    ///
    /// If the output or a temporary file fails, or for a second recording with
    /// [`RecordingCount::One`].
    pub fn add_recording(
        &mut self,
        opened: &Arc<AnalyzedRecording>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), ArrowError> {
        self.provenance.add_recording(opened);
        let columns = (0..self.table.columns().len()).collect();
        let opened = Arc::clone(opened);
        for batch in TableStream::new(opened, self.table, columns, TextArrays::Plain)? {
            let batch = batch?;
            let batch_with_tags = self.partition_columns.add_to(&batch)?;
            match &mut self.spool {
                Some(spool) => spool.add(&batch_with_tags)?,
                None => self.output.write(&batch_with_tags)?,
            }
            progress(batch.num_rows() as u64);
        }
        Ok(())
    }

    /// Finishes the file or stream and returns the output.
    ///
    /// # Errors
    ///
    /// If the output or a temporary file fails.
    pub fn finish(mut self) -> Result<W, ArrowError> {
        if let Some(spool) = self.spool {
            for batch in spool.finish()? {
                self.output.write(&batch?)?;
            }
        }
        match self.output {
            Output::File(mut file) => {
                let (key, value) = self.provenance.trailing_metadata();
                file.write_metadata(key, value);
                file.into_inner()
            }
            Output::Stream(stream) => stream.into_inner(),
        }
    }
}

impl<W: Write> Output<W> {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        match self {
            Self::File(file) => file.write(batch),
            Self::Stream(stream) => stream.write(batch),
        }
    }
}
