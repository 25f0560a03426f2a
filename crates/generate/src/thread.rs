//! Simulated threads.

use crate::role::Role;
use crate::thread_list::ThreadList;
use rtoscope_wire::threadx::PRIORITY_VALID;

/// The index of a thread among those of its core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ThreadIndex(pub(crate) u16);

impl ThreadIndex {
    #[inline]
    pub(crate) fn slot(self) -> usize {
        usize::from(self.0)
    }
}

/// Thread states of `tx_api.h` that the simulation uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ThreadState {
    Ready = 0,
    Completed = 1,
    Terminated = 2,
    Suspended = 3,
    Sleep = 4,
    QueueSuspended = 5,
    SemaphoreSuspended = 6,
    EventFlagsSuspended = 7,
    MutexSuspended = 13,
    /// Ready, but temporarily in no list (`TX_PRIORITY_CHANGE`).
    PriorityChange = 14,
    /// The thread does not exist; not a state of the kernel.
    Deleted = 255,
}

impl ThreadState {
    /// The state as an information field.
    #[inline]
    pub(crate) fn word(self) -> u64 {
        self as u64
    }

    /// Whether the thread can be reset and deleted.
    pub(crate) fn is_end(self) -> bool {
        matches!(self, Self::Completed | Self::Terminated)
    }

    /// Whether the state is a wait that can be aborted and delays a suspension.
    pub(crate) fn is_wait(self) -> bool {
        (Self::Sleep.word()..=Self::MutexSuspended.word()).contains(&self.word())
    }
}

/// What a thread is blocked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitTarget {
    /// Its deadline (sleep).
    Time,
    /// The device semaphore of its set.
    Device,
    /// The work semaphore of its set.
    Work,
    /// The mutex of its set.
    Mutex,
    /// A message in the queue of its set.
    Message,
    /// Room for a message in that queue.
    Room,
    /// Its event flag.
    Flag,
    /// An item of the pipeline.
    Item,
    /// Room for an item in the link of the next stage.
    ItemRoom,
}

/// A block that a thread holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeldBlock {
    /// The slot of the pool.
    pub(crate) slot: u8,
    /// Requested size in bytes.
    pub(crate) bytes: u64,
}

/// A thread: identity, progress and resources.
#[derive(Debug, Clone)]
pub(crate) struct Thread {
    /// Address of the control block.
    pub(crate) pointer: u64,
    /// Lowest address of the stack.
    pub(crate) stack_start: u64,
    /// Number of the thread, counted over all cores from 0.
    pub(crate) number: u16,
    pub(crate) state: ThreadState,
    /// Whether it is suspended as soon as its wait ends.
    pub(crate) delayed_suspend: bool,
    /// The effective priority: its own or an inherited one.
    pub(crate) priority: u8,
    /// The priority set by the application.
    pub(crate) own_priority: u8,
    /// The highest priority of threads that wait, or waited, for its mutex with
    /// inheritance.
    pub(crate) inherited_priority: u8,
    pub(crate) role: &'static Role,
    /// The script step after the current computation.
    pub(crate) step: u8,
    /// The set of objects that it uses.
    pub(crate) set: u16,
    /// The event flag that it waits for or sets.
    pub(crate) flag: u32,
    /// Ticks to compute before the next step.
    pub(crate) work: u64,
    pub(crate) block: Option<HeldBlock>,
    pub(crate) bytes: Option<HeldBlock>,
    /// Timer interrupts until the time slice ends.
    pub(crate) slice: u8,
    /// The timer interrupt that ends its wait; 0 if none does.
    pub(crate) deadline: u64,
    /// What it is blocked on, if it is.
    pub(crate) wait_target: WaitTarget,
    /// The next thread in its list.
    pub(crate) next: Option<ThreadIndex>,
}

/// Value of the inherited priority without inheritance: below all others
/// (`TX_MAX_PRIORITIES`).
pub(crate) const NO_PRIORITY: u8 = 32;

impl Thread {
    /// The priority word of its events: threshold and priority are equal.
    #[inline]
    pub(crate) fn priority_word(&self) -> u64 {
        let priority = u32::from(self.priority);
        u64::from(PRIORITY_VALID | priority << 16 | priority)
    }
}

/// Threads that wait for an object, in order of arrival.
pub(crate) type Waiters = ThreadList;
