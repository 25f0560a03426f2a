//! The schedule's changes, in order of time.

use super::{IsrActivationId, Schedule};
use rtoscope_trace::{ContextId, EventIndex, Ticks};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// A change of the schedule.
///
/// Changes are ordered by time. Those of the same tick are ordered by event, as
/// the trace is the finest order known, and those of the same event as the
/// variants of [`ChangeKind`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScheduleChange {
    /// Its time.
    pub time: Ticks,
    /// The event that caused it, or the last before it.
    pub event: EventIndex,
    /// What changes.
    pub kind: ChangeKind,
}

/// What changes at one event, in this order: causes before effects.
///
/// A thread becomes ready before the interrupt that resumed it ends, and a core
/// switches only after the interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// A thread enters a state; in the order of the threads.
    ThreadState {
        /// The thread.
        thread: ContextId,
        /// Index into its [intervals](Schedule::threads).
        interval: u32,
    },
    /// An interrupt service routine starts; the outer one first.
    IsrStart(IsrActivationId),
    /// It ends; the inner one first.
    IsrEnd(IsrActivationId),
    /// A core starts a slice; in the order of the cores.
    Slice {
        /// Index into the [cores](Schedule::cores).
        core_index: u32,
        /// Index into its slices.
        slice: u32,
    },
}

impl ChangeKind {
    /// The order of changes at one event.
    fn key(self) -> (u8, u32, u32) {
        match self {
            Self::ThreadState { thread, interval } => (0, thread.0, interval),
            Self::IsrStart(id) => (1, id.0, 0),
            Self::IsrEnd(id) => (2, u32::MAX - id.0, 0),
            Self::Slice { core_index, slice } => (3, core_index, slice),
        }
    }
}

impl Ord for ChangeKind {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for ChangeKind {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Iterates over a schedule's changes in their order.
///
/// It holds one change for each core and thread, the next start of an interrupt
/// service routine, and the ends of the active ones.
#[derive(Debug, Clone)]
pub struct ScheduleChanges<'s> {
    schedule: &'s Schedule,
    next: BinaryHeap<Reverse<ScheduleChange>>,
}

impl Schedule {
    /// All changes: of thread states, interrupt service routines and slices.
    pub fn changes(&self) -> ScheduleChanges<'_> {
        let mut changes = self.thread_state_changes();
        changes.push(self.isr_start(IsrActivationId(0)));
        for (_, core_index) in self.cores.iter().zip(0..) {
            changes.push(self.slice_change(core_index, 0));
        }
        changes
    }

    /// The changes of thread states only.
    pub(super) fn thread_state_changes(&self) -> ScheduleChanges<'_> {
        let mut changes = ScheduleChanges {
            schedule: self,
            next: BinaryHeap::with_capacity(self.threads.len() + self.cores.len() + 1),
        };
        for (_, thread) in self.threads.iter().zip(0..) {
            changes.push(self.thread_state_change(ContextId(thread), 0));
        }
        changes
    }

    /// The next change of the same thread, routine or core.
    fn change_after(&self, kind: ChangeKind) -> Option<ScheduleChange> {
        match kind {
            ChangeKind::ThreadState { thread, interval } => {
                self.thread_state_change(thread, interval.checked_add(1)?)
            }
            ChangeKind::IsrStart(id) => self.isr_end(id),
            ChangeKind::IsrEnd(_) => None,
            ChangeKind::Slice { core_index, slice } => {
                self.slice_change(core_index, slice.checked_add(1)?)
            }
        }
    }

    fn thread_state_change(&self, thread: ContextId, interval: u32) -> Option<ScheduleChange> {
        let intervals = self.threads.get(thread.index())?;
        let found = intervals.get(interval as usize)?;
        Some(ScheduleChange {
            time: found.start,
            event: found.event,
            kind: ChangeKind::ThreadState { thread, interval },
        })
    }

    fn isr_start(&self, id: IsrActivationId) -> Option<ScheduleChange> {
        let activation = self.activations.get(id.index())?;
        Some(ScheduleChange {
            time: activation.start,
            event: activation.first,
            kind: ChangeKind::IsrStart(id),
        })
    }

    fn isr_end(&self, id: IsrActivationId) -> Option<ScheduleChange> {
        let activation = self.activations.get(id.index())?;
        Some(ScheduleChange {
            time: activation.end,
            event: activation.last,
            kind: ChangeKind::IsrEnd(id),
        })
    }

    fn slice_change(&self, core_index: u32, slice: u32) -> Option<ScheduleChange> {
        let slices = &self.cores.get(core_index as usize)?.slices;
        let found = slices.get(slice as usize)?;
        Some(ScheduleChange {
            time: found.start,
            event: found.event,
            kind: ChangeKind::Slice { core_index, slice },
        })
    }
}

impl ScheduleChanges<'_> {
    fn push(&mut self, change: Option<ScheduleChange>) {
        self.next.extend(change.map(Reverse));
    }
}

impl Iterator for ScheduleChanges<'_> {
    type Item = ScheduleChange;

    fn next(&mut self) -> Option<ScheduleChange> {
        let mut first = self.next.peek_mut()?;
        let Reverse(change) = *first;
        match self.schedule.change_after(change.kind) {
            Some(next) => {
                *first = Reverse(next);
                drop(first);
            }
            None => {
                PeekMut::pop(first);
            }
        }
        if let ChangeKind::IsrStart(IsrActivationId(number)) = change.kind {
            let next = number.checked_add(1).map(IsrActivationId);
            self.push(next.and_then(|next| self.schedule.isr_start(next)));
        }
        Some(change)
    }
}
