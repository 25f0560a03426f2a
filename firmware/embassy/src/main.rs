//! Tasks on two executors of embassy, recorded with a compact stream.
//!
//! ```text
//! timer 0 → sampler (executor in an interrupt) → filter (executor in thread mode)
//! SysTick → logger, sender (executor in thread mode)
//! ```
//!
//! The task `sender` sends the stream through the serial port, or with the feature `rtt`
//! through RTT, and takes commands of the host. The program counts its polls, the calls of the
//! hooks and its interrupts, and writes the counts as markers into the stream: the host compares
//! them with what it reads. With the feature `endless` it runs for ever.
#![no_std]
#![no_main]

mod counting;
#[cfg(feature = "rtt")]
mod rtt;
#[cfg(not(feature = "rtt"))]
mod serial;
mod signal;
mod tasks;

use board::Timing;
use core::mem::MaybeUninit;
use core::ptr::addr_of_mut;
use cortex_m::peripheral::syst::SystClkSource;
use counting::CountingObserver;
use embassy_executor::{Executor, InterruptExecutor};
use rtoscope_record::hooks::KernelObserver as _;
use rtoscope_record::port::{Clock, Primask};
use rtoscope_record::stream::CompactStream;
#[cfg(feature = "rtt")]
use rtt as transport;
#[cfg(not(feature = "rtt"))]
use serial as transport;

// For its vector table.
use boot as _;

/// The board's counter.
pub(crate) struct BoardClock;

impl Clock for BoardClock {
    fn now(&self) -> u32 {
        board::counter()
    }
}

pub(crate) type TaskStream = CompactStream<Primask, BoardClock>;

// SAFETY: one core, and neither NMI nor HardFault records.
pub(crate) const PRIMASK: Primask = unsafe { Primask::new() };

pub(crate) static STREAM: TaskStream = CompactStream::new(PRIMASK, BoardClock);
pub(crate) static TASKS: CountingObserver = CountingObserver::new(&STREAM);
rtoscope_record::embassy_trace!(TASKS);

const RING_WORDS: usize = 4096;
static mut RING: [MaybeUninit<u32>; RING_WORDS] = [MaybeUninit::uninit(); RING_WORDS];

/// Interrupts of the timers per second.
const TICKS: u32 = 1000;
const SAMPLES: u32 = 1300;

static URGENT: InterruptExecutor = InterruptExecutor::new();
static mut MAIN: MaybeUninit<Executor> = MaybeUninit::uninit();

/// The interrupt of the urgent executor, the last one of the vector table.
#[derive(Debug, Clone, Copy)]
struct UrgentInterrupt;

const URGENT_INTERRUPT: u16 = 31;

// SAFETY: the number is constant and in the vector table.
unsafe impl cortex_m::interrupt::InterruptNumber for UrgentInterrupt {
    fn number(self) -> u16 {
        URGENT_INTERRUPT
    }
}

/// `NVIC_IPR7`: the priorities of interrupts 28 to 31 (Armv7-M Architecture Reference Manual,
/// B3.4).
const PRIORITIES: *mut u32 = 0xE000_E41C as *mut u32;
/// Below the timers.
const URGENT_PRIORITY: u32 = 0xC0 << 24;

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    transport::start();
    // SAFETY: only here, and only once.
    STREAM.start(unsafe { &mut *addr_of_mut!(RING) }, board::FREQUENCY);
    STREAM.name_handler(board::TICK, "SysTick");
    STREAM.name_handler(board::FIRST_INTERRUPT + board::FIRST_TIMER, "timer");
    for (marker, name) in counting::MARKERS {
        STREAM.name(marker, name);
    }
    STREAM.name(tasks::FRAME, "frame");
    // SAFETY: the register has the priorities of unused interrupts too.
    unsafe { PRIORITIES.write_volatile(URGENT_PRIORITY) };
    tasks::spawn_urgent(URGENT.start(UrgentInterrupt));
    start_tick();
    // The second timer is not used: its first interrupt would come after minutes.
    board::start_timers([
        Timing::every(board::FREQUENCY / SAMPLES),
        Timing::every(u32::MAX),
    ]);
    // SAFETY: only here, and only once; `main` never ends.
    let main = unsafe { (*addr_of_mut!(MAIN)).write(Executor::new()) };
    main.run(tasks::spawn)
}

/// Starts SysTick.
fn start_tick() {
    // SAFETY: no other code uses the timer.
    let mut timer = unsafe { cortex_m::Peripherals::steal() }.SYST;
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(board::FREQUENCY / TICKS - 1);
    timer.clear_current();
    timer.enable_interrupt();
    timer.enable_counter();
}

#[unsafe(no_mangle)]
extern "C" fn SysTick() {
    TASKS.isr_enter();
    tasks::tick();
    TASKS.isr_exit();
}

#[unsafe(no_mangle)]
extern "C" fn Timer0() {
    TASKS.isr_enter();
    board::clear_timer(0);
    tasks::sample();
    TASKS.isr_exit();
}

/// Polls the tasks of the urgent executor. It is no handler in the stream, which shows the
/// tasks.
#[unsafe(no_mangle)]
extern "C" fn LastInterrupt() {
    // SAFETY: the executor has been started, because the interrupt is off before.
    unsafe { URGENT.on_interrupt() };
}

/// Ends QEMU through semihosting's `SYS_EXIT`, with success or failure.
pub(crate) fn end(success: bool) -> ! {
    let reason: usize = if success { 0x2_0026 } else { 0x2_0023 };
    loop {
        // SAFETY: the debugger, here QEMU, does not return.
        unsafe { core::arch::asm!("bkpt 0xab", in("r0") 0x18, in("r1") reason) };
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    end(false)
}
