//! Wake-ups: the resumptions of waiting threads.

use super::{Schedule, ThreadState, ThreadStateInterval};
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

/// Number of events that are close to each other.
const NEIGHBOURS: u32 = 1 << 14;

impl Schedule {
    /// The wake-ups of all threads: for some thousand events at a time those of one thread
    /// after the other, each in order of time. Readers of these events then read near places
    /// together.
    pub fn wake_ups(&self) -> impl Iterator<Item = WakeUp> {
        let threads = (0..).map(ContextId).take(self.threads.len());
        let wake_ups = threads.map(|thread| self.wake_ups_of(thread).peekable());
        let mut threads: Vec<_> = wake_ups.collect();
        let (mut end, mut thread) = (NEIGHBOURS, 0);
        std::iter::from_fn(move || {
            loop {
                let Some(of_thread) = threads.get_mut(thread) else {
                    let next = threads
                        .iter_mut()
                        .filter_map(|it| Some(it.peek()?.cause().0));
                    end = next.min()?.saturating_add(NEIGHBOURS);
                    thread = 0;
                    continue;
                };
                let wake_up = of_thread.next_if(|it| it.cause().0 < end || end == u32::MAX);
                if wake_up.is_some() {
                    return wake_up;
                }
                thread += 1;
            }
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
