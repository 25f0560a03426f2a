//! Properties of the RKH codec, and streams of real targets.
//!
//! The streams are outside the repository and are tested if present. Each has a reference
//! decoding.

mod properties;
mod streams;
