//! Batches of several recordings, spooled to a temporary file until their
//! dictionaries are complete.

use crate::arrow::DictionaryMerger;
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;
use rtoscope_trace::printable::Printable;
use std::io::{self, BufReader, BufWriter, Seek as _, SeekFrom};
use tempfile::SpooledTempFile;

/// Bytes that stay in memory; more go to a file in the folder for temporary
/// files.
const MAX_MEMORY_BYTES: usize = 64 << 20;

/// Batches whose dictionaries are merged once the last one is known. Many
/// readers of Arrow's IPC formats support neither delta nor replacement
/// dictionaries, and the file format does not allow replacement.
pub(super) struct Spool {
    schema: SchemaRef,
    merger: DictionaryMerger,
    keys: StreamWriter<BufWriter<SpooledTempFile>>,
}

impl Spool {
    pub(super) fn new(schema: SchemaRef) -> Result<Self, ArrowError> {
        let merger = DictionaryMerger::new(&schema);
        let file = BufWriter::new(tempfile::spooled_tempfile(MAX_MEMORY_BYTES));
        Ok(Self {
            keys: StreamWriter::try_new(file, merger.key_schema())?,
            merger,
            schema,
        })
    }

    pub(super) fn add(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let keys = self.merger.keys(batch)?;
        self.keys.write(&keys).map_err(temporary)
    }

    /// Writes all batches in order, with shared dictionaries.
    pub(super) fn finish(
        self,
    ) -> Result<impl Iterator<Item = Result<RecordBatch, ArrowError>>, ArrowError> {
        let dictionaries = self.merger.finish(&self.schema);
        let file = self.keys.into_inner().map_err(temporary)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        let mut file = file.map_err(|error| temporary(error.into()))?;
        let rewound = file.seek(SeekFrom::Start(0));
        rewound.map_err(|error| temporary(error.into()))?;
        let batches = StreamReader::try_new(BufReader::new(file), None).map_err(temporary)?;
        Ok(batches.map(move |batch| dictionaries.restore(&batch.map_err(temporary)?)))
    }
}

/// An error of the temporary file, distinguished from an error of the output.
fn temporary(error: ArrowError) -> ArrowError {
    let ArrowError::IoError(text, error) = error else {
        return error;
    };
    let folder = std::env::temp_dir();
    let message = format!("temporary file in {}: {error}", Printable::path(&folder));
    ArrowError::IoError(text, io::Error::new(error.kind(), message))
}
