//! The tables of [`rtoscope_tables`] as Arrow record batches.

#![deny(unsafe_code)]

mod batches;
mod dictionary;
mod schema;
mod stream;

pub use batches::TableBatches;
pub use schema::{TextArrays, data_type, field, schema};
pub use stream::TableStream;
