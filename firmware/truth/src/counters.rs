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

pub(crate) use counters;
