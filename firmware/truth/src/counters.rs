/// A structure of counters, with their names.
macro_rules! counters {
    ($(#[$about:meta])* $name:ident { $($(#[$field_about:meta])* $field:ident,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(C)]
        pub struct $name {
            $($(#[$field_about])* pub $field: u32,)+
        }

        impl $name {
            /// All counters 0.
            pub const ZERO: Self = Self { $($field: 0,)+ };

            /// Length in bytes.
            pub const BYTES: usize = size_of::<Self>();

            /// Reads the counters from memory in little-endian order; [`None`] if there is too
            /// little.
            pub fn from_memory(memory: &[u8]) -> Option<Self> {
                Self::read(&mut crate::counters::words(memory))
            }

            /// Reads the counters in their order.
            pub(crate) fn read(words: &mut impl Iterator<Item = u32>) -> Option<Self> {
                Some(Self { $($field: words.next()?,)+ })
            }

            /// The counters with their names, in their order.
            pub fn named(&self) -> impl Iterator<Item = (&'static str, u32)> + use<> {
                [$((stringify!($field), self.$field)),+].into_iter()
            }
        }
    };
}

/// The little-endian words in memory.
pub(crate) fn words(memory: &[u8]) -> impl Iterator<Item = u32> {
    let (words, _) = memory.as_chunks::<4>();
    words.iter().map(|word| u32::from_le_bytes(*word))
}

pub(crate) use counters;
