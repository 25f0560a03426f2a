//! Columns by what each row says.

use super::key::Key;
use crate::scene::Scene;

/// How the values of a column come from the rows.
pub(crate) enum Field<T> {
    Bool(Get<T, bool>),
    U8(Get<T, u8>),
    U16(Get<T, u16>),
    U32(Get<T, u32>),
    U64(Get<T, u64>),
    I64(Get<T, i64>),
    F64(Get<T, f64>),
    Word(Get<T, Key>),
    Text(Get<T, String>),
}

/// What a row has in a column, if anything.
pub(crate) type Get<T, V> = fn(&Scene<'_>, &T) -> Option<V>;

/// A row that knows its columns.
pub(crate) trait Row: Sized {
    /// The columns behind the first.
    fn fields() -> Vec<Field<Self>>;
}

/// Says what the columns of a table are.
///
/// A column has a name, what it is, how it comes from a row, and what it tells.
/// It is a kind of values, `optional` before it where one can be missing;
/// `ticks` or `bytes`, a number of these; `nanoseconds`, which are missing where
/// the clock tells no time.
macro_rules! columns {
    // Only what they are: the values are made otherwise.
    (enum $part:ident; $($variant:ident $name:ident: $($of:ident)+, $about:literal;)*) => {
        pub(crate) const COLUMNS: &[crate::Column] = &[
            crate::column::FILE,
            $(columns!(@column $name $about $($of)+)),*
        ];

        /// The columns behind the first.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum $part { $($variant),* }

        impl $part {
            const ALL: &[Self] = &[$(Self::$variant),*];
        }
    };
    ($row:ty; $($name:ident: $($of:ident)+ = |$scene:pat_param, $it:pat_param| $get:expr, $about:literal;)*) => {
        pub(crate) const COLUMNS: &[crate::Column] = &[
            crate::column::FILE,
            $(columns!(@column $name $about $($of)+)),*
        ];

        impl crate::rows::field::Row for $row {
            fn fields() -> Vec<crate::rows::field::Field<Self>> {
                vec![$(columns!(@field ($($of)+) |$scene, $it| Option::from($get))),*]
            }
        }
    };
    (@column $name:ident $about:literal $($of:ident)+) => {
        crate::Column {
            name: stringify!($name),
            kind: columns!(@kind $($of)+),
            nullable: columns!(@nullable $($of)+),
            unit: columns!(@unit $($of)+),
            about: $about,
        }
    };
    (@kind optional $of:ident) => { columns!(@kind $of) };
    (@kind ticks) => { crate::Kind::U64 };
    (@kind bytes) => { crate::Kind::U64 };
    (@kind nanoseconds) => { crate::Kind::I64 };
    (@kind hertz) => { crate::Kind::F64 };
    (@kind $kind:ident) => { crate::Kind::$kind };
    (@nullable optional $of:ident) => { true };
    (@nullable nanoseconds) => { true };
    (@nullable $of:ident) => { false };
    (@unit optional $of:ident) => { columns!(@unit $of) };
    (@unit ticks) => { Some("ticks") };
    (@unit bytes) => { Some("bytes") };
    (@unit nanoseconds) => { Some("ns") };
    (@unit hertz) => { Some("Hz") };
    (@unit $of:ident) => { None };
    (@field (optional $of:ident) $get:expr) => { columns!(@field ($of) $get) };
    (@field (ticks) $get:expr) => { crate::rows::field::Field::U64($get) };
    (@field (bytes) $get:expr) => { crate::rows::field::Field::U64($get) };
    (@field (nanoseconds) $get:expr) => { crate::rows::field::Field::I64($get) };
    (@field (hertz) $get:expr) => { crate::rows::field::Field::F64($get) };
    (@field ($kind:ident) $get:expr) => { crate::rows::field::Field::$kind($get) };
}

pub(super) use columns;
