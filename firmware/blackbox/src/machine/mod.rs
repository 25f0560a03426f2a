//! The machine: its counter, its mask, and the handler of a fault, which freezes the
//! recordings and resets the chip.

#[cfg(target_arch = "arm")]
mod cortex_m;
#[cfg(target_arch = "riscv32")]
mod riscv;

#[cfg(target_arch = "arm")]
pub(crate) use cortex_m::{COUNTER, FREQUENCY, Mask, crash};
#[cfg(target_arch = "riscv32")]
pub(crate) use riscv::{COUNTER, FREQUENCY, Mask, crash};
