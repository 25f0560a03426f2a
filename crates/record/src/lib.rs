//! Recorders for the target: what `rtoscope` reads, written where it happens.
//!
//! Three recorders, each a `static` that is used through a shared reference
//! from threads and interrupts alike:
//!
//! - [`threadx`]: the ThreadX event trace buffer (TXTB),
//! - [`rkh`]: the framed byte stream of RKH's trace facility,
//! - [`cswitch`]: the context-switch log.
//!
//! `no_std`, no allocation, no panic. What a recorder needs of the machine, a
//! way to keep interrupts away and a counter, is a [`port`]. Rust 1.63 or
//! newer; C programs use `rtoscope-record-c`.
#![cfg_attr(not(any(test, loom)), no_std)]

pub mod cswitch;
pub mod hooks;
pub mod port;
pub mod rkh;
pub mod threadx;

mod name;

pub use cswitch::ByteSink;
pub use name::Name;
