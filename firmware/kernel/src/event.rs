//! The events of the kernel.

use crate::{State, Thread};

/// An event of the kernel. `next` is the ready thread of the highest priority after the
/// event, if there is one.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "fields say what they are")]
pub enum Event<'a> {
    /// A thread was created, before the kernel runs.
    Created { thread: &'a Thread },
    /// A waiting or new thread became ready. `displaced` was the next thread until then.
    Resumed {
        thread: &'a Thread,
        from: State,
        next: Option<&'a Thread>,
        displaced: Option<&'a Thread>,
    },
    /// The running thread has to wait.
    Suspended {
        thread: &'a Thread,
        into: State,
        next: Option<&'a Thread>,
    },
    /// The priority of a ready thread changed.
    PriorityChanged {
        thread: &'a Thread,
        next: Option<&'a Thread>,
    },
    /// The time slice of a thread has expired, and others of its priority are ready.
    TimeSliceExpired {
        thread: &'a Thread,
        next: Option<&'a Thread>,
    },
    /// A thread starts running; `interrupted` is true if an interrupt had stopped it.
    Dispatched {
        thread: &'a Thread,
        interrupted: bool,
        address: usize,
    },
    /// No thread is ready: the core waits.
    IdleEntered,
    /// An interrupt occurred while the core waited.
    IdleLeft,
    /// A handler begins; `depth` includes it.
    InterruptEntered {
        number: u32,
        handler: usize,
        depth: u32,
    },
    /// A handler ends; `depth` still includes it.
    InterruptLeft {
        number: u32,
        handler: usize,
        depth: u32,
    },
    /// After the outermost handler, the interrupted thread continues.
    Returned { thread: &'a Thread, address: usize },
    /// The kernel or a thread disabled interrupts, which may have been disabled already.
    InterruptsDisabled { already: bool, address: usize },
    /// The previous interrupt state is restored.
    InterruptsRestored { still: bool, address: usize },
    /// The running thread calls sleep.
    Sleep { ticks: u32 },
    /// A thread takes a count.
    SemaphoreGet { semaphore: usize, count: u32 },
    /// A thread or a handler puts a count.
    SemaphorePut {
        semaphore: usize,
        count: u32,
        waiting: u32,
    },
    /// A thread acquires a mutex.
    MutexGet {
        mutex: usize,
        owner: Option<&'a Thread>,
    },
    /// The owner of a mutex releases it.
    MutexPut { mutex: usize, owner: &'a Thread },
    /// A message is sent to a queue that contains `used` messages of `capacity`.
    QueueSend {
        queue: usize,
        message: u32,
        used: u32,
        capacity: u32,
        waiting: u32,
    },
    /// A message is received from a queue that contains `used` messages of `capacity`.
    QueueReceive {
        queue: usize,
        used: u32,
        capacity: u32,
    },
    /// A thread received a message; `used` messages remain.
    QueueReceived {
        queue: usize,
        message: u32,
        used: u32,
        capacity: u32,
    },
}

/// Receives all events of the kernel.
pub trait Observer {
    /// Handles an event. Its context is the running thread, if there is one, or `depth`
    /// nested interrupts. Interrupts are off.
    fn observe(&self, running: Option<&Thread>, depth: u32, event: Event<'_>);
}
