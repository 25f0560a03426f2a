//! Every answer in JSON, compared with what a straightforward look at the trace
//! and its schedule finds.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod active;
mod agreement;
mod curves;
mod details;
mod diagrams;
mod errors;
mod overview;
mod reports;
mod rows;
mod searches;
mod steps;
mod switches;
mod test_case;
