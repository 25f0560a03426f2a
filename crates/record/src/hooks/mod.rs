//! Recorders behind the hooks that kernels call by themselves.
//!
//! An [`KernelObserver`] is told what a kernel's hooks tell. [`SwitchObserver`]
//! makes entries of a context-switch log of it, [`EventObserver`] events of a
//! ThreadX trace. The macros connect a `static` observer with a kernel:
//!
//! - `rtos_trace!` (feature `rtos-trace`) defines what the
//!   crate `rtos-trace` calls, which several kernels and executors do. As new a
//!   compiler as that crate asks for.
//! - [`embassy_trace!`](crate::embassy_trace) defines what `embassy-executor`
//!   calls if built with its feature `trace`. Needs no feature, as nothing of
//!   that crate is used.
//!
//! An observer is for one core.

mod embassy;
mod event_observer;
#[cfg(feature = "rtos-trace")]
mod rtos;
mod switch_observer;
mod task_names;

pub use event_observer::{EventObserver, MARKER, MARKER_BEGIN, MARKER_END};
#[cfg(feature = "rtos-trace")]
pub use rtos_trace;
pub use switch_observer::SwitchObserver;

/// Something that is told what a kernel does. Tasks and executors are known by
/// the number that the kernel gives them, mostly an address.
pub trait KernelObserver {
    /// There is a new task, or a task has got a name.
    fn task_new(&self, task: u32, name: Option<&'static str>);

    /// A task has ended.
    fn task_terminated(&self, task: u32);

    /// A task can run from now on.
    fn task_ready(&self, task: u32);

    /// A task cannot run any more.
    fn task_blocked(&self, task: u32);

    /// A task gets the processor.
    fn task_exec_begin(&self, task: u32);

    /// The task that has the processor gives it back to the kernel.
    fn task_exec_end(&self);

    /// An executor begins to look for tasks. If one was doing so already, this
    /// one interrupts it.
    fn poll_begin(&self, executor: u32);

    /// An executor has found no more tasks. What it interrupted goes on; if
    /// there was nothing, the processor is idle.
    fn poll_end(&self, executor: u32);

    /// Nothing is left to do.
    fn system_idle(&self);

    /// An interrupt has come.
    fn isr_enter(&self);

    /// An interrupt ends.
    fn isr_exit(&self);

    /// The application marks a moment.
    fn marker(&self, number: u32);

    /// Something begins that the application names by a number.
    fn marker_begin(&self, number: u32);

    /// It ends.
    fn marker_end(&self, number: u32);
}
