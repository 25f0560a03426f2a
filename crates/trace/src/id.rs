//! Typed numbers: two of different types cannot be confused.

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
    /// Position of an event in its trace: the oldest is 0.
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
    /// A kind of event, by the number that its format gives it.
    EventKindId
}

impl ContextId {
    /// Who executed, or is about to, is not known.
    pub const UNKNOWN: Self = Self(u32::MAX);
}
