//! RKH's trace stream with sequence numbers, 32-bit timestamps and checksums.

use crate::{call, case, inside, mark};
use core::hint::black_box;
use cost::{PRIMASK, buffer};
use rtoscope_record::port::{CycleCounter, Primask};
use rtoscope_record::rkh::filter::FilterSelection;
use rtoscope_record::rkh::{
    ActiveObject, Address, RkhRecorder, StreamConfiguration, StreamSetup, Unfiltered, item,
};

/// Setups in which all events pass, or only selected ones.
struct AllPass;
struct RuntimeFiltered;

impl StreamSetup for AllPass {
    const CONFIGURATION: StreamConfiguration = StreamConfiguration::DEFAULT;
    const FILTERS: bool = false;
    type Objects = Unfiltered;
    type Signals = Unfiltered;
}

impl StreamSetup for RuntimeFiltered {
    const CONFIGURATION: StreamConfiguration = StreamConfiguration::DEFAULT;
    const FILTERS: bool = true;
    type Objects = Unfiltered;
    type Signals = Unfiltered;
}

/// Flag, id, sequence number, timestamp, two pointers, checksum.
const TWO_POINTERS: usize = 1 + 1 + 4 + 8 + 1 + 1;

/// Defines a case that records two pointers, into a stream of its own; otherwise
/// identical functions would be merged.
macro_rules! record {
    ($($recorder:ident $setup:ident $case:ident)*) => {$(
        static $recorder: RkhRecorder<$setup, Primask, CycleCounter> =
            RkhRecorder::new(PRIMASK, CycleCounter);
        case!($case(object: u32, state: u32) {
            $recorder.sm_init(ActiveObject::new(Address(object), 1), Address(state));
        });
    )*};
}

record! {
    RECORD AllPass cost_rkh_record
    ESCAPED AllPass cost_rkh_escaped
    WRAP AllPass cost_rkh_wrap
    OFF AllPass cost_rkh_off
    FILTER RuntimeFiltered cost_rkh_filter
    FILTERED RuntimeFiltered cost_rkh_filtered
}

static OFF_INSIDE: RkhRecorder<AllPass, Primask, CycleCounter> =
    RkhRecorder::new(PRIMASK, CycleCounter);
inside!(
    off,
    "cost_from_rkh_off_inside",
    "cost_to_rkh_off_inside",
    OFF_INSIDE.sm_init(ActiveObject::new(Address(0x100), 1), Address(0x200))
);
case!(cost_rkh_user(first: u32, second: u32, third: u32) {
    FILTER.user(0, &[
        item::u8(3, first as u8),
        item::u16(4, second as u16),
        item::u32(5, third),
    ]);
});

/// Calls a case with two pointers.
macro_rules! pointers {
    ($case:ident) => {
        pointers!($case, 0x2000_1234, 0x5678)
    };
    ($case:ident, $object:literal, $state:literal) => {
        call!($case($object, $state): fn(u32, u32))
    };
}

/// A stream, accessed through an address that is opaque to the compiler, so that it knows
/// nothing of the state.
struct TestStream<S: StreamSetup + 'static> {
    recorder: &'static RkhRecorder<S, Primask, CycleCounter>,
    /// Number of bytes recorded so far.
    bytes: usize,
}

const LENGTH: usize = 96;

macro_rules! start {
    ($recorder:ident) => {{
        let recorder = black_box(&$recorder);
        let started = recorder.start(buffer!(BUFFER: [u8; LENGTH])).is_ok();
        let mut stream = TestStream { recorder, bytes: 0 };
        // The configuration of the target.
        let has_configuration = stream.drain() > 0;
        (stream, started & has_configuration)
    }};
}

impl<S: StreamSetup> TestStream<S> {
    /// Takes all bytes and returns their number.
    fn drain(&mut self) -> usize {
        let mut bytes = [0; LENGTH];
        let taken = self.recorder.take(&mut bytes);
        self.bytes += taken;
        taken
    }
}

pub(crate) fn run() -> bool {
    plain() & wrapped() & filtered()
}

fn plain() -> bool {
    let (mut stream, mut ok) = start!(RECORD);
    pointers!(cost_rkh_record);
    ok &= stream.drain() == TWO_POINTERS;
    let (mut stream, started) = start!(ESCAPED);
    pointers!(cost_rkh_escaped, 0x2000_7D7E, 0x7E7D);
    ok &= started & (stream.drain() == TWO_POINTERS + 4);
    pointers!(cost_rkh_off);
    off();
    ok & (black_box(&OFF).available() == 0)
}

fn wrapped() -> bool {
    let (mut stream, ok) = start!(WRAP);
    // The first byte, a flag, is not in the buffer.
    while (stream.bytes - 1) % LENGTH + TWO_POINTERS <= LENGTH {
        stream
            .recorder
            .sm_init(ActiveObject::new(Address(1), 1), Address(2));
        stream.drain();
    }
    pointers!(cost_rkh_wrap);
    ok & (stream.drain() == TWO_POINTERS)
}

fn filtered() -> bool {
    let (mut stream, mut ok) = start!(FILTER);
    ok &= stream.recorder.pass(FilterSelection::AllEvents).is_ok();
    pointers!(cost_rkh_filter);
    ok &= stream.drain() == TWO_POINTERS;
    call!(cost_rkh_user(1, 2, 3): fn(u32, u32, u32));
    ok &= stream.drain() == TWO_POINTERS - 8 + 2 + 3 + 5;
    let (mut stream, started) = start!(FILTERED);
    pointers!(cost_rkh_filtered);
    ok & started & (stream.drain() == 0)
}
