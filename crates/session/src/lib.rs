//! Opens traces and answers the questions of a viewer.
//!
//! Nothing here does I/O: a [`Session`] is made of bytes, a [`Query`] asks it,
//! a [`Command`] changes it, and whoever carries them (HTTP, a worker in the
//! browser, a test) uses these two doors.

#![forbid(unsafe_code)]

mod caches;
mod details;
mod diagrams;
mod dispatch;
mod events_by_context;
mod graph;
pub mod lanes;
mod lru;
mod machines;
mod names;
mod overrides;
mod overview;
mod pixels;
mod place;
mod posts;
pub mod query;
mod references;
mod report;
pub mod response;
mod rows;
mod scan;
mod search;
mod session;
mod step;
mod tell;
mod truncate;
#[cfg(test)]
mod wire;

pub use overrides::{Overrides, RecordingPart};
pub use query::{Command, Query};
pub use session::{QueryError, QueryResponse, Session};
