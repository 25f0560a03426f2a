//! Tables of real-time operating system traces for Arrow, Parquet and SQL: the
//! tables of [`rtoscope_tables`] as record batches, as files, and as input to
//! DataFusion.

pub mod arrow;
#[cfg(feature = "query")]
mod canned_queries;
#[cfg(feature = "query")]
mod dialects;
#[cfg(feature = "query")]
mod engine;
pub mod export;
#[cfg(feature = "query")]
mod fleet_report;
pub mod ipc;
pub mod parquet;
mod provenance;
#[cfg(feature = "query")]
pub mod query;
#[cfg(feature = "query")]
mod results;
#[cfg(feature = "query")]
pub mod serve;
#[cfg(feature = "query")]
mod shell;
mod ticks;

pub use rtoscope_analysis::AnalyzedRecording;
