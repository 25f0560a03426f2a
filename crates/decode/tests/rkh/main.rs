//! Streams of RKH against independent decodings of them.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod configurations;
mod guesses;
mod hostile;
mod live;
mod live_breaks;
mod live_whole;
mod meanings;
mod names;
mod old;
mod properties;
mod reference;
mod streams;
