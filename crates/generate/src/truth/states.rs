//! Thread states.

use super::Address;
use crate::thread::ThreadState;
use serde::Serialize;

/// The state of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThreadStateTruth {
    /// Not created yet, or deleted.
    Deleted,
    /// Ready without a core.
    Ready,
    /// On a core, whether or not a handler runs.
    Running,
    /// Suspended, or not started after its creation or its reset.
    Suspended,
    /// Sleeping.
    Sleep,
    /// Waiting for a message, or for room for one.
    Queue,
    /// Waiting for a semaphore.
    Semaphore,
    /// Waiting for event flags.
    EventFlags,
    /// Waiting for a mutex.
    Mutex,
    /// Its entry function returned.
    Completed,
    /// Terminated.
    Terminated,
}

impl ThreadStateTruth {
    /// Converts the state in the control block.
    pub(super) fn from_kernel(state: ThreadState) -> Self {
        match state {
            ThreadState::Ready | ThreadState::PriorityChange => Self::Ready,
            ThreadState::Completed => Self::Completed,
            ThreadState::Terminated => Self::Terminated,
            ThreadState::Suspended => Self::Suspended,
            ThreadState::Sleep => Self::Sleep,
            ThreadState::QueueSuspended => Self::Queue,
            ThreadState::SemaphoreSuspended => Self::Semaphore,
            ThreadState::EventFlagsSuspended => Self::EventFlags,
            ThreadState::MutexSuspended => Self::Mutex,
            ThreadState::Deleted => Self::Deleted,
        }
    }
}

/// An interval in which a thread is in one state: until the next interval, or
/// the newest event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ThreadStateIntervalTruth {
    /// The event that started it; `None` if overwritten.
    pub event: Option<u64>,
    /// Start: 0 if before the oldest event.
    pub ticks: u64,
    /// The state. It differs from the previous one, or its object or delayed
    /// suspension does.
    pub state: ThreadStateTruth,
    /// The object that the thread is blocked on.
    pub object: Option<Address>,
    /// Whether the thread is suspended instead of ready when its wait ends
    /// (`tx_thread_suspend` of a waiting thread).
    pub delayed_suspend: bool,
}

/// The states of a thread so far.
#[derive(Debug)]
pub(super) struct StateTracker {
    intervals: Vec<ThreadStateIntervalTruth>,
}

impl StateTracker {
    pub(super) fn new() -> Self {
        Self {
            intervals: vec![ThreadStateIntervalTruth {
                event: None,
                ticks: 0,
                state: ThreadStateTruth::Deleted,
                object: None,
                delayed_suspend: false,
            }],
        }
    }

    /// Enters a state with an event; `None` if that is overwritten.
    pub(super) fn enter(
        &mut self,
        state: ThreadStateTruth,
        object: u64,
        event: Option<u64>,
        ticks: u64,
    ) {
        let object = Some(Address(object)).filter(|object| object.0 != 0);
        self.change(event, ticks, |interval| ThreadStateIntervalTruth {
            state,
            object,
            ..*interval
        });
    }

    pub(super) fn delay_suspend(&mut self, delayed_suspend: bool, event: Option<u64>, ticks: u64) {
        self.change(event, ticks, |interval| ThreadStateIntervalTruth {
            delayed_suspend,
            ..*interval
        });
    }

    fn change(
        &mut self,
        event: Option<u64>,
        ticks: u64,
        next: impl Fn(&ThreadStateIntervalTruth) -> ThreadStateIntervalTruth,
    ) {
        let Some(last) = self.intervals.last_mut() else {
            return;
        };
        let next = ThreadStateIntervalTruth {
            event,
            ticks,
            ..next(last)
        };
        let (old, new) = (*last, next);
        let key = |it: ThreadStateIntervalTruth| (it.state, it.object, it.delayed_suspend);
        if key(old) == key(new) {
            return;
        }
        // Only the last of several states caused by one event counts.
        if old.event == event {
            *last = next;
            let before = self.intervals.iter().nth_back(1);
            if before.is_some_and(|before| key(*before) == key(new)) {
                self.intervals.pop();
            }
        } else {
            self.intervals.push(next);
        }
    }

    pub(super) fn finish(self) -> Vec<ThreadStateIntervalTruth> {
        self.intervals
    }
}
