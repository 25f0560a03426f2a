//! Columns of the tables in SQL.

use crate::arrow::schema;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use rtoscope_tables::Table;
use std::sync::Arc;

/// Metadata of columns whose values are addresses.
const ADDRESS: (&str, &str) = ("kind", "address");

/// The columns that are the same in all rows of a recording.
pub(crate) const FILE: &str = "file";
pub(crate) const RECORDING_ID: &str = "recording_id";

/// The columns of a table, without schema metadata: DataFusion merges the
/// metadata of both sides of a join, so that it would depend on the order of
/// the sides.
pub(super) fn columns(table: Table) -> SchemaRef {
    let columns = table.columns().iter();
    let fields = schema(table).fields().clone();
    let fields = fields.iter().zip(columns).map(|(field, column)| {
        let mut field = field.as_ref().clone();
        if column.is_address {
            let (key, value) = ADDRESS;
            field
                .metadata_mut()
                .insert(key.to_owned(), value.to_owned());
        }
        field
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Whether the values of a result's column are addresses, which texts show in hexadecimal.
pub(crate) fn is_address(field: &Field) -> bool {
    let (key, value) = ADDRESS;
    *field.data_type() == DataType::UInt64
        && field.metadata().get(key).is_some_and(|it| it == value)
}
