//! The codecs of the formats.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod rkh;
mod threadx;
mod threadx_packet;
