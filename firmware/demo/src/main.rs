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

// For its vector table.
use boot as _;

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

/// Called when one thread stops and another one continues.
#[unsafe(no_mangle)]
extern "C" fn kernel_switch(stack: *mut u32) -> *mut u32 {
    KERNEL.switch(stack)
}

#[unsafe(no_mangle)]
extern "C" fn SysTick() {
    KERNEL.interrupt(board::TICK, threads::tick);
}

#[unsafe(no_mangle)]
extern "C" fn Timer0() {
    KERNEL.interrupt(board::FIRST_INTERRUPT + board::FIRST_TIMER, threads::sample);
}

#[unsafe(no_mangle)]
extern "C" fn Timer1() {
    KERNEL.interrupt(
        board::FIRST_INTERRUPT + board::FIRST_TIMER + 1,
        threads::pulse,
    );
}

/// The program does not link if any code can panic.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        safe fn a_panic_can_be_reached() -> !;
    }
    a_panic_can_be_reached()
}
