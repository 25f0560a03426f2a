//! Columns of the tables in SQL.

use crate::arrow::schema;
use arrow::datatypes::{Schema, SchemaRef};
use rtoscope_tables::Table;
use std::sync::Arc;

/// The columns that are the same in all rows of a recording.
pub(crate) const FILE: &str = "file";
pub(crate) const RECORDING_ID: &str = "recording_id";

/// The columns of a table, without schema metadata: DataFusion merges the
/// metadata of both sides of a join, so that it would depend on the order of
/// the sides.
pub(super) fn columns(table: Table) -> SchemaRef {
    Arc::new(Schema::new(schema(table).fields().clone()))
}
