//! Changes of the schedule, in time order.

use super::core::CoreChanges;
use super::priorities::PriorityChange;
use rtoscope_analysis::View;
use rtoscope_analysis::schedule::{
    CoreSlices, IsrActivationId, Running, Schedule, ThreadStateInterval,
};
use rtoscope_trace::{ContextId, EventIndex, Ticks};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A change on a core or of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScheduleChange {
    pub(super) time: Ticks,
    /// The last event before or at its time.
    pub(super) event: EventIndex,
    pub(super) core: u8,
    pub(super) kind: ChangeKind,
}

/// The kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangeKind {
    /// A blocked thread becomes ready.
    Wake {
        thread: ContextId,
        /// The core on which it will run.
        target: u8,
    },
    /// The priority of a thread changes.
    Priority(PriorityChange),
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

impl ChangeKind {
    /// The order of changes at one event.
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

/// All changes of a schedule, in order. Only the next change of each core, thread
/// and open routine is in memory.
pub(super) struct ScheduleChanges<'v> {
    view: &'v View<'v>,
    cores: Vec<CoreChanges<'v>>,
    priorities: std::vec::IntoIter<PriorityChange>,
    next: BinaryHeap<Reverse<QueuedChange>>,
}

/// A queued change and its source.
struct QueuedChange {
    change: ScheduleChange,
    source: ChangeSource,
}

/// The source of the change.
#[derive(Clone, Copy)]
enum ChangeSource {
    /// A core, by index.
    Core(usize),
    /// A thread, and the index of its next state interval.
    Thread(ContextId, usize),
    /// An interrupt service routine.
    Routine(IsrActivationId),
    /// The priorities of threads.
    Priority,
}

impl<'v> ScheduleChanges<'v> {
    pub(super) fn new(view: &'v View<'v>, priorities: Vec<PriorityChange>) -> Self {
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
        changes.queue_entry(IsrActivationId(0));
        changes.queue_priority();
        changes
    }

    fn queue(&mut self, of: ChangeSource, change: ScheduleChange) {
        self.next.push(Reverse(QueuedChange { change, source: of }));
    }

    fn queue_core(&mut self, core: usize) {
        if let Some(change) = self.cores.get_mut(core).and_then(Iterator::next) {
            self.queue(ChangeSource::Core(core), change);
        }
    }

    /// Queues the first wake-up of a thread from a state interval on.
    fn queue_wake(&mut self, thread: ContextId, from: usize) {
        let schedule = self.view.schedule;
        let Some(intervals) = schedule.threads.get(thread.index()) else {
            return;
        };
        let pairs = intervals.get(from - 1..).unwrap_or_default().windows(2);
        let is_wake = |(pair, at): (&'v [ThreadStateInterval], usize)| match pair {
            [before, ready] if ready.is_wake_up(before) => Some((ready, at)),
            _ => None,
        };
        let Some((ready, at)) = pairs.zip(from..).find_map(is_wake) else {
            return;
        };
        let core = self.view.trace.events.core.get(ready.event.index());
        let core = core.copied().unwrap_or_default();
        let running = intervals.get(at + 1).map(|running| running.start);
        let target = running.and_then(|time| wake_target_core(schedule, thread, time));
        let change = ScheduleChange {
            time: ready.start,
            event: ready.event,
            core,
            kind: ChangeKind::Wake {
                thread,
                target: target.unwrap_or(core),
            },
        };
        self.queue(ChangeSource::Thread(thread, at + 1), change);
    }

    fn queue_priority(&mut self) {
        if let Some(step) = self.priorities.next() {
            let change = ScheduleChange {
                time: step.time,
                event: step.event,
                core: step.core,
                kind: ChangeKind::Priority(step),
            };
            self.queue(ChangeSource::Priority, change);
        }
    }

    fn queue_entry(&mut self, id: IsrActivationId) {
        if let Some(activation) = self.view.schedule.activations.get(id.index()) {
            let change = ScheduleChange {
                time: activation.start,
                event: activation.first,
                core: activation.core,
                kind: ChangeKind::Enter(id),
            };
            self.queue(ChangeSource::Routine(id), change);
        }
    }

    /// Queues the end of a routine that has started.
    fn queue_exit(&mut self, id: IsrActivationId) {
        if let Some(activation) = self.view.schedule.activations.get(id.index()) {
            let change = ScheduleChange {
                time: activation.end,
                event: activation.last,
                core: activation.core,
                kind: ChangeKind::Exit(id),
            };
            self.queue(ChangeSource::Routine(id), change);
        }
    }
}

impl Iterator for ScheduleChanges<'_> {
    type Item = ScheduleChange;

    fn next(&mut self) -> Option<ScheduleChange> {
        let Reverse(QueuedChange { change, source: of }) = self.next.pop()?;
        match of {
            ChangeSource::Core(core) => self.queue_core(core),
            ChangeSource::Thread(thread, from) => self.queue_wake(thread, from),
            ChangeSource::Priority => self.queue_priority(),
            ChangeSource::Routine(id) => {
                if matches!(change.kind, ChangeKind::Enter(_)) {
                    self.queue_exit(id);
                    self.queue_entry(IsrActivationId(id.0.saturating_add(1)));
                }
            }
        }
        Some(change)
    }
}

/// The core on which a thread runs at a time, or runs next.
fn wake_target_core(schedule: &Schedule, thread: ContextId, time: Ticks) -> Option<u8> {
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

impl QueuedChange {
    fn key(&self) -> (Ticks, EventIndex, u8, u32) {
        let ScheduleChange {
            time, event, kind, ..
        } = self.change;
        let last = match kind {
            // Of routines that end at the same time, the inner one ends first.
            ChangeKind::Exit(id) => u32::MAX - id.0,
            ChangeKind::Wake { thread, .. }
            | ChangeKind::Priority(PriorityChange { thread, .. }) => thread.0,
            _ => 0,
        };
        (time, event, kind.rank(), last)
    }
}

impl Ord for QueuedChange {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for QueuedChange {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for QueuedChange {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for QueuedChange {}
