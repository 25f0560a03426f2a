//! Opens traces and answers the viewer's queries.
//!
//! This crate does no I/O: a [`Session`] is opened from bytes, answers a [`Query`]
//! and applies a [`Command`]. The transport is up to the caller: HTTP, a worker in the
//! browser, or a test.
//!
//! The modules form layers. At the bottom are data that know no session: queries and
//! responses, axes, indexes, caches and lanes. The session holds them. Above it, each
//! module answers some queries. Dispatch of queries and commands is on top.

#![forbid(unsafe_code)]

mod axis;
mod bookmarks;
mod cache;
mod command;
mod comparison;
mod cpu_load;
mod critical_path;
mod details;
mod diagrams;
mod dispatch;
mod error;
mod graph;
mod identity;
mod index;
mod intervals;
mod lane_content;
mod lane_looks;
pub mod lanes;
mod messages;
mod names;
mod notes;
mod object_references;
mod overview;
mod parameters;
mod plot;
mod positions;
mod posts;
pub mod query;
mod query_response;
mod raw_events;
mod report;
pub mod response;
mod rows;
mod scan;
mod search;
mod session;
mod step;
mod truncate;
#[cfg(test)]
mod wire;

pub use command::Overrides;
pub use error::QueryError;
pub use identity::RecordingIds;
pub use notes::Notes;
pub use query::{Command, Query};
pub use query_response::QueryResponse;
pub use session::{RecordingPart, Session};
