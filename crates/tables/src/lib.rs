//! Traces as tables, with the same table and column names in SQL, Parquet,
//! Arrow, CSV and JSON lines.
//!
//! A [`Table`] describes its columns. [`TableRows`] computes its rows in
//! batches, and in each batch only the requested columns.

#![forbid(unsafe_code)]

mod column;
mod derivation;
mod distinct_texts;
mod row_context;
mod rows;
pub mod sql;
mod string_table;
mod table;
mod values;

pub use column::{Column, ColumnType};
pub use derivation::Derivation;
pub use rows::TableRows;
pub use string_table::StringTable;
pub use table::Table;
pub use values::{ColumnData, ColumnValues, ValidityBitmap};
