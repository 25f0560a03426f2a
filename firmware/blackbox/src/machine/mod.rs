//! The machine: its counter, its mask, and the handler of a fault, which freezes the
//! recordings and resets the chip.

#[cfg_attr(target_arch = "arm", path = "cortex_m.rs")]
#[cfg_attr(target_arch = "riscv32", path = "riscv.rs")]
mod current;

pub(crate) use current::{COUNTER, FREQUENCY, Mask, crash};
