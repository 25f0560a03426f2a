//! Fuzz targets, and what they share: inputs that resemble what a decoder expects, and a
//! walk over everything that it decodes.
//!
//! `cargo xtask fuzz TARGET` runs one with libFuzzer. `cargo test` runs all once over their
//! seeds, with any toolchain.
#![allow(
    clippy::unwrap_used,
    unsafe_code,
    reason = "a target may fail, and shares the code of the recorders' tests"
)]

mod buffer;
mod exports;
mod packet_stream;
mod queries;
mod reports;
mod targets;
mod text;
mod walk;

pub use targets::{FuzzTarget, TARGETS};

use buffer::Recipe;
use exports::export_everything;
use queries::{query_everything, run_json};
use reports::{TracePart, report_everything};
use text::{Format, forced};
use walk::{decode_everything, same_in_both_orders};
