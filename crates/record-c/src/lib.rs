//! The C interface of rtoscope's recorders, `include/rtoscope.h`, as a static
//! library.
//!
//! One ThreadX event trace and one RKH stream for the program, and a
//! context-switch log for each core. The interrupts of the own core are kept
//! away by `PRIMASK` on Arm and by `mstatus` on RISC-V; on other machines, as
//! in simulations, a spinning lock keeps other threads away.
//!
//! What a function asks of its caller stands in the header: logs are
//! initialised, pointers are NULL where that is allowed or else valid.
#![no_std]
#![allow(non_camel_case_types, clippy::missing_safety_doc)]

#[cfg(not(target_os = "none"))]
extern crate std;

pub mod counter;
pub mod cswitch;
pub mod rkh;
pub mod save;
pub mod threadx;

mod c;
mod core_log;
mod mask;
#[cfg(target_os = "none")]
mod panic;
