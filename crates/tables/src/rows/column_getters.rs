//! Columns defined by functions of a row.

use super::label::Label;
use crate::row_context::RowContext;

/// How the values of a column are computed from the rows.
pub(crate) enum ColumnGetter<T> {
    Bool(Getter<T, bool>),
    U8(Getter<T, u8>),
    U16(Getter<T, u16>),
    U32(Getter<T, u32>),
    U64(Getter<T, u64>),
    I64(Getter<T, i64>),
    /// A quantity, stored as a signed integer so that differences do not wrap.
    Quantity(Getter<T, u64>),
    F64(Getter<T, f64>),
    Dictionary(Getter<T, Label>),
    Text(Getter<T, String>),
}

/// Returns the value of a column in a row, if there is one.
pub(crate) type Getter<T, V> = fn(&RowContext<'_>, &T) -> Option<V>;

/// A row of a table.
pub(crate) trait TableRow: Sized {
    /// The columns after those common to all tables.
    fn getters() -> Vec<ColumnGetter<Self>>;
}

/// Defines the columns of a table in a constant, and its rows if they compute
/// the values.
///
/// A column has a name, a type, an expression that computes its value from a
/// row, and a description. The type is a [`ColumnType`](crate::ColumnType), or
/// `ticks`, `bytes` or `count` (a quantity), `signed_ticks`, `event` (the number of an event),
/// `nanoseconds` (null if the clock does not count time) or `hertz`. `optional`
/// before the type makes the column nullable.
macro_rules! columns {
    // Columns only, for tables that compute their values by other means.
    (enum $columns:ident; $($variant:ident $name:ident: $($type:ident)+, $about:literal;)*) => {
        pub(crate) const COLUMNS: &[crate::Column] = &[
            crate::column::FILE,
            crate::column::RECORDING_ID,
            $(columns!(@column $name $about $($type)+)),*
        ];

        /// The columns after those common to all tables.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum $columns { $($variant),* }

        impl $columns {
            const ALL: &[Self] = &[$(Self::$variant),*];
        }
    };
    ($table:ident: $row:ty; $($name:ident: $($type:ident)+ = |$ctx:pat_param, $it:pat_param| $get:expr, $about:literal;)*) => {
        pub(crate) const $table: &[crate::Column] = &[
            crate::column::FILE,
            crate::column::RECORDING_ID,
            $(columns!(@column $name $about $($type)+)),*
        ];

        impl crate::rows::column_getters::TableRow for $row {
            fn getters() -> Vec<crate::rows::column_getters::ColumnGetter<Self>> {
                vec![$(columns!(@getter ($($type)+) |$ctx, $it| Option::from($get))),*]
            }
        }
    };
    (@column $name:ident $about:literal $($type:ident)+) => {
        crate::Column {
            name: stringify!($name),
            column_type: columns!(@type $($type)+),
            nullable: columns!(@nullable $($type)+),
            unit: columns!(@unit $($type)+),
            about: $about,
        }
    };
    (@type optional $type:ident) => { columns!(@type $type) };
    (@type ticks) => { crate::ColumnType::I64 };
    (@type signed_ticks) => { crate::ColumnType::I64 };
    (@type bytes) => { crate::ColumnType::I64 };
    (@type count) => { crate::ColumnType::I64 };
    (@type event) => { crate::ColumnType::I64 };
    (@type nanoseconds) => { crate::ColumnType::I64 };
    (@type hertz) => { crate::ColumnType::F64 };
    (@type $type:ident) => { crate::ColumnType::$type };
    (@nullable optional $type:ident) => { true };
    (@nullable nanoseconds) => { true };
    (@nullable $type:ident) => { false };
    (@unit optional $type:ident) => { columns!(@unit $type) };
    (@unit ticks) => { Some("ticks") };
    (@unit signed_ticks) => { Some("ticks") };
    (@unit bytes) => { Some("bytes") };
    (@unit nanoseconds) => { Some("ns") };
    (@unit hertz) => { Some("Hz") };
    (@unit $type:ident) => { None };
    (@getter (optional $type:ident) $get:expr) => { columns!(@getter ($type) $get) };
    (@getter (ticks) $get:expr) => { crate::rows::column_getters::ColumnGetter::Quantity($get) };
    (@getter (signed_ticks) $get:expr) => { crate::rows::column_getters::ColumnGetter::I64($get) };
    (@getter (bytes) $get:expr) => { crate::rows::column_getters::ColumnGetter::Quantity($get) };
    (@getter (count) $get:expr) => { crate::rows::column_getters::ColumnGetter::Quantity($get) };
    (@getter (event) $get:expr) => { crate::rows::column_getters::ColumnGetter::Quantity($get) };
    (@getter (nanoseconds) $get:expr) => { crate::rows::column_getters::ColumnGetter::I64($get) };
    (@getter (hertz) $get:expr) => { crate::rows::column_getters::ColumnGetter::F64($get) };
    (@getter ($type:ident) $get:expr) => { crate::rows::column_getters::ColumnGetter::$type($get) };
}

pub(super) use columns;
