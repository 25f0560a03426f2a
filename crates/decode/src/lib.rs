//! From recorded bytes to traces.
//!
//! ```text
//! Source ──input──▶ container ──memory──▶ scan ──header──▶ threadx ──▶ Trace
//! ```
//!
//! [`open()`] unpacks an input of any container and finds the trace buffers in
//! it, [`Opened::decode`] makes one of them a
//! [`Trace`](rtoscope_trace::Trace).

pub mod clock;
pub mod container;
pub mod memory;
pub mod source;
pub mod threadx;

mod error;
mod open;
mod parallel;
mod records;
mod scan;

pub use error::DecodeError;
pub use open::{Choice, Opened, open};
