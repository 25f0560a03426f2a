//! What cores and threads do, change by change.

use super::PriorityStep;
use crate::report::{CpuContext, View};
use crate::schedule::{
    ChangeKind, CoreSlices, IsrActivation, IsrActivationId, Running, RunningContext, Schedule,
    ScheduleChange, ScheduleChanges, ThreadState, ThreadStateInterval, WakeUp,
};
use rtoscope_trace::{ContextId, Contexts, EventIndex, Ticks};
use std::iter::Peekable;
use std::vec;

/// A change of what a core or a thread does.
#[derive(Debug, Clone, Copy)]
pub enum Change {
    /// A thread enters a state.
    State(StateChange),
    /// The priority of a thread changes.
    Priority(PriorityStep),
    /// An interrupt service routine starts or ends.
    Interrupt {
        /// Its number.
        id: IsrActivationId,
        /// The routine.
        routine: IsrActivation,
        /// Whether it starts.
        is_start: bool,
    },
    /// A core runs something else.
    Core {
        /// The place of the core among all.
        place: usize,
        /// What it runs.
        runs: CpuContext,
        /// The nesting depth of an interrupt service routine; 0 for anything else.
        depth: u16,
    },
}

/// A thread enters a state.
#[derive(Debug, Clone, Copy)]
pub struct StateChange {
    /// The thread.
    pub thread: ContextId,
    /// The time in the state.
    pub interval: ThreadStateInterval,
    /// The wake-up, if it is one.
    pub wake_up: Option<WakeUp>,
}

/// Changes with their times, in the order of the schedule's changes.
pub struct Changes<'a> {
    schedule: &'a Schedule,
    changes: ScheduleChanges<'a>,
    priorities: Peekable<vec::IntoIter<PriorityStep>>,
}

impl<'a> Changes<'a> {
    /// All changes. That of a priority comes after the wake-ups of the same event, and before its
    /// other changes.
    pub fn new(view: &View<'a>, priorities: Vec<PriorityStep>) -> Self {
        Self {
            schedule: view.schedule,
            changes: view.schedule.changes(),
            priorities: priorities.into_iter().peekable(),
        }
    }

    /// The changes of some threads, of all interrupt service routines, and of the first `cores`
    /// cores; without priorities.
    pub fn of(view: &View<'a>, is_included: impl Fn(ContextId) -> bool, cores: usize) -> Self {
        Self {
            changes: view.schedule.changes_of(is_included, cores),
            ..Self::new(view, Vec::new())
        }
    }

    /// The time of the next change, if it is not that of a priority.
    #[inline]
    pub fn next_time(&self) -> Option<Ticks> {
        self.changes.next_time()
    }

    fn take_priority(&mut self) -> Option<PriorityStep> {
        let step = self.priorities.peek()?;
        let is_first = self.changes.peek().is_none_or(|(time, event, is_state)| {
            let (step, change) = ((step.time, step.event), (time, event));
            step < change || step == change && !is_state
        });
        if is_first {
            self.priorities.next()
        } else {
            None
        }
    }

    #[inline]
    fn resolve(&self, kind: ChangeKind) -> Option<Change> {
        let schedule = self.schedule;
        Some(match kind {
            ChangeKind::ThreadState { thread, interval } => {
                let place = interval as usize;
                Change::State(StateChange {
                    thread,
                    interval: schedule.threads.get(thread.index())?.get(place)?,
                    wake_up: schedule.wake_up_at(thread, place),
                })
            }
            ChangeKind::IsrStart(id) | ChangeKind::IsrEnd(id) => Change::Interrupt {
                id,
                routine: schedule.activations.get(id.index())?,
                is_start: matches!(kind, ChangeKind::IsrStart(_)),
            },
            ChangeKind::Slice { core_index, slice } => {
                let place = core_index as usize;
                let slice = schedule.cores.get(place)?.slices.get(slice as usize)?;
                Change::Core {
                    place,
                    runs: CpuContext::of(schedule, slice.running),
                    depth: match slice.running.running_context() {
                        RunningContext::Isr(id) => schedule.activations.get(id.index())?.depth,
                        _ => 0,
                    },
                }
            }
        })
    }
}

impl<'a> Iterator for Changes<'a> {
    type Item = (Ticks, Change);

    // As for the schedule's changes.
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if let Some(step) = self.take_priority() {
            return Some((step.time, Change::Priority(step)));
        }
        let ScheduleChange { time, kind, .. } = self.changes.next()?;
        Some((time, self.resolve(kind)?))
    }
}

/// The numbers of the cores.
pub fn cores<'a>(view: &View<'a>) -> impl Iterator<Item = u8> + use<'a> {
    view.schedule.cores.iter().map(|slices| slices.core)
}

/// The threads that are dispatched at the very end, which is no slice, with the places of their
/// cores.
pub fn final_dispatches(view: &View<'_>) -> Vec<(usize, ContextId)> {
    let schedule = view.schedule;
    let dispatches = schedule.dispatches.iter().rev();
    let mut last: Vec<(usize, ContextId)> = Vec::new();
    for dispatch in dispatches.take_while(|dispatch| dispatch.time == schedule.span) {
        let state = view.thread_states(dispatch.thread).last();
        let place = cores(view).position(|core| core == dispatch.core);
        if let Some(place) = place
            && state.is_some_and(|state| state.state == ThreadState::Running)
            && last.iter().all(|(other, _)| *other != place)
        {
            last.push((place, dispatch.thread));
        }
    }
    last
}

/// What logged an event, and on which core.
pub fn logged_by(view: &View<'_>, event: EventIndex) -> (CpuContext, u8) {
    let events = &view.trace.events;
    let core = events.core(event).unwrap_or_default();
    let context = match events.context(event) {
        Some(Contexts::IDLE) => CpuContext::Idle,
        Some(Contexts::INITIALIZE) => CpuContext::Initialize,
        Some(Contexts::INTERRUPT) => match view.schedule.isr_at(event, core) {
            Some((_, routine)) => CpuContext::Isr(routine.number),
            None => CpuContext::Kernel,
        },
        Some(thread) if thread.is_thread() => CpuContext::Thread(thread),
        _ => CpuContext::Unknown,
    };
    (context, core)
}

/// The core on which a woken thread runs at the end of its ready interval, or is dispatched then.
pub fn wake_target(view: &View<'_>, wake_up: &WakeUp) -> Option<u8> {
    let schedule = view.schedule;
    let (thread, time) = (wake_up.thread, wake_up.next?.start);
    let dispatches = &schedule.dispatches;
    let first = dispatches.partition_point(|dispatch| dispatch.time < time);
    let then = dispatches.range(first..dispatches.len());
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
