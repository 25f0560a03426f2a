//! Tables as Arrow's schemas and record batches.

mod batches;
mod dictionary;
mod labels;
mod lend;
mod merge;
mod schema;

pub use batches::Batches;
pub(crate) use labels::Labels;
pub(crate) use merge::DictionaryMerger;
pub use schema::{data_type, field, schema};
