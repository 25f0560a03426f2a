//! The schedule's changes, in order of time.

use super::{IsrActivationId, Schedule};
use rtoscope_trace::{ContextId, EventIndex, Ticks};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

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
/// It holds the next change of each core and thread, the next start of an interrupt
/// service routine, and the ends of the active ones.
#[derive(Debug, Clone)]
pub struct ScheduleChanges<'s> {
    schedule: &'s Schedule,
    /// The index of the next change of each stream: of the threads, of the routines
    /// (those that start), and of the cores.
    next: Vec<u32>,
    /// The ends of the active routines, as changes are ordered.
    isr_ends: BinaryHeap<Reverse<(Ticks, EventIndex, Reverse<u32>)>>,
    tournament: Tournament,
}

/// Finds the first of several streams by the order of their next changes.
///
/// A complete binary tree in an array: the node `n` is the minimum of the nodes `2n`
/// and `2n + 1`, and the leaves are the streams. A change of a leaf takes as many
/// comparisons as the tree has levels, none of them a branch that the processor has
/// to predict, unlike those of a heap.
#[derive(Debug, Clone)]
struct Tournament {
    nodes: Vec<StreamKey>,
}

/// The order of a stream's next change: its time, its event and the number of the
/// stream, from the highest bits down. Streams are numbered as the variants of
/// [`ChangeKind`] are ordered.
type StreamKey = u128;

/// The key of a stream that has ended.
const ENDED: StreamKey = StreamKey::MAX;

impl Tournament {
    fn new(streams: usize) -> Self {
        Self {
            nodes: vec![ENDED; 2 * streams.next_power_of_two()],
        }
    }

    /// The first change's time, event and stream.
    #[inline]
    fn first(&self) -> Option<(Ticks, EventIndex, u32)> {
        let first = *self.nodes.get(1)?;
        let bits = |shift: u32| (first >> shift) as u32;
        (first != ENDED).then(|| (Ticks((first >> 64) as u64), EventIndex(bits(32)), bits(0)))
    }

    /// Sets the next change of a stream.
    #[inline]
    fn set(&mut self, stream: u32, next: Option<(Ticks, EventIndex)>) {
        let mut first = next.map_or(ENDED, |(time, event)| {
            StreamKey::from(time.0) << 64 | StreamKey::from(event.0) << 32 | StreamKey::from(stream)
        });
        let mut node = self.nodes.len() / 2 + stream as usize;
        while let Some(key) = self.nodes.get_mut(node) {
            *key = first;
            if node <= 1 {
                break;
            }
            let sibling = self.nodes.get(node ^ 1).copied().unwrap_or(ENDED);
            first = first.min(sibling);
            node /= 2;
        }
    }
}

impl Schedule {
    /// All changes: of thread states, interrupt service routines and slices.
    pub fn changes(&self) -> ScheduleChanges<'_> {
        self.changes_of(|_| true, self.cores.len())
    }

    /// The changes of some threads, of all interrupt service routines, and of the
    /// first `cores` cores.
    pub fn changes_of(
        &self,
        is_included: impl Fn(ContextId) -> bool,
        cores: usize,
    ) -> ScheduleChanges<'_> {
        let mut changes = ScheduleChanges::new(self, is_included);
        let isr_stream = changes.isr_stream();
        let core_streams = (isr_stream + 1..).zip(self.cores.iter().take(cores));
        changes.start(isr_stream);
        for (stream, _) in core_streams {
            changes.start(stream);
        }
        changes
    }
}

impl<'s> ScheduleChanges<'s> {
    /// The changes of some threads' states.
    fn new(schedule: &'s Schedule, is_included: impl Fn(ContextId) -> bool) -> Self {
        let streams = schedule.threads.len() + 1 + schedule.cores.len();
        let mut changes = Self {
            schedule,
            next: vec![0; streams],
            isr_ends: BinaryHeap::new(),
            tournament: Tournament::new(streams),
        };
        let threads = 0..changes.isr_stream();
        for thread in threads.filter(|thread| is_included(ContextId(*thread))) {
            changes.start(thread);
        }
        changes
    }

    fn start(&mut self, stream: u32) {
        let first = self.next_of(stream, 0);
        self.tournament.set(stream, first);
    }

    /// The time and the event of the next change, and whether it is that of a thread's state.
    pub(crate) fn peek(&self) -> Option<(Ticks, EventIndex, bool)> {
        let (time, event, stream) = self.tournament.first()?;
        Some((time, event, stream < self.isr_stream()))
    }

    /// The time of the next change.
    #[inline]
    pub fn next_time(&self) -> Option<Ticks> {
        self.tournament.first().map(|(time, ..)| time)
    }
}

impl ScheduleChanges<'_> {
    /// The stream of the interrupt service routines; those of the cores follow.
    fn isr_stream(&self) -> u32 {
        self.schedule.threads.len() as u32
    }

    /// Time and event of a stream's change, if there is one.
    #[inline]
    fn next_of(&self, stream: u32, next: u32) -> Option<(Ticks, EventIndex)> {
        let (schedule, index) = (self.schedule, next as usize);
        if let Some(intervals) = schedule.threads.get(stream as usize) {
            let interval = intervals.get(index)?;
            return Some((interval.start, interval.event));
        }
        match stream - self.isr_stream() {
            0 => {
                let activation = schedule.activations.get(index);
                let start = activation.map(|it| (it.start, it.first));
                let end = self.isr_ends.peek();
                let end = end.map(|Reverse((time, event, _))| (*time, *event));
                start.into_iter().chain(end).min()
            }
            core => {
                let slice = schedule.cores.get(core as usize - 1)?.slices.get(index)?;
                Some((slice.start, slice.event))
            }
        }
    }

    /// Removes the first change of the interrupt service routines. Of the same event,
    /// one starts before another ends.
    fn take_isr_change(&mut self, next: &mut u32) -> Option<ChangeKind> {
        let starting = self.schedule.activations.get(*next as usize);
        let ends = self.isr_ends.peek();
        match (starting, ends) {
            (Some(it), ends)
                if ends.is_none_or(|Reverse((time, event, _))| {
                    (it.start, it.first) <= (*time, *event)
                }) =>
            {
                let id = *next;
                self.isr_ends.push(Reverse((it.end, it.last, Reverse(id))));
                *next += 1;
                Some(ChangeKind::IsrStart(IsrActivationId(id)))
            }
            _ => {
                let Reverse((_, _, Reverse(id))) = self.isr_ends.pop()?;
                Some(ChangeKind::IsrEnd(IsrActivationId(id)))
            }
        }
    }
}

impl Iterator for ScheduleChanges<'_> {
    type Item = ScheduleChange;

    // A change that is returned through memory stalls its reader: the exports of
    // signals would take a third longer.
    #[inline(always)]
    fn next(&mut self) -> Option<ScheduleChange> {
        let (time, event, stream) = self.tournament.first()?;
        let mut next = *self.next.get(stream as usize)?;
        let isr_stream = self.isr_stream();
        let kind = match stream.cmp(&isr_stream) {
            Ordering::Equal => self.take_isr_change(&mut next)?,
            order => {
                let change = next;
                next += 1;
                match order {
                    Ordering::Less => ChangeKind::ThreadState {
                        thread: ContextId(stream),
                        interval: change,
                    },
                    _ => ChangeKind::Slice {
                        core_index: stream - isr_stream - 1,
                        slice: change,
                    },
                }
            }
        };
        *self.next.get_mut(stream as usize)? = next;
        let after = self.next_of(stream, next);
        self.tournament.set(stream, after);
        Some(ScheduleChange { time, event, kind })
    }
}
