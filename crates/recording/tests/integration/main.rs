//! Recordings on disk.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;
mod damage;
mod disk;
mod properties;
mod segments;
mod written;
