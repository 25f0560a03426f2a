//! Columns defined by functions of a row.

use super::label::Label;
use crate::row_context::RowContext;

/// How the values of a column are computed from the rows.
pub(crate) enum Field<T> {
    Bool(Get<T, bool>),
    U8(Get<T, u8>),
    U16(Get<T, u16>),
    U32(Get<T, u32>),
    U64(Get<T, u64>),
    I64(Get<T, i64>),
    /// A quantity, stored as a signed integer so that differences do not wrap.
    Quantity(Get<T, u64>),
    F64(Get<T, f64>),
    Word(Get<T, Label>),
    Text(Get<T, String>),
}

/// Returns the value of a column in a row, if there is one.
pub(crate) type Get<T, V> = fn(&RowContext<'_>, &T) -> Option<V>;

/// A row of a table.
pub(crate) trait Row: Sized {
    /// The columns after those common to all tables.
    fn fields() -> Vec<Field<Self>>;
}

/// Defines the columns of a table.
///
/// A column has a name, a type, an expression that computes its value from a
/// row, and a description. The type is a [`ColumnType`](crate::ColumnType), or
/// `ticks`, `bytes` or `count` (a quantity), `event` (the number of an event),
/// `nanoseconds` (null if the clock does not count time) or `hertz`. `optional`
/// before the type makes the column nullable.
macro_rules! columns {
    // Columns only, for tables that compute their values by other means.
    (enum $part:ident; $($variant:ident $name:ident: $($of:ident)+, $about:literal;)*) => {
        pub(crate) const COLUMNS: &[crate::Column] = &[
            crate::column::FILE,
            crate::column::RECORDING_ID,
            $(columns!(@column $name $about $($of)+)),*
        ];

        /// The columns after those common to all tables.
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
