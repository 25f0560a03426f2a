//! What a trace tells, as tables: the same by the same names in SQL, Parquet,
//! Arrow, CSV and JSON lines.
//!
//! A [`Table`] says what its columns are; its [`TableRows`] are made in batches, and
//! of a batch only the columns that are wanted. Columns that a trace has as they
//! are stay where they lie.

#![forbid(unsafe_code)]

mod column;
mod row_context;
mod rows;
mod source;
mod string_table;
mod table;
mod values;

pub use column::{Column, Kind};
pub use rows::TableRows;
pub use source::TableSource;
pub use string_table::StringTable;
pub use table::Table;
pub use values::{ColumnData, ColumnValues};
