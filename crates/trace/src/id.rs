//! Typed numbers, so that two of different types cannot be mixed up.

use std::fmt;

macro_rules! id {
    ($(#[doc = $doc:literal])* $name:ident) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index into a slice.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id! {
    /// The position of an event in its trace: the oldest is 0.
    EventIndex
}
id! {
    /// A context of a trace: index into its [`Contexts`](crate::Contexts).
    ContextId
}
id! {
    /// An object of a trace: index into its [`Objects`](crate::Objects).
    ObjectId
}
id! {
    /// A kind of event, by its number in the format.
    EventKindId
}

impl ContextId {
    /// An unknown context.
    pub const UNKNOWN: Self = Self(u32::MAX);
}
