//! The code from reset to `main`: the vector table, the startup code, and the handler of
//! unexpected exceptions.
//!
//! A program defines `extern "C" fn main() -> !` and the handlers that it needs, with
//! their names in the linker script. It links with `-Tcortex_m.ld` or `-Triscv.ld`.
#![no_std]

#[cfg(target_arch = "arm")]
mod cortex_m;
#[cfg(target_arch = "riscv32")]
mod riscv;
