//! A firmware with RKH's trace stream: some of its records, a user record, the filter,
//! and a reader of the bytes.
#![no_std]
#![no_main]

use core::hint::black_box;
use cost::{PRIMASK, buffer};
use rtoscope_record::port::{CycleCounter, Primask};
use rtoscope_record::rkh::filter::FilterSelection;
use rtoscope_record::rkh::{
    ActiveObject, Address, FilterBits, RkhRecorder, StreamConfiguration, StreamSetup, item,
};

struct MemorySetup;

impl StreamSetup for MemorySetup {
    const CONFIGURATION: StreamConfiguration = StreamConfiguration::DEFAULT;
    type Objects = FilterBits<1>;
    type Signals = FilterBits<8>;
}

static TRACE: RkhRecorder<MemorySetup, Primask, CycleCounter> =
    RkhRecorder::new(PRIMASK, CycleCounter);

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    let started = TRACE.start(buffer!(BUFFER: [u8; 512])).is_ok();
    let passes = TRACE.pass(black_box(FilterSelection::AllEvents)).is_ok();
    let machine = ActiveObject::new(black_box(Address(0x2000)), black_box(1));
    let state = black_box(Address(0x1000));
    TRACE.fwk_ao(machine.address, black_box(b"machine"));
    TRACE.sm_init(machine, state);
    TRACE.sm_trn(machine, state, state);
    TRACE.sm_state(machine, state);
    TRACE.sm_evt_proc(machine);
    TRACE.user(
        black_box(0),
        &[item::u16(5, black_box(1200)), item::text(black_box(b"rpm"))],
    );
    let taken = TRACE.take(black_box(&mut [0; 64]));
    cost::end(started & passes & (taken > 0))
}
