//! Who executes from when on, in the order of time.

use super::core::CoreChanges;
use super::priorities::PriorityStep;
use rtoscope_analysis::View;
use rtoscope_analysis::schedule::{ActivationId, Schedule, Slices, Stretch, Who};
use rtoscope_trace::{ContextId, EventIndex, Ticks};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Something that a core does, or a thread there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) time: Ticks,
    /// The last event before it, or at its time.
    pub(super) event: EventIndex,
    pub(super) core: u8,
    pub(super) what: What,
}

/// What that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// A thread that waited is ready.
    Wake {
        thread: ContextId,
        /// The core on which it will execute.
        target: u8,
    },
    /// The priority of a thread changes.
    Priority(PriorityStep),
    /// What an interrupt does apart from its routines ends.
    ExitKernel,
    /// An interrupt service routine begins.
    Enter(ActivationId),
    /// It ends.
    Exit(ActivationId),
    /// An interrupt, or the scheduler behind it, goes on without a routine.
    EnterKernel,
    /// Apart from interrupts, the core goes from one to the other.
    Switch { before: Who, next: Who },
}

impl What {
    /// Of what happens at one event, what comes first.
    fn rank(self) -> u8 {
        match self {
            Self::Wake { .. } => 0,
            Self::Priority(_) => 1,
            Self::ExitKernel => 2,
            Self::Enter(_) => 3,
            Self::Exit(_) => 4,
            Self::EnterKernel => 5,
            Self::Switch { .. } => 6,
        }
    }
}

/// All changes of a schedule, in order. Of each core, each thread and each routine
/// that goes on, only the next is in memory.
pub(super) struct Changes<'v> {
    view: &'v View<'v>,
    cores: Vec<CoreChanges<'v>>,
    priorities: std::vec::IntoIter<PriorityStep>,
    next: BinaryHeap<Reverse<Next>>,
}

/// The next change of somebody.
struct Next {
    change: Change,
    of: Of,
}

/// Whose.
#[derive(Clone, Copy)]
enum Of {
    /// A core's, by its place.
    Core(usize),
    /// A thread's, of which this many stretches were looked at.
    Thread(ContextId, usize),
    /// A routine's.
    Routine(ActivationId),
    /// A thread's priority.
    Priority,
}

impl<'v> Changes<'v> {
    pub(super) fn of(view: &'v View<'v>, priorities: Vec<PriorityStep>) -> Self {
        let schedule = view.schedule;
        let last = view.trace.events.len().saturating_sub(1);
        let last = EventIndex(u32::try_from(last).unwrap_or(u32::MAX));
        let cores = schedule.cores.iter();
        let mut changes = Self {
            view,
            cores: cores.map(|core| CoreChanges::new(core, last)).collect(),
            priorities: priorities.into_iter(),
            next: BinaryHeap::new(),
        };
        for core in 0..changes.cores.len() {
            changes.queue_core(core);
        }
        for (_, id) in schedule.threads.iter().zip(0..) {
            changes.queue_wake(ContextId(id), 1);
        }
        changes.queue_entry(ActivationId(0));
        changes.queue_priority();
        changes
    }

    fn queue(&mut self, of: Of, change: Change) {
        self.next.push(Reverse(Next { change, of }));
    }

    fn queue_core(&mut self, core: usize) {
        if let Some(change) = self.cores.get_mut(core).and_then(Iterator::next) {
            self.queue(Of::Core(core), change);
        }
    }

    /// Queues the first wake-up of a thread from a stretch on.
    fn queue_wake(&mut self, thread: ContextId, from: usize) {
        let schedule = self.view.schedule;
        let Some(stretches) = schedule.threads.get(thread.index()) else {
            return;
        };
        let pairs = stretches.get(from - 1..).unwrap_or_default().windows(2);
        let is_wake = |(pair, at): (&'v [Stretch], usize)| match pair {
            [before, ready] if ready.is_wake(before) => Some((ready, at)),
            _ => None,
        };
        let Some((ready, at)) = pairs.zip(from..).find_map(is_wake) else {
            return;
        };
        let core = self.view.trace.events.core.get(ready.event.index());
        let core = core.copied().unwrap_or_default();
        let executes = stretches.get(at + 1).map(|running| running.start);
        let target = executes.and_then(|time| core_of(schedule, thread, time));
        let change = Change {
            time: ready.start,
            event: ready.event,
            core,
            what: What::Wake {
                thread,
                target: target.unwrap_or(core),
            },
        };
        self.queue(Of::Thread(thread, at + 1), change);
    }

    fn queue_priority(&mut self) {
        if let Some(step) = self.priorities.next() {
            let change = Change {
                time: step.time,
                event: step.event,
                core: step.core,
                what: What::Priority(step),
            };
            self.queue(Of::Priority, change);
        }
    }

    fn queue_entry(&mut self, id: ActivationId) {
        if let Some(activation) = self.view.schedule.activations.get(id.index()) {
            let change = Change {
                time: activation.start,
                event: activation.first,
                core: activation.core,
                what: What::Enter(id),
            };
            self.queue(Of::Routine(id), change);
        }
    }

    /// Queues the end of a routine that has begun.
    fn queue_exit(&mut self, id: ActivationId) {
        if let Some(activation) = self.view.schedule.activations.get(id.index()) {
            let change = Change {
                time: activation.end,
                event: activation.last,
                core: activation.core,
                what: What::Exit(id),
            };
            self.queue(Of::Routine(id), change);
        }
    }
}

impl Iterator for Changes<'_> {
    type Item = Change;

    fn next(&mut self) -> Option<Change> {
        let Reverse(Next { change, of }) = self.next.pop()?;
        match of {
            Of::Core(core) => self.queue_core(core),
            Of::Thread(thread, from) => self.queue_wake(thread, from),
            Of::Priority => self.queue_priority(),
            Of::Routine(id) => {
                if matches!(change.what, What::Enter(_)) {
                    self.queue_exit(id);
                    self.queue_entry(ActivationId(id.0.saturating_add(1)));
                }
            }
        }
        Some(change)
    }
}

/// The core that a thread gets at a time, or has then.
fn core_of(schedule: &Schedule, thread: ContextId, time: Ticks) -> Option<u8> {
    let dispatches = &schedule.dispatches;
    let first = dispatches.partition_point(|dispatch| dispatch.time < time);
    let then = dispatches.get(first..).unwrap_or_default().iter();
    let mut then = then.take_while(|dispatch| dispatch.time == time);
    let dispatch = then.find(|dispatch| dispatch.thread == thread);
    let executes = |core: &&Slices| {
        let behind = core.all.partition_point(|slice| slice.start <= time);
        let slice = behind.checked_sub(1).and_then(|at| core.all.get(at));
        slice.is_some_and(|slice| slice.who == Who::context(thread))
    };
    dispatch.map(|dispatch| dispatch.core).or_else(|| {
        let core = schedule.cores.iter().find(executes)?;
        Some(core.core)
    })
}

impl Next {
    fn key(&self) -> (Ticks, EventIndex, u8, u32) {
        let Change {
            time, event, what, ..
        } = self.change;
        let last = match what {
            // Of routines that end at once, the inner one ends first.
            What::Exit(id) => u32::MAX - id.0,
            What::Wake { thread, .. } | What::Priority(PriorityStep { thread, .. }) => thread.0,
            _ => 0,
        };
        (time, event, what.rank(), last)
    }
}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Next {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Next {}
