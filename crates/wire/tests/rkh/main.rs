//! Properties of the RKH codec, and streams of real targets.
//!
//! The streams are outside the repository and are tested if present. Each has a reference
//! decoding.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod properties;
mod streams;
