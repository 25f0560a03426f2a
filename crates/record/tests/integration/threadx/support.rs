//! A clock set by the tests, a mask that must not nest, and memory.

use rtoscope_record::port::{Clock, Mask};
use rtoscope_record::threadx::{ThreadXRecorder, WordWidth};
use std::cell::Cell;
use std::mem::MaybeUninit;

thread_local! {
    static NOW: Cell<u32> = const { Cell::new(0) };
}

/// Sets the value of [`ManualClock`].
pub(crate) fn set_time(now: u32) {
    NOW.with(|it| it.set(now));
}

/// A clock with a value set by the test.
pub(crate) struct ManualClock;

impl Clock for ManualClock {
    fn now(&self) -> u32 {
        NOW.with(Cell::get)
    }
}

/// A mask for one thread that panics when it is nested.
#[derive(Default)]
pub(crate) struct NonNestingMask(Cell<bool>);

// SAFETY: only one thread can use the value, and none of its calls overlap.
unsafe impl Mask for NonNestingMask {
    type State = ();

    fn acquire(&self) {
        assert!(!self.0.replace(true), "the recorder nests its mask");
    }

    unsafe fn release(&self, (): ()) {
        assert!(self.0.replace(false), "the recorder was not masked");
    }
}

/// A recorder for one thread.
pub(crate) type LocalRecorder<W> = ThreadXRecorder<NonNestingMask, ManualClock, W>;

/// Memory with arbitrary content.
pub(crate) fn memory<W: WordWidth>(words: usize) -> &'static mut [MaybeUninit<W>] {
    let junk = W::from(0xA5A5_A5A5);
    Box::leak(vec![MaybeUninit::new(junk); words].into_boxed_slice())
}

/// The bytes of a disabled recorder; frees its memory.
pub(crate) fn take_bytes<W: WordWidth>(recorder: &LocalRecorder<W>) -> Vec<u8> {
    let words = recorder.take_buffer().unwrap();
    let length = std::mem::size_of_val(words);
    // SAFETY: initialised words, read as bytes until they are freed; they were boxed by
    // `memory`.
    unsafe {
        let bytes = std::slice::from_raw_parts(words.as_ptr().cast::<u8>(), length).to_vec();
        drop(Box::from_raw(words));
        bytes
    }
}
