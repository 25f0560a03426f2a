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
