//! What the record batches of several recordings need.

mod merge;
mod partition_columns;

pub(crate) use merge::DictionaryMerger;
pub(crate) use partition_columns::PartitionColumns;
pub use rtoscope_arrow::{TableBatches, TableStream, TextArrays, data_type, field, schema};
