//! What the kernel tells about itself.

use crate::{State, Thread};

/// Something that happened in the kernel. Threads that are next are the ready
/// ones that have the highest priority afterwards, if there are any.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "fields say what they are")]
pub enum Event<'a> {
    /// A thread exists, before the kernel runs.
    Created { thread: &'a Thread },
    /// A thread that waited, or was new, became ready. `displaced` was next
    /// until then.
    Resumed {
        thread: &'a Thread,
        from: State,
        next: Option<&'a Thread>,
        displaced: Option<&'a Thread>,
    },
    /// The thread that executes has to wait.
    Suspended {
        thread: &'a Thread,
        into: State,
        next: Option<&'a Thread>,
    },
    /// A ready thread has another priority.
    Reprioritized {
        thread: &'a Thread,
        next: Option<&'a Thread>,
    },
    /// A thread's slice is over, and others of its priority are ready.
    SliceOver {
        thread: &'a Thread,
        next: Option<&'a Thread>,
    },
    /// A thread executes from here on; `interrupted` says that it was an
    /// interrupt that stopped it before.
    Dispatched {
        thread: &'a Thread,
        interrupted: bool,
        address: usize,
    },
    /// There is nothing to do: the processor waits.
    IdleEntered,
    /// An interrupt came while the processor waited.
    IdleLeft,
    /// A handler begins; `depth` counts it.
    InterruptEntered {
        number: u32,
        handler: usize,
        depth: u32,
    },
    /// A handler ends; `depth` still counts it.
    InterruptLeft {
        number: u32,
        handler: usize,
        depth: u32,
    },
    /// After the outermost handler the thread goes on that was interrupted.
    Returned { thread: &'a Thread, address: usize },
    /// The kernel or a thread disabled interrupts, which perhaps they were.
    InterruptsDisabled { already: bool, address: usize },
    /// They are what they were before.
    InterruptsRestored { still: bool, address: usize },
    /// The thread that executes wants to sleep.
    Sleeps { ticks: u32 },
    /// A count is to be taken.
    SemaphoreGet { semaphore: usize, count: u32 },
    /// A count is put.
    SemaphorePut {
        semaphore: usize,
        count: u32,
        waiting: u32,
    },
    /// A mutex is to be taken.
    MutexGet {
        mutex: usize,
        owner: Option<&'a Thread>,
    },
    /// A mutex is given back by the thread that has it.
    MutexPut { mutex: usize, owner: &'a Thread },
    /// A message is sent. There are `used` before, of `capacity`.
    QueueSend {
        queue: usize,
        message: u32,
        used: u32,
        capacity: u32,
        waiting: u32,
    },
    /// A message is to be received. There are `used` before, of `capacity`.
    QueueReceive {
        queue: usize,
        used: u32,
        capacity: u32,
    },
    /// A message came to the thread that received it; `used` are left.
    QueueReceived {
        queue: usize,
        message: u32,
        used: u32,
        capacity: u32,
    },
}

/// Who hears of everything.
pub trait Observer {
    /// An event, in the context of the thread that executes, if one does, or of
    /// `depth` interrupts on top of it. Interrupts are off meanwhile.
    fn observe(&self, executing: Option<&Thread>, depth: u32, event: Event<'_>);
}
