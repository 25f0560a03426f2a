//! Traces in the memory of targets: of a stub that a test scripts, and of a
//! board in QEMU.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod board;
mod buffer;
mod find;
mod follow;
mod hostile;
mod qemu;
mod stub;
mod watched_source;
