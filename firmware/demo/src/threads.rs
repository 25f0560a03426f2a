//! The threads and the handlers.

use crate::KERNEL;
use crate::machine::{Machine, Signal};
use crate::observers::{rkh, truth};
use core::sync::atomic::{AtomicBool, Ordering};
use kernel::{Mutex, Queue, Semaphore, Stack, Thread};

pub(crate) const COUNT: usize = 6;

/// Counts of the first timer's interrupt.
pub(crate) static SAMPLES: Semaphore = Semaphore::new(c"samples");
/// Counts of the second timer's interrupt.
pub(crate) static PULSES: Semaphore = Semaphore::new(c"pulses");
/// `display` holds it for long, and `alarm` needs it immediately.
pub(crate) static BUS: Mutex = Mutex::new(c"bus");
/// Signals for `control` and for `display`, which are active objects.
pub(crate) static CONTROL_SIGNALS: Queue<SIGNALS> = Queue::new(c"control signals");
/// See [`CONTROL_SIGNALS`].
pub(crate) static DISPLAY_SIGNALS: Queue<SIGNALS> = Queue::new(c"display signals");

/// Whether recording has ended.
static FINISHED: AtomicBool = AtomicBool::new(false);

/// Capacity of a queue in messages.
pub(crate) const SIGNALS: usize = 4;

/// Size of a stack in words; the idle thread has the same.
const WORDS: usize = 512;

static STACKS: [Stack<WORDS>; COUNT] = [const { Stack::new() }; COUNT];
static IDLE_STACK: Stack<WORDS> = Stack::new();

/// Indices into [`ALL`] of the threads that are active objects.
pub(crate) const CONTROL: usize = 2;
/// See [`CONTROL`].
pub(crate) const DISPLAY: usize = 3;

pub(crate) const ALL: [Thread; COUNT] = [
    Thread::new(c"alarm", alarm, 1, 0, &STACKS[0]),
    Thread::new(c"sensor", sensor, 2, 0, &STACKS[1]),
    Thread::new(c"control", control, 4, 0, &STACKS[2]),
    Thread::new(c"display", display, 6, 0, &STACKS[3]),
    Thread::new(c"worker a", worker, 8, 2, &STACKS[4]),
    Thread::new(c"worker b", worker, 8, 2, &STACKS[5]),
];

pub(crate) const IDLE: Thread = Thread::new(c"idle", idle, u8::MAX, 0, &IDLE_STACK);

/// Ticks between two alarms, and their number: enough for years in a program without an
/// end.
const ALARM_PERIOD: u32 = 17;
const ALARMS: u32 = if cfg!(feature = "endless") {
    u32::MAX
} else {
    12
};

fn alarm() {
    for _ in 0..ALARMS {
        KERNEL.sleep(ALARM_PERIOD);
        BUS.with(&KERNEL, || work(300));
        CONTROL_SIGNALS.send(&KERNEL, Signal::Alarm as u32);
    }
    // The program keeps running, but nothing is recorded any more.
    KERNEL.without_interrupts(|| KERNEL.observer().stop());
    FINISHED.store(true, Ordering::Relaxed);
}

fn sensor() {
    let mut samples = 0u32;
    loop {
        SAMPLES.get(&KERNEL);
        samples = samples.wrapping_add(1);
        work(200);
        if samples % 4 == 0 {
            CONTROL_SIGNALS.send(&KERNEL, Signal::Sample as u32);
        }
        // Takes counts that arrived in the meantime without waiting.
        if samples % 16 == 0 {
            PULSES.get(&KERNEL);
        }
    }
}

fn control() {
    let mut machine = Machine::new(KERNEL.threads()[CONTROL].address());
    loop {
        let signal = CONTROL_SIGNALS.receive(&KERNEL);
        work(100);
        if machine.dispatch(signal) {
            DISPLAY_SIGNALS.send(&KERNEL, Signal::Show as u32);
        }
    }
}

fn display() {
    let mut machine = Machine::new(KERNEL.threads()[DISPLAY].address());
    loop {
        let signal = DISPLAY_SIGNALS.receive(&KERNEL);
        BUS.with(&KERNEL, || work(18_000));
        machine.dispatch(signal);
    }
}

/// Works longer than a time slice, as does its twin.
fn worker() {
    loop {
        work(14_000);
        // An inner section changes nothing.
        KERNEL.critical(kernel::address_here(), || {
            KERNEL.critical(kernel::address_here(), || work(50));
        });
        // The thread that this makes ready runs first.
        SAMPLES.put(&KERNEL);
        KERNEL.sleep(11);
    }
}

/// Sends the recorded bytes, and ends the program after the last one.
fn idle() {
    loop {
        // Before the last bytes, which are recorded before it is set.
        let is_finished = FINISHED.load(Ordering::Relaxed);
        rkh::drain(board::send);
        if is_finished {
            // From here on, the memory does not change.
            KERNEL.without_interrupts(|| {
                truth::finish();
                loop {
                    core::hint::spin_loop();
                }
            });
        }
        KERNEL.wait();
    }
}

/// Handler of the tick.
pub(crate) fn tick() {
    KERNEL.tick();
}

/// Handler of the first timer: runs long enough to be interrupted.
pub(crate) fn sample() {
    board::clear_timer(0);
    work(410);
    SAMPLES.put(&KERNEL);
}

/// Handler of the second timer, which interrupts all others.
pub(crate) fn pulse() {
    board::clear_timer(1);
    PULSES.put(&KERNEL);
}

/// Called by a thread whose function returned.
pub(crate) fn end() -> ! {
    KERNEL.complete()
}

/// Keeps the core busy for a number of rounds of a few instructions.
fn work(rounds: u32) {
    for round in 0..rounds {
        core::hint::black_box(round);
    }
}
