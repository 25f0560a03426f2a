use super::builtin::BuiltinPort;

/// A source of stamps: a counter that runs freely, in ticks, up, and wraps.
///
/// Readers can be told of counters of fewer than 32 bits. What a recorder sums up
/// itself, the time spent idle, is right only if such a counter does not wrap while
/// the processor sleeps.
pub trait Clock {
    /// Whether it is one of this crate's own.
    #[doc(hidden)]
    const BUILTIN: Option<BuiltinPort> = None;

    /// Its value now.
    fn now(&self) -> u32;
}

/// No clock: every stamp is 0. Order is kept, times are not.
#[derive(Debug, Clone, Copy)]
pub struct NullClock;

impl Clock for NullClock {
    #[inline(always)]
    fn now(&self) -> u32 {
        0
    }
}

/// A counter that lies in memory as 32 bits: a timer's register, or a variable
/// that a timer's interrupt counts up. On Arm's microcontrollers a context-switch log
/// with this clock is written by a function in assembly; with the others each place
/// has the code of its own.
#[derive(Debug, Clone, Copy)]
pub struct CounterRegister(*const u32);

impl CounterRegister {
    /// # Safety
    /// `address` must be aligned and readable at any time, with volatile
    /// reads, for as long as the value is used.
    pub const unsafe fn new(address: *const u32) -> Self {
        Self(address)
    }
}

// SAFETY: the address is only ever read, and whoever made the value promised
// that this is sound at any time.
unsafe impl Send for CounterRegister {}
// SAFETY: as above.
unsafe impl Sync for CounterRegister {}

impl Clock for CounterRegister {
    const BUILTIN: Option<BuiltinPort> = Some(BuiltinPort::CounterRegister);

    #[inline(always)]
    fn now(&self) -> u32 {
        // SAFETY: promised to `CounterRegister::new`.
        unsafe { self.0.read_volatile() }
    }
}
