//! The interface between the kernel and the processor.

#[cfg_attr(target_arch = "arm", path = "cortex_m.rs")]
#[cfg_attr(target_arch = "riscv32", path = "riscv.rs")]
mod current;

pub use current::{address_here, start_tick};
pub(crate) use current::{
    disable_interrupts, interrupted_address, pend_switch, prepare, restore_interrupts,
    resumption_address, start, wait,
};

/// Number of words that a thread's stack needs in addition to those of the thread itself.
pub(crate) const FRAME: usize = 32;

/// Whether interrupts were already off.
#[derive(Clone, Copy)]
pub(crate) struct InterruptState(pub(crate) bool);
