//! Every answer in JSON, compared with what a straightforward look at the trace
//! and its schedule finds.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod case;
mod curves;
mod details;
mod overview;
mod refusals;
mod reports;
mod rows;
mod searches;
mod steps;
