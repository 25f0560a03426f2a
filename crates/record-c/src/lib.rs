//! The C interface of rtoscope's recorders, `include/rtoscope.h`, as a static library.
//!
//! It contains one ThreadX event trace and one RKH stream for the program, and a
//! context-switch log for each core. While a recorder writes, it disables the interrupts
//! of the own core: through `PRIMASK` on Cortex-M, `CPSR` on Cortex-A and Cortex-R, `mstatus`
//! on RISC-V, and `Status` on MIPS. On an operating system, as in simulations, a spinlock
//! excludes other threads.
//!
//! The header states the requirements of each function: logs must be initialised;
//! pointers must be valid, or NULL where the function allows it.
#![no_std]
#![allow(non_camel_case_types, clippy::missing_safety_doc)]

#[cfg(not(target_os = "none"))]
extern crate std;

pub mod black_box;
pub mod call_stack;
pub mod counter;
pub mod cswitch;
pub mod host;
pub mod rkh;
pub mod save;
pub mod threadx;

mod c;
mod core_log;
mod mask;
#[cfg(target_os = "none")]
mod panic;
