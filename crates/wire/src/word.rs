//! Machine words in either byte order.

/// The order in which a target stores the bytes of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// Least significant byte first (Arm Cortex-M, x86, RISC-V).
    Little,
    /// Most significant byte first (PowerPC, s390x).
    Big,
}

impl ByteOrder {
    /// `"little"` or `"big"`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Little => "little",
            Self::Big => "big",
        }
    }

    /// The other order.
    pub const fn swapped(self) -> Self {
        match self {
            Self::Little => Self::Big,
            Self::Big => Self::Little,
        }
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u16 {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
}

/// An unsigned integer in a target's memory: `u16`, `u32` or `u64`.
pub trait Word: Copy + Default + Into<u64> + sealed::Sealed {
    /// Length of the word in bytes.
    const BYTES: usize;

    /// Reads the word at the start of `bytes`; `None` if there are too few.
    fn read(bytes: &[u8], order: ByteOrder) -> Option<Self>;

    /// Writes the word to the start of `bytes`; `None` if there are too few.
    fn write(self, bytes: &mut [u8], order: ByteOrder) -> Option<()>;

    /// The low bits of `value`.
    fn low_bits(value: u64) -> Self;
}

macro_rules! word {
    ($type:ty) => {
        impl Word for $type {
            const BYTES: usize = core::mem::size_of::<$type>();

            #[inline(always)]
            fn read(bytes: &[u8], order: ByteOrder) -> Option<Self> {
                let bytes = bytes.get(..Self::BYTES)?.try_into().ok()?;
                Some(match order {
                    ByteOrder::Little => Self::from_le_bytes(bytes),
                    ByteOrder::Big => Self::from_be_bytes(bytes),
                })
            }

            #[inline(always)]
            fn write(self, bytes: &mut [u8], order: ByteOrder) -> Option<()> {
                let target: &mut [u8; Self::BYTES] =
                    bytes.get_mut(..Self::BYTES)?.try_into().ok()?;
                *target = match order {
                    ByteOrder::Little => self.to_le_bytes(),
                    ByteOrder::Big => self.to_be_bytes(),
                };
                Some(())
            }

            #[inline(always)]
            fn low_bits(value: u64) -> Self {
                value as Self
            }
        }
    };
}

word!(u16);
word!(u32);
word!(u64);
