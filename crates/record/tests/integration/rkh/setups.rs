//! Firmware of several configurations.

use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU32, Ordering};
use rtoscope_record::port::{Clock, SpinLock};
use rtoscope_record::rkh::filter::FilterSelection;
use rtoscope_record::rkh::{
    FieldWidth, FilterBits, OverrunPolicy, RkhRecorder, StreamConfiguration, StreamSetup,
    Unfiltered,
};

/// A clock set by the test.
#[derive(Debug, Default)]
pub(crate) struct ManualClock(AtomicU32);

impl ManualClock {
    pub(crate) const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    pub(crate) fn set(&self, timestamp: u32) {
        self.0.store(timestamp, Ordering::Relaxed);
    }
}

impl Clock for &'static ManualClock {
    fn now(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

pub(crate) type TestRecorder<S> = RkhRecorder<S, SpinLock, &'static ManualClock>;

/// A recorder without suppressed records and with a buffer of this size, and its clock.
pub(crate) fn started<S: StreamSetup>(bytes: usize) -> (TestRecorder<S>, &'static ManualClock) {
    let clock: &'static ManualClock = Box::leak(Box::new(ManualClock::new()));
    (started_in(memory(bytes), clock), clock)
}

/// A recorder without suppressed records.
pub(crate) fn started_in<S: StreamSetup>(
    buffer: &'static mut [MaybeUninit<u8>],
    clock: &'static ManualClock,
) -> TestRecorder<S> {
    let target = RkhRecorder::new(SpinLock::new(), clock);
    target.start(buffer).unwrap();
    for selection in [
        FilterSelection::AllEvents,
        FilterSelection::AllObjects,
        FilterSelection::AllSignals,
    ] {
        target.pass(selection).unwrap();
    }
    target
}

/// A buffer that lives for ever.
pub(crate) fn memory(bytes: usize) -> &'static mut [MaybeUninit<u8>] {
    Box::leak(vec![MaybeUninit::uninit(); bytes].into_boxed_slice())
}

/// All available bytes, taken in chunks of this size.
pub(crate) fn drain<S: StreamSetup>(target: &TestRecorder<S>, piece: usize) -> Vec<u8> {
    let mut stream = Vec::new();
    let mut bytes = vec![0; piece];
    loop {
        let waiting = target.available();
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
        impl StreamSetup for $name {
            const CONFIGURATION: StreamConfiguration = StreamConfiguration {
                $($field: $value,)*
                ..FULL
            };
            const OVERRUN: OverrunPolicy = OverrunPolicy::$overrun;
            type Objects = $objects;
            type Signals = $signals;
            const EVENT_POOLS: u8 = 4;
            const TIMESTAMP_HZ: u32 = $hz;
        }
    )*};
}

/// The configuration of most RKH streams in this repository.
const FULL: StreamConfiguration = StreamConfiguration {
    sender: true,
    queue_low_water: true,
    pool_low_water: true,
    ..StreamConfiguration::DEFAULT
};

setups! {
    Base {} KeepOldest FilterBits<8>, FilterBits<32>, 1000
    Wide {
        signal: FieldWidth::Two, timer_ticks: FieldWidth::Four, block_count: FieldWidth::Two,
        block_size: FieldWidth::Four, element_count: FieldWidth::Two, event_size: FieldWidth::Four
    } KeepOldest FilterBits<8>, Unfiltered, 1000
    Widest {
        signal: FieldWidth::Four, timer_ticks: FieldWidth::Four, block_count: FieldWidth::Four,
        block_size: FieldWidth::Four, element_count: FieldWidth::Four, event_size: FieldWidth::Four
    } KeepOldest Unfiltered, FilterBits<64>, 0
    Short { timestamp: Some(FieldWidth::Two) } KeepOldest FilterBits<8>, FilterBits<32>, 1000
    Narrow { timestamp: Some(FieldWidth::One), pointer: FieldWidth::Two, function: FieldWidth::Two }
        KeepOldest FilterBits<1>, FilterBits<1>, 1000
    Near { pointer: FieldWidth::Two, function: FieldWidth::Two } KeepOldest FilterBits<8>, FilterBits<32>, 1000
    Senderless { sender: false } KeepOldest FilterBits<8>, FilterBits<32>, 1_000_000
    Quiet { sender: false } KeepOldest FilterBits<8>, FilterBits<32>, 1000
    Unsummed { checksum: false } KeepOldest FilterBits<8>, FilterBits<32>, 1000
    Unnumbered { sequence: false } KeepOldest FilterBits<8>, FilterBits<32>, 1000
    /// Without sequence numbers, timestamps and checksums.
    Bare { sequence: false, timestamp: None, checksum: false }
        KeepOldest FilterBits<8>, FilterBits<32>, 0
    /// Ids of several bytes.
    WideIds { id: FieldWidth::Two } KeepOldest FilterBits<8>, FilterBits<32>, 1000
    WidestIds { id: FieldWidth::Four, timestamp: Some(FieldWidth::Two), signal: FieldWidth::Four }
        KeepOldest FilterBits<8>, FilterBits<32>, 1000
    /// Checksums without the timestamp.
    Uncovered { checksum_covers_timestamp: false } KeepOldest FilterBits<8>, FilterBits<32>, 1000
    UncoveredShort {
        checksum_covers_timestamp: false, timestamp: Some(FieldWidth::Two), id: FieldWidth::Two
    } KeepOldest FilterBits<8>, FilterBits<32>, 1000
    UncoveredByte { checksum_covers_timestamp: false, timestamp: Some(FieldWidth::One) }
        KeepOldest FilterBits<8>, FilterBits<32>, 1000
    Flight {} OverwriteOldest FilterBits<8>, FilterBits<32>, 1000
    FlightUnnumbered { sequence: false } OverwriteOldest FilterBits<8>, FilterBits<32>, 1000
    FlightBare { sequence: false, timestamp: None, checksum: false }
        OverwriteOldest FilterBits<8>, FilterBits<32>, 0
}
