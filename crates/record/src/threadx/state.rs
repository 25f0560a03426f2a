use super::{InfoField, WordWidth};

/// The state of a thread: `tx_thread_state` (`tx_api.h`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct ThreadState(pub u32);

macro_rules! states {
    ($($number:literal $constant:ident $doc:literal)*) => {
        impl ThreadState {
            $(#[doc = $doc] pub const $constant: Self = Self($number);)*
        }
    };
}

states! {
    0 READY "`TX_READY`: it can run."
    1 COMPLETED "`TX_COMPLETED`: its function has returned."
    2 TERMINATED "`TX_TERMINATED`."
    3 SUSPENDED "`TX_SUSPENDED`: until another thread resumes it."
    4 SLEEP "`TX_SLEEP`: for a time."
    5 QUEUE "`TX_QUEUE_SUSP`: for a message, or room for one."
    6 SEMAPHORE "`TX_SEMAPHORE_SUSP`."
    7 EVENT_FLAGS "`TX_EVENT_FLAG`."
    8 BLOCK_POOL "`TX_BLOCK_MEMORY`."
    9 BYTE_POOL "`TX_BYTE_MEMORY`."
    10 DRIVER "`TX_IO_DRIVER`: for a driver."
    11 FILE "`TX_FILE`: for a file."
    12 NETWORK "`TX_TCP_IP`: for the network."
    13 MUTEX "`TX_MUTEX_SUSP`."
    14 PRIORITY_CHANGE "`TX_PRIORITY_CHANGE`: it does not wait, but moves to its new priority."
}

impl InfoField for ThreadState {
    #[inline(always)]
    fn word<W: WordWidth>(self) -> W {
        W::from(self.0)
    }
}

/// Wait option of a call that returns at once (`TX_NO_WAIT`).
pub const NO_WAIT: u32 = 0;

/// Wait option of a call that waits for ever (`TX_WAIT_FOREVER`). Any other value is a
/// number of ticks.
pub const WAIT_FOREVER: u32 = 0xFFFF_FFFF;
