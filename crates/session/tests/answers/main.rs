//! Every answer in JSON, compared with what a straightforward look at the trace
//! and its schedule finds.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod active;
mod agreement;
mod case;
mod curves;
mod details;
mod diagrams;
mod overview;
mod refusals;
mod reports;
mod rows;
mod searches;
mod steps;
mod switches;
