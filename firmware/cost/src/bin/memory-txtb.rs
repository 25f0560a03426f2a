//! A firmware with a ThreadX event trace: all functions that its kernel's hooks call. A
//! debugger reads the buffer.
#![no_std]
#![no_main]

use core::hint::black_box;
use cost::{PRIMASK, buffer};
use rtoscope_record::port::{CycleCounter, Primask};
use rtoscope_record::threadx::{
    EventGroups, ObjectType, Thread, ThreadXRecorder, Ulong, buffer_words,
};

static TRACE: ThreadXRecorder<Primask, CycleCounter> = ThreadXRecorder::new(PRIMASK, CycleCounter);

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    let memory = buffer!(BUFFER: [Ulong; buffer_words::<Ulong>(8, 64)]);
    let enabled = TRACE.enable(memory, black_box(8)).is_ok();
    TRACE.enter_thread(Thread::new(black_box(0x2000), black_box(7)));
    TRACE.register(
        ObjectType::QUEUE,
        black_box(0x3000),
        black_box("queue"),
        [1, 2],
    );
    TRACE.insert(EventGroups::QUEUE, black_box(68), black_box([1, 2, 3, 4]));
    TRACE.user_event(black_box(4096), black_box([1, 2, 3, 4]));
    TRACE.isr_enter(black_box(1));
    TRACE.isr_exit(black_box(1));
    TRACE.unregister(black_box(0x3000));
    TRACE.event_filter(black_box(EventGroups::QUEUE));
    TRACE.event_unfilter(black_box(EventGroups::QUEUE));
    cost::end(enabled & TRACE.disable().is_ok())
}
