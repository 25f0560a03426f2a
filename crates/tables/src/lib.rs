//! What a trace tells, as tables: the same by the same names in SQL, Parquet,
//! Arrow, CSV and JSON lines.
//!
//! A [`Table`] says what its columns are; its [`Rows`] are made in batches, and
//! of a batch only the columns that are wanted. Columns that a trace has as they
//! are stay where they lie.

#![forbid(unsafe_code)]

mod column;
mod rows;
mod scene;
mod source;
mod table;
mod texts;
mod values;

pub use column::{Column, Kind};
pub use rows::Rows;
pub use source::Source;
pub use table::Table;
pub use texts::Texts;
pub use values::{Data, Values};
