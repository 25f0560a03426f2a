//! The interface between the kernel and the processor.

#[cfg(target_arch = "arm")]
mod cortex_m;
#[cfg(target_arch = "riscv32")]
mod riscv;

#[cfg(target_arch = "arm")]
pub use cortex_m::{address_here, start_tick};
#[cfg(target_arch = "arm")]
pub(crate) use cortex_m::{
    disable_interrupts, interrupted_address, pend_switch, prepare, restore_interrupts,
    resumption_address, start, wait,
};
#[cfg(target_arch = "riscv32")]
pub use riscv::{address_here, start_tick};
#[cfg(target_arch = "riscv32")]
pub(crate) use riscv::{
    disable_interrupts, interrupted_address, pend_switch, prepare, restore_interrupts,
    resumption_address, start, wait,
};

/// Number of words that a thread's stack needs in addition to those of the thread itself.
pub(crate) const FRAME: usize = 32;

/// Whether interrupts were already off.
#[derive(Clone, Copy)]
pub(crate) struct InterruptState(pub(crate) bool);
