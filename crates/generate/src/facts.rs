//! Facts for the [ground truth](crate::ThreadXTruth) of a buffer: what the
//! kernel knows and no event records.

use crate::pipeline::ItemStep;
use crate::thread::ThreadState;
use crate::truth::DispatchCause;
use std::collections::VecDeque;

/// A fact caused by an event. Threads are numbered across all cores, objects
/// are identified by address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KernelFact {
    /// The thread exists, suspended.
    Created(u16),
    /// The thread becomes ready.
    Ready(u16),
    /// The thread enters a state that is not ready, optionally on an object.
    State {
        thread: u16,
        state: ThreadState,
        object: u64,
    },
    /// Whether the thread is suspended as soon as its wait ends.
    DelayedSuspend { thread: u16, is_set: bool },
    /// The thread let others of its priority run, if there are any.
    Relinquished(u16),
    /// The core switches to another thread; `None` is idle.
    Switch {
        core: u8,
        next: Option<u16>,
        /// The cause, if the core ran a thread before.
        cause: DispatchCause,
    },
    /// A handler starts; one that logs no entry has no number.
    Enter { core: u8, number: Option<u64> },
    /// The innermost handler ends.
    Exit { core: u8 },
    /// The thread will be suspended until it gets the mutex.
    Contends { thread: u16, mutex: u64, owner: u16 },
    /// The thread has this priority from now on.
    Priority { thread: u16, priority: u8 },
    /// The mutex is handed to a thread that waited for it.
    Owns { thread: u16, mutex: u64 },
    /// The owner and ownership count of a mutex from now on.
    Mutex {
        mutex: u64,
        owner: Option<u16>,
        count: u64,
    },
    /// The messages in a queue, or the count of a semaphore, from now on.
    Level(u64, u64),
    /// An item of the pipeline at the link of a stage, or in the stage.
    Item {
        item: u64,
        stage: u8,
        step: ItemStep,
    },
}

/// Records facts in the order of the events until they are taken.
#[derive(Debug, Clone, Default)]
pub(crate) struct FactLog {
    /// Facts, with the number of events logged before each.
    recorded: VecDeque<(usize, KernelFact)>,
}

impl FactLog {
    /// Records a fact caused by the last of `logged` events.
    ///
    /// Most simulations record no facts and must not pay for this.
    #[cold]
    pub(crate) fn record(&mut self, logged: usize, fact: KernelFact) {
        self.recorded.push_back((logged, fact));
    }

    /// Records a fact caused by an earlier event, before all other facts of
    /// that event.
    #[cold]
    pub(crate) fn record_at(&mut self, logged: usize, fact: KernelFact) {
        let index = self.recorded.partition_point(|(other, _)| *other < logged);
        self.recorded.insert(index, (logged, fact));
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
