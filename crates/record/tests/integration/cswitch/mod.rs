//! The context-switch recorders, read back by the reader of their files.

mod atomic;
pub(crate) mod container;
mod interrupted;
mod model;
mod new_entries;
mod running;

use rtoscope_record::cswitch::{BufferMode, LogEntry, SwitchLog};
use rtoscope_record::port::{Clock, SpinLock};
use std::cell::Cell;
use std::mem::MaybeUninit;

/// A clock that counts its calls, from `start` on.
struct CountingClock(Cell<u32>);

impl CountingClock {
    fn from(start: u32) -> Self {
        Self(Cell::new(start))
    }
}

impl Clock for CountingClock {
    fn now(&self) -> u32 {
        self.0.set(self.0.get().wrapping_add(1));
        self.0.get()
    }
}

fn buffer(entries: usize) -> &'static mut [MaybeUninit<LogEntry>] {
    Box::leak(vec![MaybeUninit::uninit(); entries].into_boxed_slice())
}

#[test]
fn a_buffer_that_cannot_be_written_is_rejected() {
    let log = SwitchLog::new(SpinLock::new(), CountingClock::from(0));
    let memory = Box::leak(vec![0_u64; 32].into_boxed_slice());
    let memory: *mut LogEntry = memory.as_mut_ptr().cast();
    let start = |memory, entries| {
        // SAFETY: the memory lives for ever, or is rejected.
        unsafe { log.start_raw(memory, entries, BufferMode::Cyclic) }
    };
    for off in 1..std::mem::align_of::<LogEntry>() {
        assert!(
            !start(memory.cast::<u8>().wrapping_add(off).cast(), 4),
            "{off}"
        );
    }
    assert!(!start(std::ptr::null_mut(), 4));
    assert!(!start(memory, usize::MAX / std::mem::size_of::<LogEntry>()));
    assert!(!start(memory, usize::MAX));
    assert!(!log.is_on());
    assert!(start(memory, 4));
    assert!(!start(memory, 4), "one is running");
}
