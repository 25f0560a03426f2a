//! Sources and capturing.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod capture;
mod drain;
mod gdb;
mod sources;
