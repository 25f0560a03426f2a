//! Tags as columns.

use super::schema;
use arrow::array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
use arrow::datatypes::{Field, Int32Type, Schema, SchemaRef};
use arrow::error::ArrowError;
use rtoscope_command::export::dataset::Tag;
use rtoscope_tables::{ColumnType, Table};
use std::sync::Arc;

/// Tags as columns after those of a table. Each has the same value in all rows.
#[derive(Debug)]
pub(crate) struct PartitionColumns {
    schema: SchemaRef,
    words: Vec<ArrayRef>,
}

impl PartitionColumns {
    pub(crate) fn new(table: Table, tags: &[Tag]) -> Self {
        let plain = super::schema(table);
        let columns = plain.fields().iter().cloned();
        let label =
            |key: &String| Field::new(key, schema::data_type(ColumnType::Dictionary), false);
        let labels = tags.iter().map(|(key, _)| Arc::new(label(key)));
        let fields: Vec<_> = columns.chain(labels).collect();
        let words = tags.iter().map(|(_, value)| {
            let word = StringArray::from_iter_values([value]);
            Arc::new(word) as ArrayRef
        });
        Self {
            schema: Arc::new(Schema::new_with_metadata(fields, plain.metadata().clone())),
            words: words.collect(),
        }
    }

    /// The columns of the table, followed by the tags.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// A batch of the table with the tags appended.
    pub(crate) fn add_to(&self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let labels = (0..self.words.len()).map(|label| self.values(label, batch.num_rows()));
        let columns = batch.columns().iter().map(|column| Ok(Arc::clone(column)));
        let columns = columns.chain(labels).collect::<Result<_, ArrowError>>()?;
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }

    /// The values of a tag column.
    pub(crate) fn values(&self, label: usize, rows: usize) -> Result<ArrayRef, ArrowError> {
        let keys = Int32Array::from_value(0, rows);
        let words = Arc::clone(&self.words[label]);
        Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(
            keys, words,
        )?))
    }
}
