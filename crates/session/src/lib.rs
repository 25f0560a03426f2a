//! Opens traces and answers the viewer's queries.
//!
//! This crate does no I/O: a [`Session`] is opened from bytes, answers a [`Query`]
//! and applies a [`Command`]. The transport is up to the caller: HTTP, a worker in the
//! browser, or a test.

#![forbid(unsafe_code)]

mod axis;
mod cache;
mod command;
mod details;
mod diagrams;
mod dispatch;
mod event_index;
mod graph;
pub mod lanes;
mod machines;
mod names;
mod overview;
mod posts;
pub mod query;
mod report;
pub mod response;
mod rows;
mod search;
mod session;
mod step;
mod truncate;
#[cfg(test)]
mod wire;

pub use command::{Overrides, RecordingPart};
pub use query::{Command, Query};
pub use session::{QueryError, QueryResponse, Session};
