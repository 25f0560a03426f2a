//! Sources and their targets.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod file;
mod listen;
#[cfg(unix)]
mod serial;
mod stdin;
mod tcp;
mod test_source;
