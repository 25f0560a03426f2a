#![doc = include_str!("../README.md")]

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
