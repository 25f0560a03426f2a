//! From recorded bytes to traces.
//!
//! ```text
//! Source ──input──┬─▶ container ──memory──┬─▶ scan ──header──▶ threadx ─┬─▶ Trace
//!                 │                       └─▶ cswitch ─────────────────┤
//!                 └─▶ rkh ─────────────────────────────────────────────┘
//! ```
//!
//! [`UnpackedInput::open`] unpacks an input and finds out what it holds: the stream of
//! RKH, or trace buffers of ThreadX or a context-switch log in memory of any
//! container.
//! [`UnpackedInput::decode`] makes it a [`DecodedRecording`] with its
//! [`Trace`](rtoscope_trace::Trace).

pub mod clock;
pub mod container;
pub mod cswitch;
pub mod live;
pub mod memory;
pub mod rkh;
pub mod source;
pub mod symbols;
pub mod threadx;

mod cache;
mod content;
mod error;
mod open;
mod parallel;
mod records;
mod scan;

pub use content::{
    DecodeOptions, DecodedRecording, EventInterpreter, Format, FormatInfo, RkhStreamBytes,
    UnpackedInput,
};
pub use error::DecodeError;
pub use open::{BufferChoice, BufferImage, open};
