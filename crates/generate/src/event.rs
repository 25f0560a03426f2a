//! Logged events before encoding, and their numbers.

/// An event as the kernel logs it. It fits a cache line, because billions of
/// them are processed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event {
    /// The time, in ticks of a clock that never wraps.
    pub(crate) time: u64,
    /// The context word.
    pub(crate) context: u64,
    /// The priority word.
    pub(crate) priority: u64,
    /// The four information fields.
    pub(crate) info: [u64; 4],
    /// The event's number, with the core's number.
    pub(crate) id: u32,
    /// The thread that its core switches to after it.
    pub(crate) dispatch: Dispatch,
}

/// A switch to a thread, attached to the event that causes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dispatch {
    /// The same thread continues, or the core becomes idle.
    None,
    /// This thread, numbered across all cores, starts to run.
    Thread(u16),
    /// Initialisation ends, and every core starts its first thread.
    Start,
}

/// `TX_WAIT_FOREVER`, which has 32 bits even with 8-byte words.
pub(crate) const WAIT_FOREVER: u64 = 0xFFFF_FFFF;
/// `TX_NO_WAIT`.
pub(crate) const NO_WAIT: u64 = 0;
/// Option of event flags: any flag is sufficient (`TX_OR`).
pub(crate) const OR: u64 = 0;
/// Option of event flags: any flag is sufficient and is cleared
/// (`TX_OR_CLEAR`).
pub(crate) const OR_CLEAR: u64 = 1;

/// Event numbers from `tx_trace.h`.
pub(crate) mod id {
    pub(crate) const THREAD_RESUME: u32 = 1;
    pub(crate) const THREAD_SUSPEND: u32 = 2;
    pub(crate) const ISR_ENTER: u32 = 3;
    pub(crate) const ISR_EXIT: u32 = 4;
    pub(crate) const TIME_SLICE: u32 = 5;
    pub(crate) const RUNNING: u32 = 6;
    pub(crate) const BLOCK_ALLOCATE: u32 = 10;
    pub(crate) const BLOCK_POOL_CREATE: u32 = 11;
    pub(crate) const BLOCK_RELEASE: u32 = 17;
    pub(crate) const BYTE_ALLOCATE: u32 = 20;
    pub(crate) const BYTE_POOL_CREATE: u32 = 21;
    pub(crate) const BYTE_RELEASE: u32 = 27;
    pub(crate) const EVENT_FLAGS_CREATE: u32 = 30;
    pub(crate) const EVENT_FLAGS_GET: u32 = 32;
    pub(crate) const EVENT_FLAGS_SET: u32 = 36;
    pub(crate) const MUTEX_CREATE: u32 = 50;
    pub(crate) const MUTEX_GET: u32 = 52;
    pub(crate) const MUTEX_PRIORITIZE: u32 = 56;
    pub(crate) const MUTEX_PUT: u32 = 57;
    pub(crate) const QUEUE_CREATE: u32 = 60;
    pub(crate) const QUEUE_FLUSH: u32 = 62;
    pub(crate) const QUEUE_RECEIVE: u32 = 68;
    pub(crate) const QUEUE_SEND: u32 = 69;
    pub(crate) const SEMAPHORE_CREATE: u32 = 81;
    pub(crate) const SEMAPHORE_GET: u32 = 83;
    pub(crate) const SEMAPHORE_PUT: u32 = 88;
    pub(crate) const THREAD_CREATE: u32 = 100;
    pub(crate) const THREAD_DELETE: u32 = 101;
    pub(crate) const THREAD_PRIORITY_CHANGE: u32 = 108;
    pub(crate) const THREAD_RELINQUISH: u32 = 109;
    pub(crate) const THREAD_RESET: u32 = 110;
    pub(crate) const THREAD_RESUME_API: u32 = 111;
    pub(crate) const THREAD_SLEEP: u32 = 112;
    pub(crate) const THREAD_SUSPEND_API: u32 = 114;
    pub(crate) const THREAD_TERMINATE: u32 = 115;
    pub(crate) const THREAD_WAIT_ABORT: u32 = 117;
}
