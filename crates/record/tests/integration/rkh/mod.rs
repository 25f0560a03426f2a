//! Compares the recorder of RKH streams with the format, its decoder and streams of RKH
//! itself.

mod filters;
mod interrupts;
mod losses;
mod messages;
mod observed;
mod record;
mod records;
mod setups;
mod streams;
