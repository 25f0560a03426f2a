//! The columns of the Delta table.
//!
//! Delta Lake commits one table at a time. All tables of traces are therefore one Delta table,
//! partitioned by the name of the table: a commit contains a recording in all tables or in none.
//! A file has the columns of its table only; readers see null in all others, and the views of the
//! tables do not name them.

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use rtoscope_tables::{Column, ColumnType, Table};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The partition column with the name of the table.
pub(crate) const TABLE: &str = "table_name";
/// The partition column with the day of the recording, as `YYYY-MM-DD`.
pub(crate) const DAY: &str = "day";
/// The partition column with the first hexadecimal digits of the MD5 sum of the device.
pub(crate) const BUCKET: &str = "bucket";

/// The partition columns, in the order of the folders.
pub(crate) const PARTITIONS: [&str; 3] = [TABLE, DAY, BUCKET];

/// The tag that identifies the device, by which files are sorted and pruned.
pub(crate) const DEVICE: &str = "device";

/// The column that identifies a recording.
pub(crate) const RECORDING_ID: &str = "recording_id";

/// The column with the pack of a recording's bytes, as a path below the root.
pub(crate) const PACK: &str = "pack";

/// Columns of `recordings` in addition to those of [`Table::Recordings`]: where the recording
/// came from, and where its bytes are.
pub(crate) const PROVENANCE: [(&str, DataType); 5] = [
    ("source", DataType::Utf8),
    ("recorded_at", DataType::Utf8),
    (PACK, DataType::Utf8),
    ("pack_offset", DataType::Int64),
    ("pack_bytes", DataType::Int64),
];

/// Columns whose name has another type in another table, with the name in the Delta table.
const RENAMED: [(Table, &str, &str); 4] = [
    (Table::Locks, "contended", "locks_contended"),
    (Table::TextLogLines, "level", "text_log_level"),
    (Table::TextLogLines, "line", "text_log_line"),
    (Table::TextLogLines, "source", "text_log_source"),
];

/// The name of a table's column in the Delta table.
pub(crate) fn stored_name(table: Table, column: &Column) -> &'static str {
    let mut renamed = RENAMED.iter();
    let found = renamed.find(|(of, name, _)| *of == table && *name == column.name);
    found.map_or(column.name, |(_, _, stored)| stored)
}

/// The type of a column in the Delta table, which has no unsigned integers.
pub(crate) fn stored_type(column_type: ColumnType) -> DataType {
    match column_type {
        ColumnType::Bool => DataType::Boolean,
        ColumnType::U8 | ColumnType::U16 | ColumnType::U32 | ColumnType::I64 => DataType::Int64,
        // Addresses and arguments of 64-bit targets do not fit into a signed integer.
        ColumnType::U64 => DataType::Decimal128(20, 0),
        ColumnType::F64 => DataType::Float64,
        ColumnType::Dictionary | ColumnType::Text => DataType::Utf8,
    }
}

/// The columns of a table's files: first the tags, then those of the table.
pub(crate) fn file_schema(table: Table, tags: &BTreeSet<String>) -> SchemaRef {
    let tags = tags.iter().map(|tag| Field::new(tag, DataType::Utf8, true));
    let columns = table.columns().iter().map(|column| {
        let data_type = stored_type(column.column_type);
        Field::new(stored_name(table, column), data_type, true)
    });
    let provenance = PROVENANCE
        .into_iter()
        .filter(|_| table == Table::Recordings)
        .map(|(name, data_type)| Field::new(name, data_type, true));
    Arc::new(Schema::new(
        tags.chain(columns).chain(provenance).collect::<Vec<_>>(),
    ))
}

/// All columns of the Delta table, without those of partitions, each once.
pub(crate) fn data_fields(tags: &BTreeSet<String>) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    let mut names = BTreeSet::new();
    for table in Table::ALL {
        for field in file_schema(*table, tags).fields() {
            if names.insert(field.name().clone()) {
                fields.push(field.as_ref().clone());
            }
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_column_has_the_same_type_in_all_tables() {
        let mut types = HashMap::new();
        for table in Table::ALL {
            for field in file_schema(*table, &BTreeSet::from([DEVICE.to_owned()])).fields() {
                let known = types
                    .entry(field.name().clone())
                    .or_insert_with(|| field.data_type().clone());
                assert_eq!(known, field.data_type(), "{table}.{}", field.name());
            }
        }
    }

    #[test]
    fn no_column_has_the_name_of_a_partition_or_another_case_of_it() {
        let fields = data_fields(&BTreeSet::from([DEVICE.to_owned()]));
        let names: BTreeSet<_> = fields.iter().map(|it| it.name().to_lowercase()).collect();
        assert_eq!(names.len(), fields.len());
        assert!(
            PARTITIONS
                .iter()
                .all(|partition| !names.contains(*partition))
        );
    }

    #[test]
    fn renamed_columns_exist() {
        for (table, name, _) in RENAMED {
            assert!(table.column_index(name).is_some(), "{table}.{name}");
        }
    }
}
