#![allow(clippy::unwrap_used, reason = "a test may fail")]
#![allow(clippy::indexing_slicing, reason = "a test may fail")]
//! The context-switch recorders, read back by what reads their files.
#![cfg(not(loom))]

mod atomic;
mod container;
mod interrupted;
mod model;
mod running;

use rtoscope_record::cswitch::{Entry, Log, Mode};
use rtoscope_record::port::{Clock, Spin};
use std::cell::Cell;
use std::mem::MaybeUninit;

/// A clock that counts how often it was asked, from `start` on.
struct Count(Cell<u32>);

impl Count {
    fn from(start: u32) -> Self {
        Self(Cell::new(start))
    }
}

impl Clock for Count {
    fn now(&self) -> u32 {
        self.0.set(self.0.get().wrapping_add(1));
        self.0.get()
    }
}

fn buffer(entries: usize) -> &'static mut [MaybeUninit<Entry>] {
    Box::leak(vec![MaybeUninit::uninit(); entries].into_boxed_slice())
}

#[test]
fn a_buffer_that_cannot_be_written_is_refused() {
    let log = Log::new(Spin::new(), Count::from(0));
    let memory = Box::leak(vec![0_u64; 32].into_boxed_slice());
    let memory: *mut Entry = memory.as_mut_ptr().cast();
    let start = |memory, entries| {
        // SAFETY: memory for ever, or refused.
        unsafe { log.start_raw(memory, entries, Mode::Cyclic) }
    };
    for off in 1..std::mem::align_of::<Entry>() {
        assert!(
            !start(memory.cast::<u8>().wrapping_add(off).cast(), 4),
            "{off}"
        );
    }
    assert!(!start(std::ptr::null_mut(), 4));
    assert!(!start(memory, usize::MAX / std::mem::size_of::<Entry>()));
    assert!(!start(memory, usize::MAX));
    assert!(!log.is_on());
    assert!(start(memory, 4));
    assert!(!start(memory, 4), "one is running");
}
