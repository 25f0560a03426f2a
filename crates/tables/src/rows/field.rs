//! Columns by what each row says.

use super::label::Label;
use crate::row_context::RowContext;

/// How the values of a column come from the rows.
pub(crate) enum Field<T> {
    Bool(Get<T, bool>),
    U8(Get<T, u8>),
    U16(Get<T, u16>),
    U32(Get<T, u32>),
    U64(Get<T, u64>),
    I64(Get<T, i64>),
    /// A quantity, which is signed so that differences of two do not wrap.
    Quantity(Get<T, u64>),
    F64(Get<T, f64>),
    Word(Get<T, Label>),
    Text(Get<T, String>),
}

/// What a row has in a column, if anything.
pub(crate) type Get<T, V> = fn(&RowContext<'_>, &T) -> Option<V>;

/// A row that knows its columns.
pub(crate) trait Row: Sized {
    /// The columns after those of every table.
    fn fields() -> Vec<Field<Self>>;
}

/// Says what the columns of a table are.
///
/// A column has a name, what it is, how it comes from a row, and what it tells.
/// It is a kind of values, `optional` before it where one can be missing;
/// `ticks`, `bytes` or `count`, a number of these; `event`, the number of an event;
/// `nanoseconds`, which are missing where the clock tells no time.
macro_rules! columns {
    // Only what they are: the values are made otherwise.
    (enum $part:ident; $($variant:ident $name:ident: $($of:ident)+, $about:literal;)*) => {
        pub(crate) const COLUMNS: &[crate::Column] = &[
            crate::column::FILE,
            crate::column::RECORDING_ID,
            $(columns!(@column $name $about $($of)+)),*
        ];

        /// The columns after those of every table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum $part { $($variant),* }

        impl $part {
            const ALL: &[Self] = &[$(Self::$variant),*];
        }
    };
    ($row:ty; $($name:ident: $($of:ident)+ = |$scene:pat_param, $it:pat_param| $get:expr, $about:literal;)*) => {
        pub(crate) const COLUMNS: &[crate::Column] = &[
            crate::column::FILE,
            crate::column::RECORDING_ID,
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
    (@kind ticks) => { crate::Kind::I64 };
    (@kind bytes) => { crate::Kind::I64 };
    (@kind count) => { crate::Kind::I64 };
    (@kind event) => { crate::Kind::I64 };
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
    (@field (ticks) $get:expr) => { crate::rows::field::Field::Quantity($get) };
    (@field (bytes) $get:expr) => { crate::rows::field::Field::Quantity($get) };
    (@field (count) $get:expr) => { crate::rows::field::Field::Quantity($get) };
    (@field (event) $get:expr) => { crate::rows::field::Field::Quantity($get) };
    (@field (nanoseconds) $get:expr) => { crate::rows::field::Field::I64($get) };
    (@field (hertz) $get:expr) => { crate::rows::field::Field::F64($get) };
    (@field ($kind:ident) $get:expr) => { crate::rows::field::Field::$kind($get) };
}

pub(super) use columns;
