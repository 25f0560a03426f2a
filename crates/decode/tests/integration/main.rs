//! Containers and the decoders of all formats.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod containers;
mod cswitch;
mod detection;
mod firmware;
mod golden;
mod live_threadx;
mod rkh;
mod threadx_call_stacks;
mod untrusted_dumps;
