//! Tables in files, and SQL queries.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;
mod ipc;
mod parquet;
mod query;
