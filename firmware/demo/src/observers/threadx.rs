//! The ThreadX trace buffer, as ThreadX would write it here.

use crate::limits;
use crate::threads::{BUS, CONTROL_SIGNALS, DISPLAY_SIGNALS, PULSES, SAMPLES};
use core::mem::MaybeUninit;
use recorders::EventClock;
use recorders::threadx::{INITIAL_EVENTS, register_mutex, register_queue, register_semaphore};
use rtoscope_record::port::Primask;
use rtoscope_record::threadx::{ThreadXRecorder, Ulong, buffer_words};

const OBJECTS: usize = 16;
const EVENTS: usize = 2700;

// SAFETY: one core, and neither NMI nor HardFault records.
pub(super) static RECORDER: ThreadXRecorder<Primask, EventClock> =
    ThreadXRecorder::new(unsafe { Primask::new() }, EventClock);

const WORDS: usize = buffer_words::<Ulong>(OBJECTS, EVENTS);
static mut BUFFER: [MaybeUninit<Ulong>; WORDS] = [const { MaybeUninit::uninit() }; WORDS];

/// Starts the recorder and returns the number of events that it wrote.
pub(super) fn start() -> u32 {
    // SAFETY: `start` is called once, before anything else.
    let buffer = unsafe { &mut *core::ptr::addr_of_mut!(BUFFER) };
    let buffer = limits::truncate(buffer, |limits| limits.trace_words);
    if RECORDER.enable(buffer, OBJECTS).is_err() {
        return 0;
    }
    for semaphore in [&SAMPLES, &PULSES] {
        register_semaphore(&RECORDER, semaphore);
    }
    register_mutex(&RECORDER, &BUS);
    for queue in [&CONTROL_SIGNALS, &DISPLAY_SIGNALS] {
        register_queue(&RECORDER, queue);
    }
    INITIAL_EVENTS
}

pub(super) fn stop() {
    // Fails only if it was not enabled, and then there is nothing to disable.
    let _ = RECORDER.disable();
}
