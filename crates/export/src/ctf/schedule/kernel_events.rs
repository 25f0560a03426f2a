//! The timeline's changes as events of the Linux kernel tracer.

use rtoscope_analysis::View;
use rtoscope_analysis::report::CpuContext;
use rtoscope_analysis::schedule::IsrActivationId;
use rtoscope_analysis::timeline::{Change, Changes, PriorityStep, cores, wake_target};
use rtoscope_trace::{ContextId, Ticks};
use std::io;

/// An event of the kernel tracer on a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KernelEvent {
    /// A blocked thread becomes ready.
    Wake {
        thread: ContextId,
        /// The core on which it will run.
        target: u8,
    },
    /// The priority of a thread changes.
    Priority(PriorityStep),
    /// A part of an interrupt starts.
    Enter(Handler),
    /// It ends.
    Exit(Handler),
    /// The core switches, ignoring interrupts.
    Switch {
        before: CpuContext,
        next: CpuContext,
    },
}

/// The running part of an interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Handler {
    /// An interrupt service routine, and the number that the application gave it.
    Routine(IsrActivationId, Option<u32>),
    /// An interrupt, or the scheduler after it, outside the routines.
    Kernel,
}

/// Passes all events to `visit`, with their times and cores.
pub(super) fn visit_kernel_events(
    view: &View<'_>,
    priorities: Vec<PriorityStep>,
    mut visit: impl FnMut(Ticks, u8, KernelEvent) -> io::Result<()>,
) -> io::Result<()> {
    let contexts = cores(view).map(|core| (core, CoreContext::default()));
    let mut contexts: Vec<_> = contexts.collect();
    for (time, change) in Changes::new(view, priorities) {
        match change {
            Change::State(change) => {
                if let Some(wake_up) = change.wake_up {
                    let core = view.trace.events.core(wake_up.cause());
                    let core = core.unwrap_or_default();
                    let (thread, target) = (wake_up.thread, wake_target(view, &wake_up));
                    let target = target.unwrap_or(core);
                    visit(time, core, KernelEvent::Wake { thread, target })?;
                }
            }
            Change::Priority(step) => visit(time, step.core, KernelEvent::Priority(step))?,
            Change::Interrupt {
                id,
                routine,
                is_start,
            } => {
                let handler = Handler::Routine(id, routine.number);
                let event = match is_start {
                    true => KernelEvent::Enter(handler),
                    false => KernelEvent::Exit(handler),
                };
                visit(time, routine.core, event)?;
            }
            Change::Core { place, runs, .. } => {
                if let Some((core, context)) = contexts.get_mut(place) {
                    for event in context.switch(runs).into_iter().flatten() {
                        visit(time, *core, event)?;
                    }
                }
            }
        }
    }
    // Readers count the last slice only if there is a switch after it.
    for (core, mut context) in contexts {
        for event in context.switch(CpuContext::Unknown).into_iter().flatten() {
            visit(view.trace.events.span(), core, event)?;
        }
    }
    Ok(())
}

/// What a core runs outside interrupt service routines.
#[derive(Debug, Clone, Copy)]
struct CoreContext {
    base: CpuContext,
    in_kernel: bool,
}

impl Default for CoreContext {
    fn default() -> Self {
        Self {
            base: CpuContext::Unknown,
            in_kernel: false,
        }
    }
}

impl CoreContext {
    /// The core runs something else.
    fn switch(&mut self, next: CpuContext) -> [Option<KernelEvent>; 2] {
        let left = std::mem::take(&mut self.in_kernel);
        let left = left.then_some(KernelEvent::Exit(Handler::Kernel));
        let started = match next {
            CpuContext::Kernel => {
                self.in_kernel = true;
                Some(KernelEvent::Enter(Handler::Kernel))
            }
            CpuContext::Isr(_) => None,
            _ if next == self.base => None,
            _ => {
                let before = std::mem::replace(&mut self.base, next);
                Some(KernelEvent::Switch { before, next })
            }
        };
        [left, started]
    }
}
