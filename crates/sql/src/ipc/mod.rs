//! Tables as Arrow's IPC files and streams.

mod spool;

use crate::AnalyzedRecording;
use crate::arrow::{PartitionColumns, TableBatches};
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

/// Rows of a record batch.
const BATCH_ROWS: usize = 1 << 16;

/// Writes a table of recordings, one after the other, as Arrow's IPC format: not
/// compressed, so that readers can map it into memory.
pub struct ArrowTableWriter<W: Write> {
    output: Output<W>,
    table: Table,
    labels: PartitionColumns,
    provenance: Provenance,
    /// The batches of several recordings.
    spool: Option<Spool>,
}

/// Which of the two IPC formats is written.
enum Output<W: Write> {
    /// A file, whose parts can be found from its end.
    File(FileWriter<W>),
    /// A stream, which is read from its beginning.
    Stream(StreamWriter<W>),
}

/// How many recordings there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordingCount {
    /// One, whose batches are written at once.
    One,
    /// Any number. Their batches go to a temporary file first, since a dictionary
    /// precedes the first batch and has the words of all of them.
    Several,
}

/// Which of the two IPC formats to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A file, also known as Feather 2.
    File,
    /// A stream, for pipes.
    Stream,
}

impl<W: Write> ArrowTableWriter<W> {
    /// Begins a file or stream. `labels` become columns; `tags`, which stand in
    /// the file's path or are the labels, are in its metadata.
    ///
    /// # Errors
    ///
    /// If the output or a temporary file fails.
    pub fn new(
        output: W,
        layout: Layout,
        recordings: RecordingCount,
        table: Table,
        labels: &[Tag],
        tags: &[Tag],
    ) -> Result<Self, ArrowError> {
        let provenance = Provenance::new(table, tags);
        let labels = PartitionColumns::new(table, labels);
        let mut metadata = labels.schema().metadata().clone();
        metadata.extend(provenance.leading_metadata());
        let schema = Schema::new_with_metadata(labels.schema().fields().clone(), metadata);
        let output = match layout {
            Layout::File => Output::File(FileWriter::try_new(output, &schema)?),
            Layout::Stream => Output::Stream(StreamWriter::try_new(output, &schema)?),
        };
        let spool = match recordings {
            RecordingCount::One => None,
            RecordingCount::Several => Some(Spool::new(Arc::clone(labels.schema()))?),
        };
        Ok(Self {
            output,
            table,
            labels,
            provenance,
            spool,
        })
    }

    /// Adds the rows of a recording, and tells `progress` now and then how many
    /// more there are.
    ///
    /// # Errors
    ///
    /// If the output or a temporary file fails, or if it is not the first of
    /// [`RecordingCount::One`].
    pub fn add_recording(
        &mut self,
        opened: &Arc<AnalyzedRecording>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), ArrowError> {
        let batches = TableBatches::new(opened, self.table);
        self.provenance.add_recording(&opened.source());
        let columns: Vec<usize> = (0..self.table.columns().len()).collect();
        for first in (0..batches.len()).step_by(BATCH_ROWS) {
            let batch = batches.batch(first..first + BATCH_ROWS, &columns)?;
            let labelled = self.labels.add_to(&batch)?;
            match &mut self.spool {
                Some(spool) => spool.add(&labelled)?,
                None => self.output.write(&labelled)?,
            }
            progress(batch.num_rows() as u64);
        }
        Ok(())
    }

    /// Ends it, and gives the output back.
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
