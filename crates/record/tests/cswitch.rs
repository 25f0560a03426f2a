#![allow(clippy::unwrap_used, reason = "a test may fail")]
#![allow(clippy::indexing_slicing, reason = "a test may fail")]
//! The context-switch recorders, read back by what reads their files.
#![cfg(not(loom))]

#[path = "cswitch/atomic.rs"]
mod atomic;
#[path = "cswitch/container.rs"]
mod container;
#[path = "cswitch/interrupted.rs"]
mod interrupted;
#[path = "cswitch/model.rs"]
mod model;
#[path = "cswitch/running.rs"]
mod running;

use rtoscope_record::cswitch::Entry;
use rtoscope_record::port::Clock;
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
