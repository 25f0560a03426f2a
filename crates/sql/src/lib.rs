//! Event traces of real-time operating systems in the Arrow world: the tables
//! of [`rtoscope_tables`] as Arrow's record batches, in Parquet and Arrow files,
//! and in SQL.
//!
//! Batches share the memory of the recording that they were made of, an
//! `Arc<AnalyzedRecording>`, where its columns are Arrow's as they are.

pub mod arrow;
#[cfg(feature = "query")]
mod canned_queries;
pub mod export;
pub mod ipc;
mod parallel;
pub mod parquet;
mod provenance;
#[cfg(feature = "query")]
pub mod query;
#[cfg(all(test, feature = "query"))]
mod reference_docs;
#[cfg(feature = "query")]
mod script;
#[cfg(feature = "query")]
mod shell;
#[cfg(feature = "query")]
mod views;

pub use rtoscope_command::AnalyzedRecording;
