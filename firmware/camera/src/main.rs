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
//! recordings are in memory, and the truth about each frame in `GROUND_TRUTH`. Where the host sets
//! `VARIATION`, durations vary from run to run instead, and one of them may be worse.
#![no_std]
#![no_main]

mod observers;
mod plan;
mod threads;
mod variation;

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
    variation::apply();
    KERNEL.observer().start();
    kernel::start_tick(board::FREQUENCY / TICKS);
    board::start_timers([plan::CAMERA, plan::DISPLAY]);
    // SAFETY: this is `main`.
    unsafe { KERNEL.start(threads::end) }
}

kernel::handlers! {
    KERNEL:
    SysTick (board::TICK) => threads::tick,
    Timer0 (threads::CAMERA_INTERRUPT) => threads::capture,
    Timer1 (threads::DISPLAY_INTERRUPT) => threads::refresh,
}
