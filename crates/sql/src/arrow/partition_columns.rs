//! Tags as columns.

use super::{data_type, schema};
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
    values: Vec<ArrayRef>,
}

impl PartitionColumns {
    pub(crate) fn new(table: Table, tags: &[Tag]) -> Self {
        let table_schema = schema(table);
        let columns = table_schema.fields().iter().cloned();
        let field = |key: &String| Field::new(key, data_type(ColumnType::Dictionary), false);
        let tag_fields = tags.iter().map(|(key, _)| Arc::new(field(key)));
        let fields: Vec<_> = columns.chain(tag_fields).collect();
        let values = tags.iter().map(|(_, value)| {
            let value = StringArray::from_iter_values([value]);
            Arc::new(value) as ArrayRef
        });
        Self {
            schema: Arc::new(Schema::new_with_metadata(
                fields,
                table_schema.metadata().clone(),
            )),
            values: values.collect(),
        }
    }

    /// The columns of the table, followed by the tags.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// A batch of the table with the tags appended.
    pub(crate) fn add_to(&self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let tag_columns = (0..self.values.len()).map(|tag| self.values(tag, batch.num_rows()));
        let columns = batch.columns().iter().map(|column| Ok(Arc::clone(column)));
        let columns = columns
            .chain(tag_columns)
            .collect::<Result<_, ArrowError>>()?;
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }

    /// The values of a tag column.
    fn values(&self, tag: usize, rows: usize) -> Result<ArrayRef, ArrowError> {
        let keys = Int32Array::from_value(0, rows);
        let values = Arc::clone(&self.values[tag]);
        Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(
            keys, values,
        )?))
    }
}
