//! Arrow schemas of tables.

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use rtoscope_tables::{Column, ColumnType, Table};
use std::collections::HashMap;
use std::sync::Arc;

/// The arrays of columns of [`ColumnType::Text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextArrays {
    /// Each row has its text.
    Plain,
    /// Each batch has a dictionary of its own. Most texts repeat: that is less memory, and faster.
    Dictionary,
}

impl TextArrays {
    /// The schema of a table with these arrays. Its metadata holds the table's name (`table`)
    /// and the description of a row (`about`).
    pub fn schema(self, table: Table) -> SchemaRef {
        let field = |column: &Column| match (column.column_type, self) {
            (ColumnType::Text, Self::Dictionary) => {
                field(column).with_data_type(data_type(ColumnType::Dictionary))
            }
            _ => field(column),
        };
        let fields: Vec<Field> = table.columns().iter().map(field).collect();
        let metadata = [("table", table.name()), ("about", table.about())];
        let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Arc::new(Schema::new_with_metadata(fields, HashMap::from(metadata)))
    }
}

/// The schema of a table with plain texts.
pub fn schema(table: Table) -> SchemaRef {
    TextArrays::Plain.schema(table)
}

/// The field of a column. Its metadata holds the description (`about`) and the
/// unit of a quantity (`unit`).
pub fn field(column: &Column) -> Field {
    let about = Some(("about", column.about));
    let unit = column.unit.map(|unit| ("unit", unit));
    let metadata = about.into_iter().chain(unit);
    let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
    Field::new(column.name, data_type(column.column_type), column.nullable)
        .with_metadata(metadata.collect())
}

/// The Arrow type of a column type. Dictionaries have signed keys, which every
/// Arrow reader supports.
pub fn data_type(column_type: ColumnType) -> DataType {
    match column_type {
        ColumnType::Bool => DataType::Boolean,
        ColumnType::U8 => DataType::UInt8,
        ColumnType::U16 => DataType::UInt16,
        ColumnType::U32 => DataType::UInt32,
        ColumnType::U64 => DataType::UInt64,
        ColumnType::I64 => DataType::Int64,
        ColumnType::F64 => DataType::Float64,
        ColumnType::Dictionary => {
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
        }
        ColumnType::Text => DataType::Utf8,
    }
}
