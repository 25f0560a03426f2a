//! Firmware of several configurations.

use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU32, Ordering};
use rtoscope_record::port::{Clock, Spin};
use rtoscope_record::rkh::filter::Selection;
use rtoscope_record::rkh::{Bits, Configuration, Overrun, Recorder, Setup, Unfiltered, Width};

/// A clock that is set by hand.
#[derive(Debug, Default)]
pub(crate) struct Hand(AtomicU32);

impl Hand {
    pub(crate) const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    pub(crate) fn set(&self, stamp: u32) {
        self.0.store(stamp, Ordering::Relaxed);
    }
}

impl Clock for &'static Hand {
    fn now(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

pub(crate) type Target<S> = Recorder<S, Spin, &'static Hand>;

/// A recorder with all filters open and a buffer of that size, and its clock.
pub(crate) fn started<S: Setup>(bytes: usize) -> (Target<S>, &'static Hand) {
    let clock: &'static Hand = Box::leak(Box::new(Hand::new()));
    (started_in(memory(bytes), clock), clock)
}

/// A recorder with all filters open.
pub(crate) fn started_in<S: Setup>(
    buffer: &'static mut [MaybeUninit<u8>],
    clock: &'static Hand,
) -> Target<S> {
    let target = Recorder::new(Spin::new(), clock);
    target.start(buffer).unwrap();
    for selection in [
        Selection::AllEvents,
        Selection::AllObjects,
        Selection::AllSignals,
    ] {
        target.pass(selection).unwrap();
    }
    target
}

/// A buffer for ever.
pub(crate) fn memory(bytes: usize) -> &'static mut [MaybeUninit<u8>] {
    Box::leak(vec![MaybeUninit::uninit(); bytes].into_boxed_slice())
}

/// All that waits, taken in pieces of that size.
pub(crate) fn drain<S: Setup>(target: &Target<S>, piece: usize) -> Vec<u8> {
    let mut stream = Vec::new();
    let mut bytes = vec![0; piece];
    loop {
        let waiting = target.waiting();
        let taken = target.take(&mut bytes);
        assert_eq!(taken, waiting.min(piece));
        if taken == 0 {
            return stream;
        }
        stream.extend_from_slice(&bytes[..taken]);
    }
}

macro_rules! setups {
    ($(
        $(#[$doc:meta])*
        $name:ident { $($field:ident: $value:expr),* }
        $overrun:ident $objects:ty, $signals:ty, $hz:literal
    )*) => {$(
        $(#[$doc])*
        pub(crate) enum $name {}
        impl Setup for $name {
            const CONFIGURATION: Configuration = Configuration {
                $($field: $value,)*
                ..FULL
            };
            const OVERRUN: Overrun = Overrun::$overrun;
            type Objects = $objects;
            type Signals = $signals;
            const POOLS: u8 = 4;
            const STAMP_HZ: u32 = $hz;
        }
    )*};
}

/// What RKH's own streams of this repository mostly have.
const FULL: Configuration = Configuration {
    sender: true,
    queue_marks: true,
    pool_marks: true,
    ..Configuration::DEFAULT
};

setups! {
    Base {} KeepOldest Bits<8>, Bits<32>, 1000
    Wide {
        signal: Width::Two, timer: Width::Four, blocks: Width::Two,
        block_size: Width::Four, elements: Width::Two, event_size: Width::Four
    } KeepOldest Bits<8>, Unfiltered, 1000
    Widest {
        signal: Width::Four, timer: Width::Four, blocks: Width::Four,
        block_size: Width::Four, elements: Width::Four, event_size: Width::Four
    } KeepOldest Unfiltered, Bits<64>, 0
    Short { stamp: Some(Width::Two) } KeepOldest Bits<8>, Bits<32>, 1000
    Narrow { stamp: Some(Width::One), pointer: Width::Two, function: Width::Two }
        KeepOldest Bits<1>, Bits<1>, 1000
    Near { pointer: Width::Two, function: Width::Two } KeepOldest Bits<8>, Bits<32>, 1000
    Senderless { sender: false } KeepOldest Bits<8>, Bits<32>, 1_000_000
    Quiet { sender: false } KeepOldest Bits<8>, Bits<32>, 1000
    Unsummed { checksum: false } KeepOldest Bits<8>, Bits<32>, 1000
    Unnumbered { sequence: false } KeepOldest Bits<8>, Bits<32>, 1000
    /// Neither numbers nor stamps nor checksums.
    Bare { sequence: false, stamp: None, checksum: false }
        KeepOldest Bits<8>, Bits<32>, 0
    Flight {} OverwriteOldest Bits<8>, Bits<32>, 1000
    FlightUnnumbered { sequence: false } OverwriteOldest Bits<8>, Bits<32>, 1000
    FlightBare { sequence: false, stamp: None, checksum: false }
        OverwriteOldest Bits<8>, Bits<32>, 0
}
