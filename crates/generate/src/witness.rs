//! What the kernel knows at the moment and no record says, for the
//! [truth](crate::Truth) of a buffer.

use crate::thread::ThreadState;
use crate::truth::Cause;
use std::collections::VecDeque;

/// What an event brings about. Threads are counted over all cores, objects are
/// known by their addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fact {
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
        cause: Cause,
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
pub(crate) struct Witness {
    /// Facts, with the number of events that were logged before each.
    heard: VecDeque<(usize, Fact)>,
}

impl Witness {
    /// Hears what the last of `logged` events brings about.
    ///
    /// Most simulations have no witness, and must not make room for this.
    #[cold]
    pub(crate) fn hear(&mut self, logged: usize, fact: Fact) {
        self.heard.push_back((logged, fact));
    }

    /// Hears belatedly what an earlier event brought about, before all else
    /// that it did.
    #[cold]
    pub(crate) fn hear_of(&mut self, logged: usize, fact: Fact) {
        let place = self.heard.partition_point(|(other, _)| *other < logged);
        self.heard.insert(place, (logged, fact));
    }

    /// Moves the facts about the first `events` events to `facts`.
    pub(crate) fn take(&mut self, events: usize, facts: &mut Vec<Fact>) {
        while let Some((logged, fact)) = self.heard.front()
            && *logged <= events
        {
            facts.push(*fact);
            self.heard.pop_front();
        }
    }
}
