//! Tables as Arrow schemas and record batches.

mod batches;
mod dictionary;
mod merge;
mod partition_columns;
mod schema;

pub use batches::TableBatches;
pub(crate) use merge::DictionaryMerger;
pub(crate) use partition_columns::PartitionColumns;
pub use schema::{data_type, field, schema};
