//! The columns of a Parquet file.

use crate::arrow::{PartitionColumns, TableBatches};
use arrow::array::ArrayRef;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use rtoscope_command::export::dataset::Tag;
use rtoscope_tables::Table;
use std::ops::Range;

/// The columns of a file: those of a table, followed by tags.
pub(super) struct FileColumns {
    table_columns: usize,
    tags: PartitionColumns,
}

impl FileColumns {
    pub(super) fn new(table: Table, tags: &[Tag]) -> Self {
        Self {
            table_columns: table.columns().len(),
            tags: PartitionColumns::new(table, tags),
        }
    }

    pub(super) fn schema(&self) -> &SchemaRef {
        self.tags.schema()
    }

    /// The values of a column of the file.
    pub(super) fn values(
        &self,
        batches: &TableBatches<'_>,
        rows: Range<usize>,
        column: usize,
    ) -> Result<ArrayRef, ArrowError> {
        match column.checked_sub(self.table_columns) {
            None => batches.column(rows, column),
            Some(tag) => self.tags.values(tag, rows.len()),
        }
    }
}
