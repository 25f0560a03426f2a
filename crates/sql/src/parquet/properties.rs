//! Encodings of the columns of a table.

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::Result;
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use rtoscope_tables::{Column, ColumnType, Table};

/// The writer properties for a table; `ascending` is the column that its rows
/// are sorted by, if any.
pub(super) fn properties(table: Table, ascending: Option<usize>) -> Result<WriterProperties> {
    let sorted = ascending.and_then(|column| i32::try_from(column).ok());
    let sorted = sorted.map(|column_idx| {
        vec![SortingColumn {
            column_idx,
            descending: false,
            nulls_first: false,
        }]
    });
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("rtoscope version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_sorting_columns(sorted);
    for column in table
        .columns()
        .iter()
        .filter(|column| is_delta_encoded(column))
    {
        let path = ColumnPath::from(column.name);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
    }
    for column in table.columns() {
        let path = || ColumnPath::from(column.name);
        // Long texts seldom repeat, and filters by range are rare.
        let is_text = column.column_type == ColumnType::Text;
        if is_text {
            properties = properties.set_column_dictionary_enabled(path(), false);
        }
        // In rows ordered by time, every name occurs in every row group, except
        // those of the recording itself.
        let is_of_recording = matches!(column.name, "file" | "recording_id");
        let is_everywhere =
            ascending.is_some() && column.column_type == ColumnType::Dictionary && !is_of_recording;
        if is_text || is_everywhere {
            properties = properties.set_column_statistics_enabled(path(), EnabledStatistics::None);
        }
    }
    Ok(properties.build())
}

/// Whether the values are close to those in the previous rows and seldom
/// repeat: times, durations, timestamps and event numbers. A dictionary would
/// not save space.
fn is_delta_encoded(column: &Column) -> bool {
    let is_long = matches!(column.column_type, ColumnType::U64 | ColumnType::I64);
    let counts_time = matches!(column.unit, Some("ticks" | "ns")) || column.name == "timestamp";
    is_long && (counts_time || column.name.ends_with("event"))
}
