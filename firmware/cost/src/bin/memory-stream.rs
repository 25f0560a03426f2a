//! A firmware with a compact stream: all functions that its kernel's hooks call, names, a
//! reader of the bytes, and commands of the host.
#![no_std]
#![no_main]

use core::hint::black_box;
use cost::{PRIMASK, buffer};
use rtoscope_record::port::{CycleCounter, Primask};
use rtoscope_record::stream::{CompactStream, ThreadState};

static STREAM: CompactStream<Primask, CycleCounter> = CompactStream::new(PRIMASK, CycleCounter);

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    let started = STREAM.start(buffer!(BUFFER: [u32; 256]), black_box(25_000_000));
    let thread = black_box(0x2000_1000);
    let named = STREAM.name(thread, black_box("camera"))
        & STREAM.name_handler(black_box(15), black_box("SysTick"));
    STREAM.resume(thread);
    STREAM.idle();
    STREAM.ready(thread);
    STREAM.wait(black_box(ThreadState::QUEUE));
    STREAM.isr_enter(black_box(15));
    STREAM.isr_exit(black_box(15));
    STREAM.marker(black_box(1), black_box(2));
    let mut bytes = [0; 256];
    let read = STREAM.read(black_box(&mut bytes));
    STREAM.take(black_box(&bytes));
    cost::end(started & named & (read > 0) & (STREAM.lost() == 0))
}
