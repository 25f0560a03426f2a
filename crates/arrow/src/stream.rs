//! Rows of a table as a stream of record batches.

use crate::{TableBatches, TextArrays};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_tables::Table;
use self_cell::self_cell;
use std::sync::Arc;
use std::vec;

self_cell! {
    /// A table and its recording, which stays in memory as long as the stream.
    struct OwnedBatches {
        owner: Arc<AnalyzedRecording>,
        #[not_covariant]
        dependent: TableBatches,
    }
}

/// Some columns of a table, computed as they are read.
pub struct TableStream {
    batches: OwnedBatches,
    schema: SchemaRef,
    columns: Vec<usize>,
    /// Batches that were computed in advance.
    ready: vec::IntoIter<RecordBatch>,
    /// The first row after those.
    next_row: usize,
}

impl TableStream {
    /// The columns of a table with these indexes, in this order.
    ///
    /// # Errors
    ///
    /// If a column does not exist.
    pub fn new(
        recording: Arc<AnalyzedRecording>,
        table: Table,
        columns: Vec<usize>,
        texts: TextArrays,
    ) -> Result<Self, ArrowError> {
        Ok(Self {
            schema: Arc::new(texts.schema(table).project(&columns)?),
            batches: OwnedBatches::new(recording, |recording| {
                TableBatches::with_texts(recording, table, texts)
            }),
            columns,
            ready: Vec::new().into_iter(),
            next_row: 0,
        })
    }
}

impl Iterator for TableStream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(batch) = self.ready.next() {
            return Some(Ok(batch));
        }
        let rows = self.next_row..self.next_row + TableBatches::rows_at_a_time();
        self.next_row = rows.end;
        let batches = self
            .batches
            .with_dependent(|_, batches| batches.batches(rows, &self.columns));
        match batches {
            Ok(batches) => self.ready = batches.into_iter(),
            Err(error) => return Some(Err(error)),
        }
        self.ready.next().map(Ok)
    }
}

impl RecordBatchReader for TableStream {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
