//! Tests the ports of the recorders to cores other than Cortex-M: threads and two
//! interrupts that nest record into a context-switch log, a ThreadX trace and the log of the
//! C library, while interrupts are requested within entries.
#![no_std]
#![no_main]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

mod counts;
mod interrupts;
mod machine;
mod recorders;
mod saved;

use core::sync::atomic::{AtomicU32, Ordering};
use recorders::Context;

// For its vectors.
use boot as _;

/// Rounds of the threads.
const ROUNDS: u32 = 400;

/// The thread that runs.
static RUNNING: AtomicU32 = AtomicU32::new(0);

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    recorders::start();
    machine::check_masks();
    machine::start();
    for round in 0..ROUNDS {
        RUNNING.store(round % 2, Ordering::Relaxed);
        recorders::dispatch(round % 2);
        recorders::mark(Context::Thread, round % 3 == 0);
        interrupts::expect_enabled(true);
        work(60);
        if round % 8 == 0 {
            critical_section();
        }
    }
    machine::stop();
    recorders::save();
    counts::finish();
    loop {
        core::hint::spin_loop();
    }
}

/// The index of the running thread.
fn running() -> u32 {
    RUNNING.load(Ordering::Relaxed)
}

/// Recording with interrupts off leaves them off.
fn critical_section() {
    machine::without_interrupts(|| {
        recorders::mark(Context::Thread, false);
        interrupts::expect_enabled(false);
    });
    interrupts::expect_enabled(true);
}

/// The handler of the timer, which the other interrupt may interrupt.
fn timer() {
    counts::change(|truth| truth.timer += 1);
    recorders::mark(Context::Timer, true);
    interrupts::expect_enabled(true);
    work(20);
}

/// The handler of the requested interrupt, with interrupts off.
fn software() {
    recorders::mark(Context::Software, false);
    interrupts::expect_enabled(false);
}

fn work(rounds: u32) {
    for round in 0..rounds {
        core::hint::black_box(round);
    }
}
