#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod black_box;
pub mod btf;
pub mod cswitch;
pub mod percepio;
pub mod rkh;
pub mod systemview;
pub mod threadx;

mod error_messages;
mod word;

pub use cswitch::PointerSize;
pub use word::{ByteOrder, Word};

/// A slice is too short for a structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireError {
    /// The structure is longer than the slice.
    TooShort {
        /// The structure to read or write.
        structure: &'static str,
        /// Length of the structure in bytes.
        needed: usize,
        /// Length of the slice in bytes.
        available: usize,
    },
}

crate::error_messages::messages! {
    WireError {
        TooShort { structure, needed, available } =>
            "{structure} takes {needed} bytes, but only {available} are available",
    }
}
