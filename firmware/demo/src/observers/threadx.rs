//! The ThreadX trace buffer, as ThreadX would write it here.

use super::EventClock;
use crate::limits;
use crate::threads::{BUS, CONTROL_SIGNALS, DISPLAY_SIGNALS, PULSES, SAMPLES};
use core::mem::MaybeUninit;
use kernel::{Event, Queue, Semaphore, State, Thread};
use rtoscope_record::port::Primask;
use rtoscope_record::threadx::{self, ThreadState, ThreadXRecorder, Ulong, buffer_words};
use rtoscope_wire::threadx::ObjectType;

const OBJECTS: usize = 16;
const EVENTS: usize = 2700;

// SAFETY: one core, and neither NMI nor HardFault records.
static RECORDER: ThreadXRecorder<Primask, EventClock> =
    ThreadXRecorder::new(unsafe { Primask::new() }, EventClock);

const WORDS: usize = buffer_words::<Ulong>(OBJECTS, EVENTS);
static mut BUFFER: [MaybeUninit<Ulong>; WORDS] = [const { MaybeUninit::uninit() }; WORDS];

/// Number of events that the recorder writes when it is enabled.
const INITIAL_EVENTS: u32 = 2;

/// Starts the recorder and returns the number of events that it wrote.
pub(super) fn start() -> u32 {
    // SAFETY: `start` is called once, before anything else.
    let buffer = unsafe { &mut *core::ptr::addr_of_mut!(BUFFER) };
    let buffer = limits::truncate(buffer, limits::trace_words());
    if RECORDER.enable(buffer, OBJECTS).is_err() {
        return 0;
    }
    for semaphore in [&SAMPLES, &PULSES] {
        register_semaphore(semaphore);
    }
    register(ObjectType::MUTEX, BUS.address(), BUS.name(), [1, 0]);
    for queue in [&CONTROL_SIGNALS, &DISPLAY_SIGNALS] {
        register_queue(queue);
    }
    INITIAL_EVENTS
}

pub(super) fn stop() {
    // Fails only if it was not enabled, and then there is nothing to disable.
    let _ = RECORDER.disable();
}

/// Records the event, and returns the number of events written for it.
pub(super) fn observe(running: Option<&Thread>, depth: u32, event: &Event<'_>) -> u32 {
    let recorder = &RECORDER;
    match *event {
        Event::Created { thread } => {
            let (stack, bytes) = thread.stack();
            recorder.register_thread(recorded_thread(thread), text(thread.name()), stack, bytes);
            return 0;
        }
        Event::Resumed {
            thread, from, next, ..
        } => {
            let event = recorder.resume(thread.address(), state(from));
            recorder.complete_field(event, word(next));
        }
        Event::Suspended { thread, into, next } => {
            let event = recorder.suspend(thread.address(), state(into));
            recorder.complete_field(event, word(next));
        }
        Event::PriorityChanged { thread, next } => {
            let state = ThreadState::PRIORITY_CHANGE;
            let event = recorder.suspend(thread.address(), state);
            recorder.complete_field(event, word(next));
            if running.is_some_and(|running| core::ptr::eq(running, thread)) {
                recorder.enter_thread(recorded_thread(thread));
            }
            let event = recorder.resume(thread.address(), state);
            recorder.complete_field(event, word(next));
            return 2;
        }
        Event::TimeSliceExpired { next, .. } => recorder.time_slice(address(next), depth, 0),
        Event::Dispatched { thread, .. } => {
            recorder.enter_thread(recorded_thread(thread));
            return 0;
        }
        Event::IdleEntered => {
            recorder.enter_idle();
            return 0;
        }
        Event::InterruptEntered { number, .. } => recorder.isr_enter(number),
        Event::InterruptLeft { number, .. } => recorder.isr_exit(number),
        Event::Sleep { ticks } => recorder.thread_sleep(ticks, ThreadState::READY),
        Event::SemaphoreGet { semaphore, count } => {
            recorder.semaphore_get(semaphore, threadx::WAIT_FOREVER, count);
        }
        Event::SemaphorePut {
            semaphore,
            count,
            waiting,
        } => {
            recorder.semaphore_put(semaphore, count, waiting);
        }
        Event::MutexGet { mutex, owner } => {
            let count = u32::from(owner.is_some());
            recorder.mutex_get(mutex, threadx::WAIT_FOREVER, address(owner), count);
        }
        Event::MutexPut { mutex, owner } => recorder.mutex_put(mutex, owner.address(), 1),
        Event::QueueSend {
            queue,
            message,
            used,
            ..
        } => {
            recorder.queue_send(queue, message as usize, threadx::WAIT_FOREVER, used);
        }
        Event::QueueReceive { queue, used, .. } => {
            recorder.queue_receive(queue, 0, threadx::WAIT_FOREVER, used);
        }
        _ => return 0,
    }
    1
}

fn register_semaphore(semaphore: &Semaphore) {
    register(
        ObjectType::SEMAPHORE,
        semaphore.address(),
        semaphore.name(),
        [0, 0],
    );
}

fn register_queue<const CAPACITY: usize>(queue: &Queue<CAPACITY>) {
    let bytes = 4 * CAPACITY as u32;
    register(ObjectType::QUEUE, queue.address(), queue.name(), [bytes, 1]);
}

fn register(kind: ObjectType, address: usize, name: &core::ffi::CStr, parameters: [Ulong; 2]) {
    RECORDER.register(kind, address, text(name), parameters);
}

/// A thread in the form that the recorder takes.
fn recorded_thread(thread: &Thread) -> threadx::Thread {
    threadx::Thread::new(thread.address(), u16::from(thread.priority()))
}

fn state(state: State) -> ThreadState {
    ThreadState(state as u32)
}

fn address(thread: Option<&Thread>) -> usize {
    thread.map_or(0, Thread::address)
}

/// The field of an event for a thread.
fn word(thread: Option<&Thread>) -> Ulong {
    address(thread) as Ulong
}

fn text(name: &core::ffi::CStr) -> &str {
    name.to_str().unwrap_or_default()
}
