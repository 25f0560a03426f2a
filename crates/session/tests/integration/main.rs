//! Compares every JSON response with a straightforward evaluation of the trace and its
//! schedule.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod active;
mod comparison;
mod cpu_load;
mod curves;
mod details;
mod diagrams;
mod errors;
mod intervals;
mod messages;
mod overview;
mod plots;
mod reports;
mod rows;
mod searches;
mod steps;
mod switches;
mod test_case;
