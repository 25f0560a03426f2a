//! Runs the program on real recordings.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test may fail")]

mod compact;
mod ingest;
mod object_store;
mod processes;
mod query;
mod support;
