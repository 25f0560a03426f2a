//! Sources, against those who send.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

#[path = "sources/file.rs"]
mod file;
#[path = "sources/heard.rs"]
mod heard;
#[path = "sources/listen.rs"]
mod listen;
#[cfg(unix)]
#[path = "sources/serial.rs"]
mod serial;
#[path = "sources/stdin.rs"]
mod stdin;
#[path = "sources/tcp.rs"]
mod tcp;
