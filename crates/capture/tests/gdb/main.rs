//! Traces in the memory of targets: with a scripted stub, and with a board in QEMU.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod board;
mod buffer;
mod find;
mod follow;
mod hostile;
mod qemu;
mod stub;
mod watched_source;
