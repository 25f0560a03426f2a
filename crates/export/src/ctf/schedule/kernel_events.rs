//! The schedule's changes as events of the Linux kernel tracer.

use rtoscope_analysis::View;
use rtoscope_analysis::schedule::{
    ChangeKind, CoreSlices, IsrActivationId, Running, RunningContext, Schedule, ScheduleChange,
    WakeUp,
};
use rtoscope_analysis::timeline::PriorityStep;
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
    /// The part of an interrupt outside its routines ends.
    ExitKernel,
    /// An interrupt service routine starts.
    Enter(IsrActivationId),
    /// The interrupt service routine ends.
    Exit(IsrActivationId),
    /// An interrupt, or the scheduler after it, continues outside the routines.
    EnterKernel,
    /// The core switches, ignoring interrupts.
    Switch { before: Running, next: Running },
}

/// Passes all events to `visit`, with their times and cores. A change of priority
/// comes after the wake-ups of the same event, and before its other changes.
pub(super) fn visit_kernel_events(
    view: &View<'_>,
    priorities: Vec<PriorityStep>,
    mut visit: impl FnMut(Ticks, u8, KernelEvent) -> io::Result<()>,
) -> io::Result<()> {
    let schedule = view.schedule;
    let mut cores = vec![CoreContext::default(); schedule.cores.len()];
    let mut priorities = priorities.into_iter().peekable();
    for change in schedule.changes() {
        while let Some(step) = priorities.next_if(|step| precedes(step, &change)) {
            visit(step.time, step.core, KernelEvent::Priority(step))?;
        }
        match change.kind {
            ChangeKind::ThreadState { thread, interval } => {
                if let Some(wake_up) = schedule.wake_up_at(thread, interval as usize) {
                    let core = view.trace.events.core(wake_up.cause());
                    let core = core.unwrap_or_default();
                    let target = wake_target_core(schedule, &wake_up).unwrap_or(core);
                    visit(change.time, core, KernelEvent::Wake { thread, target })?;
                }
            }
            ChangeKind::IsrStart(id) | ChangeKind::IsrEnd(id) => {
                if let Some(activation) = schedule.activations.get(id.index()) {
                    let event = match change.kind {
                        ChangeKind::IsrStart(_) => KernelEvent::Enter(id),
                        _ => KernelEvent::Exit(id),
                    };
                    visit(change.time, activation.core, event)?;
                }
            }
            ChangeKind::Slice { core_index, slice } => {
                let core_index = core_index as usize;
                if let (Some(slices), Some(core)) =
                    (schedule.cores.get(core_index), cores.get_mut(core_index))
                    && let Some(slice) = slices.slices.get(slice as usize)
                {
                    for event in core.switch(slice.running).into_iter().flatten() {
                        visit(change.time, slices.core, event)?;
                    }
                }
            }
        }
    }
    for step in priorities {
        visit(step.time, step.core, KernelEvent::Priority(step))?;
    }
    // Readers count the last slice only if there is a switch after it.
    for (slices, core) in schedule.cores.iter().zip(&mut cores) {
        for event in core.switch(Running::UNKNOWN).into_iter().flatten() {
            visit(slices.end, slices.core, event)?;
        }
    }
    Ok(())
}

/// Whether a change of priority comes before a change of the schedule.
fn precedes(step: &PriorityStep, change: &ScheduleChange) -> bool {
    let (step, changed) = ((step.time, step.event), (change.time, change.event));
    let is_thread_state = matches!(change.kind, ChangeKind::ThreadState { .. });
    step < changed || step == changed && !is_thread_state
}

/// The core on which a woken thread runs at the end of its ready interval, or is
/// dispatched then.
fn wake_target_core(schedule: &Schedule, wake_up: &WakeUp<'_>) -> Option<u8> {
    let (thread, time) = (wake_up.thread, wake_up.next?.start);
    let dispatches = &schedule.dispatches;
    let first = dispatches.partition_point(|dispatch| dispatch.time < time);
    let then = dispatches.get(first..).unwrap_or_default().iter();
    let mut then = then.take_while(|dispatch| dispatch.time == time);
    let dispatch = then.find(|dispatch| dispatch.thread == thread);
    let running = |core: &&CoreSlices| {
        let count = core.slices.partition_point(|slice| slice.start <= time);
        let slice = count.checked_sub(1).and_then(|at| core.slices.get(at));
        slice.is_some_and(|slice| slice.running == Running::context(thread))
    };
    dispatch.map(|dispatch| dispatch.core).or_else(|| {
        let core = schedule.cores.iter().find(running)?;
        Some(core.core)
    })
}

/// What a core runs outside interrupt service routines.
#[derive(Debug, Clone, Copy)]
struct CoreContext {
    base: Running,
    in_kernel: bool,
}

impl Default for CoreContext {
    fn default() -> Self {
        Self {
            base: Running::UNKNOWN,
            in_kernel: false,
        }
    }
}

impl CoreContext {
    /// The core starts a slice.
    fn switch(&mut self, running: Running) -> [Option<KernelEvent>; 2] {
        let left = std::mem::take(&mut self.in_kernel).then_some(KernelEvent::ExitKernel);
        let started = match running.running_context() {
            RunningContext::Kernel => {
                self.in_kernel = true;
                Some(KernelEvent::EnterKernel)
            }
            RunningContext::Isr(_) => None,
            _ if running == self.base => None,
            _ => {
                let before = std::mem::replace(&mut self.base, running);
                let next = running;
                Some(KernelEvent::Switch { before, next })
            }
        };
        [left, started]
    }
}
