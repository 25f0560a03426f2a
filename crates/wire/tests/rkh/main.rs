//! Properties of the RKH codec, and streams of real targets.
//!
//! The streams lie beside the repository, where they are present; each has a
//! reference decoding.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod properties;
mod streams;
