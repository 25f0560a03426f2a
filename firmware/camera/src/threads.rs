//! The threads and the handlers.

use crate::KERNEL;
use crate::observers::{self, truth};
use crate::plan::{self, sleep_until};
use crate::variation::{self, Background};
use ::truth::camera::FRAMES;
use core::arch::asm;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use kernel::{Mutex, Queue, Semaphore, Stack, Thread};

pub(crate) const COUNT: usize = 6;

/// Exception numbers of the handlers.
pub(crate) const CAMERA_INTERRUPT: u32 = board::FIRST_INTERRUPT + board::FIRST_TIMER;
/// See [`CAMERA_INTERRUPT`].
pub(crate) const DISPLAY_INTERRUPT: u32 = CAMERA_INTERRUPT + 1;

/// From the camera to the decoder, with room for one frame.
pub(crate) static RAW: Queue<1> = Queue::new(c"raw");
/// From the decoder to the filter.
pub(crate) static DECODED: Queue<2> = Queue::new(c"decoded");
/// From the filter to the display.
pub(crate) static READY: Queue<2> = Queue::new(c"ready");
/// Counts the display's interrupts. Each belongs to a frame.
pub(crate) static REFRESH: Semaphore = Semaphore::new(c"refresh");
/// Protects the table that the filter reads.
pub(crate) static TABLE: Mutex = Mutex::new(c"table");

/// Whether recording has ended.
static FINISHED: AtomicBool = AtomicBool::new(false);

/// Size of a stack in words; the idle thread has the same.
const WORDS: usize = 512;

static STACKS: [Stack<WORDS>; COUNT] = [const { Stack::new() }; COUNT];
static IDLE_STACK: Stack<WORDS> = Stack::new();

/// Indices into [`ALL`] of the threads that delay frames.
pub(crate) const NETWORK: usize = 0;
/// Index into [`ALL`].
pub(crate) const DECODER: usize = 2;
/// See [`NETWORK`].
pub(crate) const STORAGE: usize = 4;
/// See [`NETWORK`].
pub(crate) const STATISTICS: usize = 5;

pub(crate) const ALL: [Thread; COUNT] = [
    Thread::new(c"network", network, 2, 0, &STACKS[0]),
    Thread::new(c"display", display, 4, 0, &STACKS[1]),
    Thread::new(c"decoder", decoder, 10, 0, &STACKS[2]),
    Thread::new(c"filter", filter, 12, 0, &STACKS[3]),
    Thread::new(c"storage", storage, 16, 0, &STACKS[4]),
    Thread::new(c"statistics", statistics, 20, 0, &STACKS[5]),
];

pub(crate) const IDLE: Thread = Thread::new(c"idle", idle, u8::MAX, 0, &IDLE_STACK);

fn decoder() {
    loop {
        let frame = RAW.receive(&KERNEL);
        work(variation::decoder_time(1_500));
        DECODED.send(&KERNEL, frame);
    }
}

fn filter() {
    loop {
        let frame = DECODED.receive(&KERNEL);
        TABLE.with(&KERNEL, || work(variation::filter_time(1_200)));
        READY.send(&KERNEL, frame);
    }
}

fn display() {
    let mut last = 0;
    while last < FRAMES as u32 {
        let frame = READY.receive(&KERNEL);
        // The refreshes of missing frames repeat the previous picture.
        for _ in last..frame {
            REFRESH.get(&KERNEL);
        }
        last = frame;
        work(200);
        observers::frame_shown(frame);
    }
    // The program keeps running, but nothing is recorded any more.
    KERNEL.without_interrupts(|| KERNEL.observer().stop());
    FINISHED.store(true, Ordering::Relaxed);
}

/// Preempts the decoder.
fn network() {
    variation::run(Background::Network);
    sleep_until(plan::PREEMPTED, 1);
    work(6_000);
    sleep_until(plan::STALLED, 1);
    work(21_000);
}

/// Turns off interrupts, as for writing to flash memory.
fn storage() {
    variation::run(Background::Storage);
    sleep_until(plan::UNREFRESHED, 4);
    KERNEL.critical(kernel::address_here(), || work(5_000));
}

/// Holds the mutex that the filter needs.
fn statistics() {
    variation::run(Background::Statistics);
    sleep_until(plan::BLOCKED, -1);
    TABLE.with(&KERNEL, || work(7_000));
}

/// Ends the program after the last frame.
fn idle() {
    loop {
        if FINISHED.load(Ordering::Relaxed) {
            // From here on, the memory does not change.
            KERNEL.without_interrupts(|| {
                truth::finish();
                loop {
                    core::hint::spin_loop();
                }
            });
        }
        // QEMU loses every second tick of a core that waits for nothing else.
        core::hint::spin_loop();
    }
}

/// Handler of the tick.
pub(crate) fn tick() {
    KERNEL.tick();
}

/// Handler of the camera: a frame has arrived. Without room in the queue, it is lost.
pub(crate) fn capture() {
    static CAPTURED: AtomicU32 = AtomicU32::new(0);
    board::clear_timer(0);
    // Armv6-M has no atomic addition, and only this handler writes the number.
    let frame = CAPTURED.load(Ordering::Relaxed) + 1;
    CAPTURED.store(frame, Ordering::Relaxed);
    if frame <= FRAMES as u32 {
        RAW.send(&KERNEL, frame);
    }
}

/// Handler of the display: it can take a picture.
pub(crate) fn refresh() {
    board::clear_timer(1);
    REFRESH.put(&KERNEL);
}

/// Called by a thread whose function returned.
pub(crate) fn end() -> ! {
    KERNEL.complete()
}

/// Keeps the core busy for about this many microseconds in QEMU, with the same
/// instructions on all targets.
pub(crate) fn work(microseconds: u32) {
    // SAFETY: it only takes time. The loop ends, because the number is not 0.
    unsafe {
        asm!(
            "2:",
            "subs {rounds}, {rounds}, #1",
            "bne 2b",
            rounds = inout(reg) (microseconds * ROUNDS).max(1) => _,
            options(nomem, nostack),
        );
    }
}

/// Rounds of the loop in [`work`] per microsecond: two instructions of 32 ns each.
const ROUNDS: u32 = 16;
