use rtoscope_wire::threadx::{CONTEXT_INITIALIZE, CONTEXT_INTERRUPT};

/// The default `ULONG` of a buffer: 64 bits, as in ThreadX's ports for 64-bit RISC-V and
/// for SMP on x86-64.
#[cfg(target_pointer_width = "64")]
pub type Ulong = u64;

/// The default `ULONG` of a buffer: 32 bits.
#[cfg(not(target_pointer_width = "64"))]
pub type Ulong = u32;

/// A word of the buffer: `u32` or `u64`.
///
/// On a 64-bit core, `u32` halves the buffer and truncates addresses to their low 32
/// bits, as most of ThreadX's ports for such cores do.
pub trait WordWidth: Copy + Eq + From<u32> + Into<u64> + sealed::Sealed + 'static {
    /// 0.
    const ZERO: Self;
    /// Context of an event before the scheduler starts.
    const INITIALIZE: Self;
    /// Context of an event in an interrupt.
    const INTERRUPT: Self;

    /// An address, truncated to its low bits if the word is narrower.
    fn from_address(address: usize) -> Self;

    /// The distance from another address in bytes.
    fn distance(self, from: Self) -> usize;
}

macro_rules! widths {
    ($($word:ty)*) => {$(
        impl WordWidth for $word {
            const ZERO: Self = 0;
            const INITIALIZE: Self = CONTEXT_INITIALIZE as Self;
            const INTERRUPT: Self = CONTEXT_INTERRUPT as Self;

            #[inline(always)]
            fn from_address(address: usize) -> Self {
                address as Self
            }

            fn distance(self, from: Self) -> usize {
                self.wrapping_sub(from) as usize
            }
        }

        impl sealed::Sealed for $word {}
    )*};
}

widths! { u32 u64 }

mod sealed {
    pub trait Sealed {}
}

/// A type for an information field of an event.
pub trait InfoField: Copy {
    /// The word to write.
    fn word<W: WordWidth>(self) -> W;
}

impl InfoField for u32 {
    #[inline(always)]
    fn word<W: WordWidth>(self) -> W {
        W::from(self)
    }
}

/// Addresses.
impl InfoField for usize {
    #[inline(always)]
    fn word<W: WordWidth>(self) -> W {
        W::from_address(self)
    }
}

impl InfoField for bool {
    #[inline(always)]
    fn word<W: WordWidth>(self) -> W {
        W::from(u32::from(self))
    }
}
