use super::builtin::BuiltinPort;

/// A source of timestamps: a free-running counter that counts up in ticks and wraps.
///
/// Readers support counters with fewer than 32 bits. The recorder itself measures idle
/// time: it is correct only if such a counter does not wrap while the core sleeps.
pub trait Clock {
    /// Identifies the clocks of this crate for which there is assembly.
    #[doc(hidden)]
    const BUILTIN: Option<BuiltinPort> = None;

    /// The current value.
    fn now(&self) -> u32;
}

/// No clock: every timestamp is 0. The order of events is kept, times are not.
#[derive(Debug, Clone, Copy)]
pub struct NullClock;

impl Clock for NullClock {
    #[inline(always)]
    fn now(&self) -> u32 {
        0
    }
}

/// A 32-bit counter in memory: a timer's register, or a variable that a timer's interrupt
/// increments. On Arm microcontrollers, an assembly function writes the context-switch
/// log with this clock; with other clocks, the code is inlined at each call.
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

// SAFETY: the address is only read, and the creator of the value guarantees that this is
// sound at any time.
unsafe impl Send for CounterRegister {}
// SAFETY: as above.
unsafe impl Sync for CounterRegister {}

impl Clock for CounterRegister {
    const BUILTIN: Option<BuiltinPort> = Some(BuiltinPort::CounterRegister);

    #[inline(always)]
    fn now(&self) -> u32 {
        // SAFETY: the caller of `CounterRegister::new` guarantees this.
        unsafe { self.0.read_volatile() }
    }
}
