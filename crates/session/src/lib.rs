//! Opens traces and answers the questions of a viewer.
//!
//! Nothing here does I/O: a [`Session`] is made of bytes, a [`Query`] asks it,
//! a [`Command`] changes it, and whoever carries them (HTTP, a worker in the
//! browser, a test) uses these two doors.

#![forbid(unsafe_code)]

pub mod answer;
mod ask;
mod caches;
mod curve;
mod details;
mod diagrams;
pub mod lanes;
mod machines;
mod mention;
mod names;
mod overview;
mod pixels;
mod place;
mod postings;
mod posts;
pub mod query;
mod recent;
mod report;
mod rows;
mod scan;
mod search;
mod session;
mod short;
mod step;
mod tell;
mod told;
#[cfg(test)]
mod wire;

pub use query::{Command, Query};
pub use session::{Answer, AskError, Session};
pub use told::{Part, Told};
