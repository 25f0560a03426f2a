//! The recorder of RKH streams against the format, its decoder and streams of
//! RKH itself.
#![allow(clippy::unwrap_used, reason = "a test may fail")]
#![allow(clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]
#![allow(clippy::incompatible_msrv, reason = "tests run on the host only")]

#[path = "rkh/filters.rs"]
mod filters;
#[path = "rkh/interrupts.rs"]
mod interrupts;
#[path = "rkh/losses.rs"]
mod losses;
#[path = "rkh/observed.rs"]
mod observed;
#[path = "rkh/record.rs"]
mod record;
#[path = "rkh/records.rs"]
mod records;
#[path = "rkh/setups.rs"]
mod setups;
#[path = "rkh/streams.rs"]
mod streams;
