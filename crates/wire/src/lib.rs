//! The trace formats of real-time operating systems, exactly as they lie in a
//! target's memory or travel on its line.
//!
//! `no_std`, no allocation, no panics: every function reads or writes a slice
//! that the caller owns and reports what does not fit as a [`WireError`].
//! Meaning (what an event says about a scheduler) is not here but in
//! `rtoscope-decode`.
//!
//! Target recorders use it too, with the compilers of their firmware: without
//! default features it builds with Rust 1.63. The feature `error` (default)
//! implements `core::error::Error` for the error types and needs Rust 1.81.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod cswitch;
pub mod rkh;
pub mod threadx;

mod error_messages;
mod word;

pub use word::{ByteOrder, Word};

/// A slice is too short for a structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireError {
    /// The structure is longer than the slice.
    TooShort {
        /// The structure to read or write.
        what: &'static str,
        /// Length of the structure in bytes.
        needed: usize,
        /// Length of the slice in bytes.
        available: usize,
    },
}

crate::error_messages::messages! {
    WireError {
        TooShort { what, needed, available } =>
            "{what} takes {needed} bytes, but only {available} are there",
    }
}
