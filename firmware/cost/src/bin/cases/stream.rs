//! The compact stream.

use crate::{call, case};
use core::hint::black_box;
use cost::{CYCLES, PRIMASK, buffer};
use rtoscope_record::port::{CounterRegister, Primask};
use rtoscope_record::stream::{CompactStream, ThreadState};

type MaskedStream = CompactStream<Primask, CounterRegister>;

static STREAM: MaskedStream = CompactStream::new(PRIMASK, CYCLES);
static OFF: MaskedStream = CompactStream::new(PRIMASK, CYCLES);
static SHORT: MaskedStream = CompactStream::new(PRIMASK, CYCLES);
static LONG: MaskedStream = CompactStream::new(PRIMASK, CYCLES);

case!(cost_stream_switch(thread: u32) { STREAM.resume(thread); });
case!(cost_stream_switch_short(thread: u8) { STREAM.resume_short(thread); });
case!(cost_stream_isr_enter(handler: u8) { STREAM.isr_enter(handler); });
case!(cost_stream_marker(marker: u32, value: u32) { STREAM.marker(marker, value); });
case!(cost_stream_off(thread: u32) { OFF.resume(thread); });
case!(cost_stream_read(bytes: &mut [u8; 1024]) -> usize { SHORT.read(bytes) });
case!(cost_hundred_stream_read(bytes: &mut [u8; 1024]) -> usize { LONG.read(bytes) });

/// Reads one entry, and a hundred more: four of 4 bytes for each of 8.
fn read() -> bool {
    let mut ok = black_box(&SHORT).start(buffer!(SHORT_BUFFER: [u32; 64]), 25_000_000);
    ok &= black_box(&LONG).start(buffer!(LONG_BUFFER: [u32; 256]), 25_000_000);
    SHORT.isr_enter(15);
    LONG.isr_enter(15);
    for _ in 0..20 {
        LONG.isr_enter(15);
        LONG.ready_short(3);
        LONG.isr_exit(15);
        LONG.wait(ThreadState::QUEUE);
        LONG.resume(0x2000_1000);
    }
    let mut bytes = [0; 1024];
    let short = call!(cost_stream_read(&mut bytes): fn(&mut [u8; 1024]) -> usize);
    let long = call!(cost_hundred_stream_read(&mut bytes): fn(&mut [u8; 1024]) -> usize);
    ok & (short == 24 + 28 + 36 + 4 + 20) & (long == 24 + 28 + 36 + 4 * 121 + 20)
}

pub(crate) fn run() -> bool {
    let mut ok = read() & black_box(&STREAM).start(buffer!(BUFFER: [u32; 256]), 25_000_000);
    call!(cost_stream_switch(0x2000_1000): fn(u32));
    call!(cost_stream_switch_short(7): fn(u8));
    call!(cost_stream_isr_enter(15): fn(u8));
    call!(cost_stream_marker(3, 1): fn(u32, u32));
    call!(cost_stream_off(0x2000_1000): fn(u32));
    // A header, a history, entries of 2, 1, 1 and 3 words, and the end.
    let mut bytes = [0; 256];
    let length = black_box(&STREAM).read(&mut bytes);
    ok &= length == 24 + 12 + 16 + 12 + 24 + 4 * 7 + 20;
    ok & (black_box(&STREAM).lost() == 0) & (black_box(&OFF).read(&mut bytes) == 0)
}
