//! Shared code of the fuzz targets: inputs that resemble what a decoder expects, and a
//! walk over everything that it decodes.
//!
//! A target runs with libFuzzer (`cargo +nightly fuzz run open`), or with any toolchain
//! on given files:
//!
//! ```sh
//! cargo run --manifest-path fuzz/Cargo.toml --bin open -- fuzz/seeds/open/*
//! ```

mod buffer;
mod exports;
mod queries;
mod reports;
mod text;
mod walk;

pub use buffer::Recipe;
pub use exports::export_everything;
pub use queries::{query_everything, run_json};
pub use reports::{TracePart, report_everything};
pub use text::{Format, forced};
pub use walk::{decode_everything, same_in_both_orders};
