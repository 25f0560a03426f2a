//! The states of threads, one after the other.

use super::Address;
use crate::thread::ThreadState;
use serde::Serialize;

/// What the kernel has a thread do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThreadStateTruth {
    /// It has not been created yet, or was deleted.
    Deleted,
    /// It wants the core and does not have it.
    Ready,
    /// It has the core, whether or not a handler executes.
    Running,
    /// It is suspended, or was not started after its creation or its reset.
    Suspended,
    /// It sleeps.
    Sleep,
    /// It waits for a message, or for room for one.
    Queue,
    /// It waits for a semaphore.
    Semaphore,
    /// It waits for event flags.
    EventFlags,
    /// It waits for a mutex.
    Mutex,
    /// Its entry function returned.
    Completed,
    /// It was terminated.
    Terminated,
}

impl ThreadStateTruth {
    /// The state of a thread that the kernel's control block gives.
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

/// A thread is in one state for a while: until its next interval, or the
/// newest event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ThreadStateIntervalTruth {
    /// The event that put it into the state; `None` if that was overwritten.
    pub event: Option<u64>,
    /// When: 0 if that was before the oldest event.
    pub ticks: u64,
    /// The state, another than before, or for another object or with another
    /// suspension to come.
    pub state: ThreadStateTruth,
    /// The object that it waits for.
    pub object: Option<Address>,
    /// Whether it is suspended, not ready, when its wait ends
    /// (`tx_thread_suspend` of a thread that waits).
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

    /// The thread enters a state with an event; `None` if that is overwritten.
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
        let what = |it: ThreadStateIntervalTruth| (it.state, it.object, it.delayed_suspend);
        if what(old) == what(new) {
            return;
        }
        // Of the states that one event brings about only the last counts.
        if old.event == event {
            *last = next;
            let before = self.intervals.iter().nth_back(1);
            if before.is_some_and(|before| what(*before) == what(new)) {
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
