//! From reset to `main`: the vector table, the first instructions, and what
//! happens to exceptions that nobody expects.
//!
//! A program gives `extern "C" fn main() -> !` and, by their names in the
//! linker script, the handlers that it needs. It links with `-Tcortex_m.ld` or
//! `-Triscv.ld`.
#![no_std]

#[cfg(target_arch = "arm")]
mod cortex_m;
#[cfg(target_arch = "riscv32")]
mod riscv;
