//! Recorders for the hooks that kernels call.
//!
//! A [`KernelObserver`] receives the calls of a kernel's hooks. [`SwitchObserver`] writes
//! them to a context-switch log, [`StreamObserver`] to a compact stream, [`EventObserver`]
//! to a ThreadX trace. The macros connect a `static` observer to a kernel:
//!
//! - `rtos_trace!` (feature `rtos-trace`) defines the functions that the crate
//!   `rtos-trace` calls, which several kernels and executors use. It needs the minimum
//!   Rust version of that crate.
//! - [`embassy_trace!`](crate::embassy_trace) defines the functions that
//!   `embassy-executor` calls if built with its feature `trace`. It needs no feature,
//!   because it uses nothing of that crate.
//!
//! An observer serves one core.

mod embassy;
mod event_observer;
#[cfg(feature = "rtos-trace")]
mod rtos;
mod stream_observer;
mod switch_observer;
mod task_names;

pub use event_observer::{EventObserver, MARKER, MARKER_BEGIN, MARKER_END};
#[cfg(feature = "rtos-trace")]
pub use rtos_trace;
pub use stream_observer::StreamObserver;
pub use switch_observer::SwitchObserver;

/// Receives a kernel's actions. The kernel's numbers identify tasks and executors; mostly
/// these are addresses.
pub trait KernelObserver {
    /// A task was created or named.
    fn task_new(&self, task: u32, name: Option<&'static str>);

    /// A task has terminated.
    fn task_terminated(&self, task: u32);

    /// A task is ready.
    fn task_ready(&self, task: u32);

    /// A task is blocked.
    fn task_blocked(&self, task: u32);

    /// A task starts running.
    fn task_exec_begin(&self, task: u32);

    /// The running task returns to the kernel.
    fn task_exec_end(&self);

    /// An executor starts to poll its tasks. If another one was polling, this one
    /// interrupts it.
    fn poll_begin(&self, executor: u32);

    /// An executor has no more tasks to run. The interrupted executor continues; without
    /// one, the core is idle.
    fn poll_end(&self, executor: u32);

    /// The core is idle.
    fn system_idle(&self);

    /// An interrupt handler begins.
    fn isr_enter(&self);

    /// An interrupt handler ends.
    fn isr_exit(&self);

    /// A marker of the application.
    fn marker(&self, number: u32);

    /// A section begins; its number is defined by the application.
    fn marker_begin(&self, number: u32);

    /// The section ends.
    fn marker_end(&self, number: u32);
}
