//! The two recorders and their buffers.

use crate::threads::{DECODED, RAW, READY, REFRESH, TABLE};
use core::mem::MaybeUninit;
use kernel::Event;
use recorders::EventClock;
use recorders::threadx::{INITIAL_EVENTS, register_mutex, register_queue, register_semaphore};
use rtoscope_record::cswitch::{BufferMode, LogEntry, SwitchLog};
use rtoscope_record::port::Primask;
use rtoscope_record::threadx::{ThreadXRecorder, Ulong, buffer_words};
use rtoscope_record::{Name, name};

/// Number of entries in the log.
const ENTRIES: usize = 2600;
const OBJECTS: usize = 12;
const EVENTS: usize = 1400;
const WORDS: usize = buffer_words::<Ulong>(OBJECTS, EVENTS);

/// User event: a frame is on the display. Its first field is the frame's number.
const FRAME_SHOWN: u32 = 4096;

/// Points of interest in the log; their value is the frame's number.
const FRAME: Name = name!("frame");
const DECODE: Name = name!("decode");
const FILTER: Name = name!("filter");
const SHOW: Name = name!("show");

/// `rtoscope` finds the log by this symbol.
// SAFETY: one core, and neither NMI nor HardFault records.
#[unsafe(export_name = "rtoscope_cswitch_log")]
pub(super) static LOG: SwitchLog<Primask, EventClock> =
    SwitchLog::new(unsafe { Primask::new() }, EventClock);

// SAFETY: one core, and neither NMI nor HardFault records.
pub(super) static RECORDER: ThreadXRecorder<Primask, EventClock> =
    ThreadXRecorder::new(unsafe { Primask::new() }, EventClock);

static mut LOG_BUFFER: [MaybeUninit<LogEntry>; ENTRIES] =
    [const { MaybeUninit::uninit() }; ENTRIES];
static mut TRACE_BUFFER: [MaybeUninit<Ulong>; WORDS] = [const { MaybeUninit::uninit() }; WORDS];

/// Starts both and returns the number of events in the trace buffer.
pub(super) fn start() -> u32 {
    // SAFETY: `start` is called once, before anything else.
    let (log, trace) = unsafe {
        (
            &mut *core::ptr::addr_of_mut!(LOG_BUFFER),
            &mut *core::ptr::addr_of_mut!(TRACE_BUFFER),
        )
    };
    LOG.start(log, BufferMode::OneShot);
    if RECORDER.enable(trace, OBJECTS).is_err() {
        return 0;
    }
    register_queue(&RECORDER, &RAW);
    register_queue(&RECORDER, &DECODED);
    register_queue(&RECORDER, &READY);
    register_semaphore(&RECORDER, &REFRESH);
    register_mutex(&RECORDER, &TABLE);
    INITIAL_EVENTS
}

pub(super) fn stop() {
    // Fails only if it was not enabled, and then there is nothing to disable.
    let _ = RECORDER.disable();
}

/// Marks in the log where a frame arrives at a stage and where it leaves it. Returns the
/// number of entries.
pub(super) fn mark(event: &Event<'_>) -> u32 {
    match *event {
        Event::QueueSend { queue, message, .. } if queue == RAW.address() => {
            LOG.marker_begin(FRAME, message);
        }
        Event::QueueReceived { queue, message, .. } if queue == RAW.address() => {
            LOG.marker_begin(DECODE, message);
        }
        Event::QueueSend { queue, message, .. } if queue == DECODED.address() => {
            LOG.marker_end(DECODE, message);
        }
        Event::QueueReceived { queue, message, .. } if queue == DECODED.address() => {
            LOG.marker_begin(FILTER, message);
        }
        Event::QueueSend { queue, message, .. } if queue == READY.address() => {
            LOG.marker_end(FILTER, message);
        }
        Event::QueueReceived { queue, message, .. } if queue == READY.address() => {
            LOG.marker_begin(SHOW, message);
        }
        _ => return 0,
    }
    1
}

/// Records that a frame is on the display. Returns the number of the log's entries.
pub(super) fn frame_shown(frame: u32) -> u32 {
    RECORDER.user_event(FRAME_SHOWN, [frame, 0, 0, 0]);
    LOG.marker_end(SHOW, frame);
    LOG.marker_end(FRAME, frame);
    2
}
