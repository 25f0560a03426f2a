//! Encodings of the columns of a table.

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::Result;
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::{DEFAULT_DATA_PAGE_ROW_COUNT_LIMIT, EnabledStatistics};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;
use rtoscope_tables::{Column, ColumnType, Table};

/// The level of Zstandard: a file of level 1 is a sixth larger, and level 9 takes a fifth
/// longer to save another twentieth.
const ZSTD_LEVEL: i32 = 6;

/// Bytes of distinct texts in a row group, beyond which texts are written as they are.
const MAX_TEXT_DICTIONARY_BYTES: usize = 16 << 20;

/// The writer properties for a table; `ascending` is the column that its rows are sorted by,
/// if any, and `rows` their number, if it is known.
pub(super) fn properties(
    table: Table,
    ascending: Option<usize>,
    rows: Option<usize>,
) -> Result<WriterProperties> {
    let sorted = ascending.and_then(|column| i32::try_from(column).ok());
    let sorted = sorted.map(|column_idx| {
        vec![SortingColumn {
            column_idx,
            descending: false,
            nulls_first: false,
        }]
    });
    // The only page of a column has the statistics of its row group.
    let has_one_page = rows.is_some_and(|rows| rows <= DEFAULT_DATA_PAGE_ROW_COUNT_LIMIT);
    let properties = WriterProperties::builder()
        .set_created_by(concat!("rtoscope version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(has_one_page)
        .set_sorting_columns(sorted);
    let columns = table.columns().iter();
    let properties = columns.fold(properties, |properties, column| {
        set_column(properties, column, has_one_page)
    });
    Ok(properties.build())
}

fn set_column(
    properties: WriterPropertiesBuilder,
    column: &Column,
    has_one_page: bool,
) -> WriterPropertiesBuilder {
    let path = || ColumnPath::from(column.name);
    if is_delta_encoded(column) {
        let statistics = match has_one_page {
            true => EnabledStatistics::Chunk,
            false => EnabledStatistics::Page,
        };
        return properties
            .set_column_dictionary_enabled(path(), false)
            .set_column_encoding(path(), Encoding::DELTA_BINARY_PACKED)
            .set_column_statistics_enabled(path(), statistics);
    }
    match column.column_type {
        // Most texts repeat, but there can be many.
        ColumnType::Text => {
            properties.set_column_dictionary_page_size_limit(path(), MAX_TEXT_DICTIONARY_BYTES)
        }
        // They find the row groups of a recording in files that hold several.
        _ if matches!(column.name, "file" | "recording_id") => {
            properties.set_column_statistics_enabled(path(), EnabledStatistics::Chunk)
        }
        // Bounds of other columns exclude hardly any row group: names, numbers of contexts
        // and priorities occur everywhere.
        _ => properties,
    }
}

/// Whether the values are close to those in the previous rows and seldom repeat: times,
/// durations, timestamps, event numbers and numbers of activations. A dictionary would not
/// save space. Filters by range use them.
fn is_delta_encoded(column: &Column) -> bool {
    let is_long = matches!(column.column_type, ColumnType::U64 | ColumnType::I64);
    let counts_time = matches!(column.unit, Some("ticks" | "ns")) || column.name == "timestamp";
    let is_activation = column.column_type == ColumnType::U32 && column.name == "isr_id";
    is_activation || is_long && (counts_time || column.name.ends_with("event"))
}
