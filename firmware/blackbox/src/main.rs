//! Records threads into black boxes, crashes, resets the chip, and at the next boot saves
//! the recordings of the run that crashed.
#![no_std]
#![no_main]

mod machine;
mod recorders;

use core::sync::atomic::Ordering;
use kernel::{Kernel, Stack, Thread};
use recorders::Recorders;

boot::never_panic!();

const TICKS: u32 = 1000;
const WORDS: usize = 512;
static STACKS: [Stack<WORDS>; 3] = [const { Stack::new() }; 3];
static IDLE_STACK: Stack<WORDS> = Stack::new();

static KERNEL: Kernel<Recorders, 3> = Kernel::new(
    [
        Thread::new(c"sampler", sampler, 1, 0, &STACKS[0]),
        Thread::new(c"culprit", culprit, 3, 0, &STACKS[1]),
        Thread::new(c"worker", worker, 5, 0, &STACKS[2]),
    ],
    Thread::new(c"idle", idle, u8::MAX, 0, &IDLE_STACK),
    Recorders,
);

/// A word that a test may write before the program starts: 1 to crash within a recorder.
#[unsafe(no_mangle)]
#[unsafe(link_section = ".noinit")]
static mut CRASH_MODE: u32 = 0;

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    if recorders::hand_over() {
        loop {
            core::hint::spin_loop();
        }
    }
    KERNEL.observer().start();
    kernel::start_tick(machine::FREQUENCY / TICKS);
    // SAFETY: this is `main`.
    unsafe { KERNEL.start(end) }
}

fn sampler() {
    loop {
        KERNEL.sleep(1);
        work(300);
    }
}

fn culprit() {
    for _ in 0..12 {
        KERNEL.sleep(5);
        work(2000);
    }
    // SAFETY: the program does not write it.
    if unsafe { core::ptr::addr_of!(CRASH_MODE).read_volatile() } == 1 {
        recorders::CRASH_IN_ENTRY.store(true, Ordering::Relaxed);
        KERNEL.sleep(1);
    }
    machine::crash();
}

fn worker() {
    loop {
        work(9000);
        KERNEL.sleep(3);
    }
}

fn idle() {
    loop {
        KERNEL.wait();
    }
}

fn end() -> ! {
    KERNEL.complete()
}

fn work(rounds: u32) {
    for round in 0..rounds {
        core::hint::black_box(round);
    }
}

kernel::handlers! {
    KERNEL:
    SysTick (15) => || KERNEL.tick(),
}
