//! The compact stream, read back by the reader of its format.

mod c_header;
mod interrupted;
mod names;
mod properties;
pub(crate) mod received;

use rtoscope_record::port::{Clock, SpinLock};
use rtoscope_record::stream::{CompactStream, MIN_RING_WORDS};
use std::cell::Cell;
use std::mem::MaybeUninit;

/// A clock that the test sets.
#[derive(Default)]
pub(crate) struct TestClock(Cell<u32>);

impl Clock for TestClock {
    fn now(&self) -> u32 {
        self.0.get()
    }
}

impl Clock for &TestClock {
    fn now(&self) -> u32 {
        self.0.get()
    }
}

type TestStream<'a> = CompactStream<SpinLock, &'a TestClock, 4>;

fn stream(clock: &TestClock) -> TestStream<'_> {
    CompactStream::new(SpinLock::new(), clock)
}

pub(crate) fn ring(words: usize) -> &'static mut [MaybeUninit<u32>] {
    Box::leak(vec![MaybeUninit::uninit(); words].into_boxed_slice())
}

#[test]
fn a_stream_without_a_ring_records_nothing() {
    let clock = TestClock::default();
    let stream = stream(&clock);
    let mut bytes = [0; 256];
    stream.resume(1);
    stream.idle();
    stream.stop();
    stream.pause(false);
    stream.resend_names();
    assert!(!stream.restart(0));
    assert!(!stream.start(ring(MIN_RING_WORDS - 1), 0));
    assert_eq!((stream.read(&mut bytes), stream.lost()), (0, 0));

    assert!(stream.start(ring(MIN_RING_WORDS), 0));
    assert!(!stream.start(ring(MIN_RING_WORDS), 0), "one is running");
    assert!(!stream.restart(0), "one is running");
    stream.resume(1);
    assert_eq!(stream.read(&mut bytes[..255]), 0, "a buffer too small");
    stream.stop();
    stream.resume(2);
    assert!(
        stream.read(&mut bytes) > 0,
        "it was recorded before the end"
    );
    assert_eq!((stream.read(&mut bytes), stream.lost()), (0, 0));
    assert!(stream.restart(0));
    assert_eq!(stream.read(&mut bytes), 0);
}
