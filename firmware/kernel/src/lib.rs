//! A small preemptive kernel that tells an [`Observer`] everything it does, so
//! that recorders have something real to record.
//!
//! One core, as many threads as there are in a table, each with its stack;
//! fixed priorities (0 is the highest) and time slices among equals; sleeping;
//! [`Semaphore`], [`Mutex`] with priority inheritance, [`Queue`]. Interrupts
//! may nest and may put semaphores and send to queues. Where there is a choice
//! it does what ThreadX does.
#![no_std]

mod arch;
mod event;
mod kernel;
mod mutex;
mod queue;
mod schedule;
mod semaphore;
mod thread;

pub use arch::{address_here, start_tick};
pub use event::{Event, Observer};
pub use kernel::Kernel;
pub use mutex::Mutex;
pub use queue::Queue;
pub use semaphore::Semaphore;
pub use thread::{Stack, State, Thread};
