//! Diagrams of handmade traces and of recordings.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;
mod machine;
mod names;
mod recordings;
mod sequence;
