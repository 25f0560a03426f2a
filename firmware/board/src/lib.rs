//! The board of all programs: Arm MPS2+ with image AN385, at 25 MHz (Application Note
//! AN385; the timers and the serial port are those of Arm's CMSDK).
#![no_std]

/// Frequency of the core and of the counter in Hz.
pub const FREQUENCY: u32 = 25_000_000;

/// `COUNTER` of FPGA I/O: counts cycles up and wraps.
const COUNTER: *const u32 = 0x4002_8018 as *const u32;

const TIMERS: [*mut u32; 2] = [0x4000_0000 as *mut u32, 0x4000_1000 as *mut u32];
/// Word offsets in a timer: control, current value, reload value, interrupt clear.
const TIMER_CONTROL: usize = 0;
const TIMER_VALUE: usize = 1;
const TIMER_RELOAD: usize = 2;
const TIMER_CLEAR: usize = 3;
/// Enable, with interrupt.
const TIMER_ON: u32 = 0b1001;

/// The interrupt number of the first timer; the second timer has the next one.
pub const FIRST_TIMER: u32 = 8;
/// Exception number of SysTick; interrupts start at 16.
pub const TICK: u32 = 15;
/// Exception number of the first interrupt.
pub const FIRST_INTERRUPT: u32 = 16;

const SERIAL: *mut u32 = 0x4000_4000 as *mut u32;
/// Word offsets in the serial port: data, state, control, divisor.
const SERIAL_STATE: usize = 1;
const SERIAL_CONTROL: usize = 2;
const SERIAL_DIVISOR: usize = 4;
const SERIAL_FULL: u32 = 1;
const SERIAL_RECEIVED: u32 = 0b10;
const SERIAL_SEND: u32 = 1;
const SERIAL_RECEIVE: u32 = 0b10;

/// `NVIC_ISER0` and `NVIC_IPR2` (Armv7-M Architecture Reference Manual, B3.4):
/// the priorities of interrupts 8 to 11.
const ENABLE: *mut u32 = 0xE000_E100 as *mut u32;
const PRIORITIES: *mut u32 = 0xE000_E408 as *mut u32;
/// The second timer has the highest priority, then the first one.
const TIMER_PRIORITIES: u32 = 0x0000_0040;

/// The free-running counter.
pub fn counter() -> u32 {
    // SAFETY: a register that is readable at any time.
    unsafe { COUNTER.read_volatile() }
}

/// When a timer interrupts, in cycles.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// From the start to the first interrupt.
    pub first: u32,
    /// From one interrupt to the next.
    pub period: u32,
}

impl Timing {
    /// An interrupt after each period from the start on.
    pub const fn every(period: u32) -> Self {
        Self {
            first: period,
            period,
        }
    }
}

/// Starts both timers.
pub fn start_timers(timings: [Timing; 2]) {
    // SAFETY: no other code uses these registers.
    unsafe {
        PRIORITIES.write_volatile(TIMER_PRIORITIES);
        ENABLE.write_volatile(0b11 << FIRST_TIMER);
        for (timer, Timing { first, period }) in TIMERS.into_iter().zip(timings) {
            timer
                .add(TIMER_RELOAD)
                .write_volatile(period.wrapping_sub(1));
            timer.add(TIMER_VALUE).write_volatile(first.wrapping_sub(1));
            timer.add(TIMER_CONTROL).write_volatile(TIMER_ON);
        }
    }
}

/// Clears the interrupt of timer 0 or 1.
pub fn clear_timer(timer: usize) {
    if let Some(timer) = TIMERS.get(timer) {
        // SAFETY: a write to this register has no other effect.
        unsafe { timer.add(TIMER_CLEAR).write_volatile(1) };
    }
}

/// Configures the serial port for its maximum speed.
pub fn start_serial() {
    // SAFETY: no other code uses these registers.
    unsafe {
        SERIAL.add(SERIAL_DIVISOR).write_volatile(16);
        SERIAL
            .add(SERIAL_CONTROL)
            .write_volatile(SERIAL_SEND | SERIAL_RECEIVE);
    }
}

/// The next received byte, if there is one.
pub fn receive() -> Option<u8> {
    // SAFETY: reading the data only takes the byte.
    unsafe {
        let has_byte = SERIAL.add(SERIAL_STATE).read_volatile() & SERIAL_RECEIVED != 0;
        has_byte.then(|| SERIAL.read_volatile() as u8)
    }
}

/// Sends bytes and waits while there is no room for them.
pub fn send(bytes: &[u8]) {
    for byte in bytes {
        // SAFETY: only the idle thread sends.
        unsafe {
            while SERIAL.add(SERIAL_STATE).read_volatile() & SERIAL_FULL != 0 {}
            SERIAL.write_volatile(u32::from(*byte));
        }
    }
}
