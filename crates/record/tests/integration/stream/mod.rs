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
    assert_eq!(stream.pending(), 0);
    stream.resume(1);
    assert_eq!(stream.pending(), 8);
    assert_eq!(stream.read(&mut bytes[..255]), 0, "a buffer too small");
    stream.stop();
    stream.resume(2);
    assert_eq!(stream.pending(), 8);
    assert!(
        stream.read(&mut bytes) > 0,
        "it was recorded before the end"
    );
    assert_eq!((stream.read(&mut bytes), stream.lost()), (0, 0));
    assert!(stream.restart(0));
    assert_eq!(stream.read(&mut bytes), 0);
}

/// Handlers record more while a container is sent than it contains.
#[test]
fn a_sender_that_cannot_keep_up_ends_and_loses_only_what_is_counted() {
    let clock = TestClock::default();
    let stream = stream(&clock);
    assert!(stream.start(ring(256), 0));
    let mut received = received::Received::default();
    let mut recorded = 0;
    for _wake_up in 0..50 {
        let mut bytes = [0; 256];
        for _ in 0..4 {
            if stream.pending() < 128 {
                break;
            }
            let length = stream.read(&mut bytes);
            received.push(&bytes[..length]);
            for _ in 0..40 {
                clock.0.set(clock.0.get() + 1);
                stream.isr_enter(7);
                recorded += 1;
            }
        }
        clock.0.set(clock.0.get() + 1);
        for _ in 0..40 {
            stream.isr_exit(7);
            recorded += 1;
        }
    }
    assert!(stream.lost() > 0);
    while stream.pending() > 0 {
        let mut bytes = [0; 256];
        let length = stream.read(&mut bytes);
        received.push(&bytes[..length]);
    }
    let lost = u64::from(stream.lost());
    assert_eq!(received.entries.len() as u64 + lost, recorded);
}
