//! A small preemptive kernel that reports all its events to an [`Observer`], as a
//! realistic source for the recorders.
//!
//! It has one core, a fixed table of threads, each with its own stack, fixed priorities
//! (0 is the highest) and time slices among equals. It provides sleep, [`Semaphore`],
//! [`Mutex`] with priority inheritance, and [`Queue`]. Interrupts may nest, put
//! semaphores and send to queues. Where there is a choice, it behaves like ThreadX.
#![no_std]

mod arch;
mod event;
mod kernel;
mod mutex;
mod queue;
mod schedule;
mod semaphore;
mod shared;
mod thread;

pub use arch::{address_here, start_tick};
pub use event::{Event, Observer};
pub use kernel::Kernel;
pub use mutex::Mutex;
pub use queue::Queue;
pub use semaphore::Semaphore;
pub use shared::Shared;
pub use thread::{Stack, State, Thread};

/// Defines the handlers of a program with a kernel: the one that switches threads, and for each
/// symbol of an interrupt the number and the function.
#[macro_export]
macro_rules! handlers {
    ($kernel:ident: $($symbol:ident ($number:expr) => $handler:expr),* $(,)?) => {
        #[unsafe(no_mangle)]
        extern "C" fn kernel_switch(stack: *mut u32) -> *mut u32 {
            $kernel.switch(stack)
        }

        $(#[unsafe(no_mangle)]
        extern "C" fn $symbol() {
            $kernel.interrupt($number, $handler);
        })*
    };
}
