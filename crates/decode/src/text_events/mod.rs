//! Decodes texts with an event per line: CSV with a row of names, and JSON lines.
//!
//! ```text
//! lines ──csv_rows, json_rows──▶ Row (values by column) ──reader──▶ EventMapper (tables) ──▶ trace
//! ```
//!
//! A column has the time, one the name of the event, and the others its fields. What they mean is in
//! the [tables](crate::mapping) that CTF has, too: the one for the documented form of such files, and
//! those of the user for any other.

mod csv_rows;
mod file_info;
mod format;
mod json_rows;
mod probe;
mod reader;
mod row;

pub use format::FORMAT;

use crate::DecodeError;

/// The error for a text without an event.
fn no_event(bytes: usize, problem: Option<&str>) -> DecodeError {
    FORMAT.no_event(bytes as u64, problem.unwrap_or("no line is an event"))
}
