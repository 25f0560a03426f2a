//! What the kernel knows at the moment and no record says, for the
//! [truth](crate::Truth) of a buffer.

use crate::thread::ThreadState;
use crate::truth::DispatchCause;
use std::collections::VecDeque;

/// What an event brings about. Threads are counted over all cores, objects are
/// known by their addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KernelFact {
    /// The thread exists, suspended.
    Created(u16),
    /// The thread becomes ready.
    Ready(u16),
    /// The thread is in a state in which it is not ready, perhaps for an
    /// object.
    State {
        thread: u16,
        state: ThreadState,
        object: u64,
    },
    /// Whether the thread is suspended as soon as its wait ends.
    DelayedSuspend { thread: u16, is_set: bool },
    /// The thread let others of its priority run, if there are any.
    Relinquished(u16),
    /// The core goes on with another thread; `None` is idle.
    Switch {
        core: u8,
        next: Option<u16>,
        /// Why, if the core executed a thread before.
        cause: DispatchCause,
    },
    /// A handler begins; one that logs no entry has no number.
    Enter { core: u8, number: Option<u64> },
    /// The innermost handler ends.
    Exit { core: u8 },
    /// The thread will be suspended until it gets the mutex.
    Contends { thread: u16, mutex: u64, owner: u16 },
    /// The thread has this priority from now on.
    Priority { thread: u16, priority: u8 },
    /// The mutex went to a thread that waited for it.
    Owns { thread: u16, mutex: u64 },
    /// Who owns the mutex now, and how often it was got.
    Mutex {
        mutex: u64,
        owner: Option<u16>,
        count: u64,
    },
    /// The messages in a queue, or the count of a semaphore, from now on.
    Level(u64, u64),
}

/// Hears facts in the order of the events and keeps them until these are taken.
#[derive(Debug, Clone, Default)]
pub(crate) struct FactLog {
    /// Facts, with the number of events that were logged before each.
    recorded: VecDeque<(usize, KernelFact)>,
}

impl FactLog {
    /// Hears what the last of `logged` events brings about.
    ///
    /// Most simulations have no witness, and must not make room for this.
    #[cold]
    pub(crate) fn record(&mut self, logged: usize, fact: KernelFact) {
        self.recorded.push_back((logged, fact));
    }

    /// Hears belatedly what an earlier event brought about, before all else
    /// that it did.
    #[cold]
    pub(crate) fn record_at(&mut self, logged: usize, fact: KernelFact) {
        let place = self.recorded.partition_point(|(other, _)| *other < logged);
        self.recorded.insert(place, (logged, fact));
    }

    /// Moves the facts about the first `events` events to `facts`.
    pub(crate) fn take(&mut self, events: usize, facts: &mut Vec<KernelFact>) {
        while let Some((logged, fact)) = self.recorded.front()
            && *logged <= events
        {
            facts.push(*fact);
            self.recorded.pop_front();
        }
    }
}
