//! What the fuzz targets share: inputs that look like what a decoder expects,
//! and a walk over everything that it made of them.
//!
//! A target runs with libFuzzer (`cargo +nightly fuzz run open`), and on any
//! toolchain over given files:
//! `cargo run --manifest-path fuzz/Cargo.toml --bin open -- fuzz/seeds/open/*`.

mod buffer;
mod exports;
mod questions;
mod reports;
mod text;
mod walk;

pub use buffer::Recipe;
pub use exports::export_everything;
pub use questions::{ask, ask_everything};
pub use reports::{Part, report_everything};
pub use text::{Format, forced};
pub use walk::{decode_everything, same_in_both_orders};
