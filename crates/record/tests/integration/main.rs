//! The recorders, compared with models, readers and real recordings.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]
#![allow(clippy::incompatible_msrv, reason = "tests run on the host only")]

mod black_box;
mod cswitch;
mod cswitch_hooks;
mod preemption;
mod rkh;
mod stream;
mod stream_hooks;
mod threadx;
