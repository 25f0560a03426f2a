//! The demonstration firmware: six threads, three interrupts, all kinds of objects, and three
//! recorders at once.
//!
//! It ends after about 200 ticks. The recordings are then in memory, and the program's
//! own counts in `GROUND_TRUTH`. With the feature `endless` it keeps running while a
//! reader accesses the recordings.
#![no_std]
#![no_main]

mod limits;
mod machine;
mod observers;
mod threads;

use board::Timing;
use kernel::Kernel;
use observers::Observers;

boot::never_panic!();

/// Ticks of the kernel per second.
const TICKS: u32 = 1000;

/// The kernel with its threads.
static KERNEL: Kernel<Observers, { threads::COUNT }> =
    Kernel::new(threads::ALL, threads::IDLE, Observers);

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    board::start_serial();
    KERNEL.observer().start();
    kernel::start_tick(board::FREQUENCY / TICKS);
    // Periods without common divisors, also with the tick.
    board::start_timers([42_683, 19_937].map(Timing::every));
    // SAFETY: this is `main`.
    unsafe { KERNEL.start(threads::end) }
}

const FIRST_TIMER: u32 = board::FIRST_INTERRUPT + board::FIRST_TIMER;

kernel::handlers! {
    KERNEL:
    SysTick (board::TICK) => threads::tick,
    Timer0 (FIRST_TIMER) => threads::sample,
    Timer1 (FIRST_TIMER + 1) => threads::pulse,
}
