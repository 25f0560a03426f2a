//! The ThreadX trace buffer, as ThreadX would write it here.

use core::ffi::CStr;
use kernel::{Event, Mutex, Queue, Semaphore, State, Thread};
use rtoscope_record::port::{Clock, Mask};
use rtoscope_record::threadx::{self, ThreadState, ThreadXRecorder, Ulong};
use rtoscope_wire::threadx::ObjectType;

/// Number of events that the recorder writes when it is enabled.
pub const INITIAL_EVENTS: u32 = 2;

/// Registers a semaphore.
pub fn register_semaphore<M: Mask, C: Clock>(
    recorder: &ThreadXRecorder<M, C>,
    semaphore: &Semaphore,
) {
    let (address, name) = (semaphore.address(), text(semaphore.name()));
    recorder.register(ObjectType::SEMAPHORE, address, name, [0, 0]);
}

/// Registers a mutex, which inherits priorities.
pub fn register_mutex<M: Mask, C: Clock>(recorder: &ThreadXRecorder<M, C>, mutex: &Mutex) {
    let (address, name) = (mutex.address(), text(mutex.name()));
    recorder.register(ObjectType::MUTEX, address, name, [1, 0]);
}

/// Registers a queue with its size in bytes.
pub fn register_queue<M: Mask, C: Clock, const CAPACITY: usize>(
    recorder: &ThreadXRecorder<M, C>,
    queue: &Queue<CAPACITY>,
) {
    let (address, name) = (queue.address(), text(queue.name()));
    let bytes = 4 * CAPACITY as u32;
    recorder.register(ObjectType::QUEUE, address, name, [bytes, 1]);
}

/// Records the event, and returns the number of events written for it.
pub fn observe<M: Mask, C: Clock>(
    recorder: &ThreadXRecorder<M, C>,
    running: Option<&Thread>,
    depth: u32,
    event: &Event<'_>,
) -> u32 {
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
            // A handler cannot wait.
            let wait = if depth > 0 {
                threadx::NO_WAIT
            } else {
                threadx::WAIT_FOREVER
            };
            recorder.queue_send(queue, message as usize, wait, used);
        }
        Event::QueueReceive { queue, used, .. } => {
            recorder.queue_receive(queue, 0, threadx::WAIT_FOREVER, used);
        }
        _ => return 0,
    }
    1
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

fn text(name: &CStr) -> &str {
    name.to_str().unwrap_or_default()
}
