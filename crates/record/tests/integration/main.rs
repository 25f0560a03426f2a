//! The recorders, compared with models, readers and real recordings.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]
#![allow(clippy::incompatible_msrv, reason = "tests run on the host only")]

#[cfg(not(loom))]
mod black_box;
#[cfg(not(loom))]
mod cswitch;
#[cfg(not(loom))]
mod cswitch_hooks;
#[cfg(loom)]
mod loom_cswitch;
#[cfg(not(loom))]
mod rkh;
#[cfg(not(loom))]
mod threadx;
