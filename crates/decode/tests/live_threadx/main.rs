//! Trace buffers of a running target, stitched.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod clocks;
mod damage;
mod hostile;
mod listener;
mod names;
mod real;
mod restarts;
mod resumed;
mod stitching;
mod target;
