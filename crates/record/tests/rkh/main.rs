//! Compares the recorder of RKH streams with the format, its decoder and streams of RKH
//! itself.
#![allow(clippy::unwrap_used, reason = "a test may fail")]
#![allow(clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]
#![allow(clippy::incompatible_msrv, reason = "tests run on the host only")]

mod filters;
mod interrupts;
mod losses;
mod observed;
mod record;
mod records;
mod setups;
mod streams;
