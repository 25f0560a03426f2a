//! Recordings on disk.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

#[path = "recording/common.rs"]
mod common;
#[path = "recording/damage.rs"]
mod damage;
#[path = "recording/disk.rs"]
mod disk;
#[path = "recording/properties.rs"]
mod properties;
#[path = "recording/segments.rs"]
mod segments;
#[path = "recording/written.rs"]
mod written;
