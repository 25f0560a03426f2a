//! A camera whose frames pass through two threads to a display: a pipeline in which some
//! frames are late and one is dropped, each for a known cause.
//!
//! ```text
//! camera (timer 0) → raw → decoder → decoded → filter → ready → display (timer 1)
//! ```
//!
//! The camera's interrupt sends the number of each frame to the decoder. The filter needs
//! a mutex. The display waits for its interrupt, half a period after the camera's, and
//! shows the frame. `plan` lists what is done to which frame. After the last frame, the
//! recordings are in memory, and the truth about each frame in `GROUND_TRUTH`.
#![no_std]
#![no_main]

mod observers;
mod plan;
mod threads;

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
    KERNEL.observer().start();
    kernel::start_tick(board::FREQUENCY / TICKS);
    board::start_timers([plan::CAMERA, plan::DISPLAY]);
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
    KERNEL.interrupt(threads::CAMERA_INTERRUPT, threads::capture);
}

#[unsafe(no_mangle)]
extern "C" fn Timer1() {
    KERNEL.interrupt(threads::DISPLAY_INTERRUPT, threads::refresh);
}

/// The program does not link if any code can panic.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        safe fn a_panic_can_be_reached() -> !;
    }
    a_panic_can_be_reached()
}
