//! Wake-ups: the resumptions of waiting threads.

use super::{ChangeKind, Schedule, ThreadState, ThreadStateInterval};
use rtoscope_trace::{ContextId, EventIndex, ResourceId};

/// A recorded event resumes a thread that waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WakeUp {
    /// The thread.
    pub thread: ContextId,
    /// The interval in which it waited; unknown before the first entry about a thread.
    pub waiting: ThreadStateInterval,
    /// The interval in which it is ready, which the event of the resumption
    /// starts.
    pub ready: ThreadStateInterval,
    /// The interval after that; `None` if the trace ends first.
    pub next: Option<ThreadStateInterval>,
}

impl WakeUp {
    /// The wake-up between two intervals of a thread, if it is one; `next` is the interval
    /// after them.
    #[inline]
    pub(crate) fn new(
        thread: ContextId,
        [waiting, ready]: [ThreadStateInterval; 2],
        next: Option<ThreadStateInterval>,
    ) -> Option<Self> {
        // The first entry about a thread can be that it becomes ready.
        let waited = matches!(
            waiting.state,
            ThreadState::Waiting { .. } | ThreadState::Unknown
        );
        let is_wake_up = waited && ready.state == ThreadState::Ready && ready.start_known;
        is_wake_up.then_some(Self {
            thread,
            waiting,
            ready,
            next,
        })
    }

    /// The event that resumes the thread.
    pub fn cause(&self) -> EventIndex {
        self.ready.event
    }

    /// The object that the thread was blocked on, if known.
    pub fn blocked_on(&self) -> Option<ResourceId> {
        match self.waiting.state {
            ThreadState::Waiting { resource, .. } => resource,
            _ => None,
        }
    }

    /// The interval in which the thread runs; `None` if it does not run before
    /// its state changes otherwise or the trace ends.
    pub fn running(&self) -> Option<ThreadStateInterval> {
        self.next.filter(|next| next.state == ThreadState::Running)
    }

    /// The last event before the thread runs, which can be the cause; `None` if
    /// it does not run.
    pub fn effect(&self) -> Option<EventIndex> {
        // A core's last event can be older than another core's.
        Some(self.running()?.event.max(self.cause()))
    }
}

impl Schedule {
    /// The wake-ups of all threads, in the order of the schedule's
    /// [changes](Self::changes).
    pub fn wake_ups(&self) -> impl Iterator<Item = WakeUp> {
        self.thread_state_changes()
            .filter_map(|change| match change.kind {
                ChangeKind::ThreadState { thread, interval } => {
                    self.wake_up_at(thread, interval as usize)
                }
                _ => None,
            })
    }

    /// The wake-ups of a thread, in order of time.
    pub fn wake_ups_of(&self, thread: ContextId) -> impl Iterator<Item = WakeUp> {
        let mut before = None;
        let intervals = self.thread_states(thread).with_next(0);
        intervals.filter_map(move |(interval, next)| {
            let before = before.replace(interval)?;
            WakeUp::new(thread, [before, interval], next)
        })
    }

    /// The wake-up that starts an interval of a thread, if it is one.
    #[inline]
    pub fn wake_up_at(&self, thread: ContextId, interval: usize) -> Option<WakeUp> {
        let intervals = self.thread_states(thread);
        let before = intervals.get(interval.checked_sub(1)?)?;
        let pair = [before, intervals.get(interval)?];
        WakeUp::new(thread, pair, intervals.get(interval + 1))
    }
}
