//! Columns defined by functions of a row.

use super::label::Label;
use crate::row_context::RowContext;
use rtoscope_trace::Ticks;

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
    /// A time of the trace, in ticks since the first event of the recording.
    Time(Getter<T, Ticks>),
    /// The same in nanoseconds.
    TimeNs(Getter<T, Ticks>),
    /// A duration in ticks.
    Duration(Getter<T, Ticks>),
    /// The same in nanoseconds.
    DurationNs(Getter<T, Ticks>),
    Dictionary(Getter<T, Label>),
    Text(Getter<T, String>),
}

impl<T> ColumnGetter<T> {
    /// A time in ticks and in nanoseconds.
    pub(crate) fn of_time(get: Getter<T, Ticks>) -> [Self; 2] {
        [Self::Time(get), Self::TimeNs(get)]
    }

    /// A duration in ticks and in nanoseconds.
    pub(crate) fn of_duration(get: Getter<T, Ticks>) -> [Self; 2] {
        [Self::Duration(get), Self::DurationNs(get)]
    }
}

/// Returns the value of a column in a row, if there is one.
pub(crate) type Getter<T, V> = fn(&RowContext<'_>, &T) -> Option<V>;

/// A row of a table.
pub(crate) trait TableRow: Sized {
    /// Appends the columns after those common to all tables.
    fn append_getters(all: &mut Vec<ColumnGetter<Self>>);

    /// The columns after those common to all tables.
    fn getters() -> Vec<ColumnGetter<Self>> {
        let mut all = Vec::new();
        Self::append_getters(&mut all);
        all
    }
}

/// Defines the columns of a table, and its rows if they compute the values.
///
/// A column has a name, a type, an expression that computes its value from a
/// row, and a description. The type is a [`ColumnType`](crate::ColumnType), or
/// `Name` or `TextName` (in a dictionary or not, see [`Column::is_name`](crate::Column)),
/// `bytes` or `count` (a quantity), `address`, `signed_ticks`, `event` (the number of an event),
/// `nanoseconds` (null if the clock does not count time) or `hertz`. `time` (a time of the
/// trace) and `duration` are computed in [`Ticks`] and make two columns:
/// the second, with `_ns` at its name, has nanoseconds. `optional` before the type makes the
/// column nullable.
macro_rules! columns {
    // Columns only, for tables that compute their values by other means.
    (enum $columns:ident; $($variant:ident $name:ident: $($type:ident)+, $about:literal;)*) => {
        columns!(@table COLUMNS $($name $about ($($type)+))*);

        /// The columns after those common to all tables.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum $columns { $($variant),* }

        impl $columns {
            const ALL: &[Self] = &[$(Self::$variant),*];
        }
    };
    ($table:ident: $row:ty; $($name:ident: $($type:ident)+ = |$ctx:pat_param, $it:pat_param| $get:expr, $about:literal;)*) => {
        columns!(@table $table $($name $about ($($type)+))*);

        impl crate::rows::column_getters::TableRow for $row {
            fn append_getters(all: &mut Vec<crate::rows::column_getters::ColumnGetter<Self>>) {
                $(columns!(@getters all ($($type)+) |$ctx, $it| Option::from($get));)*
            }
        }
    };
    (@table $table:ident $($name:ident $about:literal $type:tt)*) => {
        pub(crate) static $table: std::sync::LazyLock<Vec<crate::Column>> =
            std::sync::LazyLock::new(|| {
                let mut all = vec![crate::column::FILE, crate::column::RECORDING_ID];
                $(all.extend(columns!(@columns $name $about $type));)*
                all
            });
    };
    (@columns $name:ident $about:literal (time)) => { columns!(@pair $name $about false) };
    (@columns $name:ident $about:literal (duration)) => { columns!(@pair $name $about false) };
    (@columns $name:ident $about:literal (optional time)) => { columns!(@pair $name $about true) };
    (@columns $name:ident $about:literal (optional duration)) => { columns!(@pair $name $about true) };
    (@columns $name:ident $about:literal ($($type:ident)+)) => {
        [crate::Column {
            name: stringify!($name),
            column_type: columns!(@type $($type)+),
            nullable: columns!(@nullable $($type)+),
            unit: columns!(@unit $($type)+),
            is_address: columns!(@is_address $($type)+),
            is_name: columns!(@name $($type)+),
            about: $about,
        }]
    };
    (@pair $name:ident $about:literal $nullable:literal) => {
        crate::Column::in_two_units(
            [stringify!($name), concat!(stringify!($name), "_ns")],
            $nullable,
            [$about, concat!("`", stringify!($name), "` in nanoseconds")],
        )
    };
    (@type optional $type:ident) => { columns!(@type $type) };
    (@type address) => { crate::ColumnType::U64 };
    (@type ticks) => { crate::ColumnType::I64 };
    (@type signed_ticks) => { crate::ColumnType::I64 };
    (@type bytes) => { crate::ColumnType::I64 };
    (@type count) => { crate::ColumnType::I64 };
    (@type event) => { crate::ColumnType::I64 };
    (@type nanoseconds) => { crate::ColumnType::I64 };
    (@type hertz) => { crate::ColumnType::F64 };
    (@type Name) => { crate::ColumnType::Dictionary };
    (@type TextName) => { crate::ColumnType::Text };
    (@type $type:ident) => { crate::ColumnType::$type };
    (@nullable optional $type:ident) => { true };
    (@nullable nanoseconds) => { true };
    (@nullable $type:ident) => { false };
    (@is_address optional $type:ident) => { columns!(@is_address $type) };
    (@is_address address) => { true };
    (@is_address $type:ident) => { false };
    (@unit optional $type:ident) => { columns!(@unit $type) };
    (@unit ticks) => { Some("ticks") };
    (@unit signed_ticks) => { Some("ticks") };
    (@unit bytes) => { Some("bytes") };
    (@unit nanoseconds) => { Some("ns") };
    (@unit hertz) => { Some("Hz") };
    (@unit $type:ident) => { None };
    (@name optional $type:ident) => { columns!(@name $type) };
    (@name Name) => { true };
    (@name TextName) => { true };
    (@name $type:ident) => { false };
    (@getters $all:ident (optional $type:ident) $get:expr) => { columns!(@getters $all ($type) $get) };
    (@getters $all:ident (time) $get:expr) => { $all.extend(crate::rows::column_getters::ColumnGetter::<Self>::of_time($get)) };
    (@getters $all:ident (duration) $get:expr) => { $all.extend(crate::rows::column_getters::ColumnGetter::<Self>::of_duration($get)) };
    (@getters $all:ident ($type:ident) $get:expr) => { $all.push(columns!(@getter $type $get)) };
    (@getter address $get:expr) => { crate::rows::column_getters::ColumnGetter::U64($get) };
    (@getter signed_ticks $get:expr) => { crate::rows::column_getters::ColumnGetter::I64($get) };
    (@getter bytes $get:expr) => { crate::rows::column_getters::ColumnGetter::Quantity($get) };
    (@getter count $get:expr) => { crate::rows::column_getters::ColumnGetter::Quantity($get) };
    (@getter event $get:expr) => { crate::rows::column_getters::ColumnGetter::Quantity($get) };
    (@getter nanoseconds $get:expr) => { crate::rows::column_getters::ColumnGetter::I64($get) };
    (@getter hertz $get:expr) => { crate::rows::column_getters::ColumnGetter::F64($get) };
    (@getter Name $get:expr) => { crate::rows::column_getters::ColumnGetter::Dictionary($get) };
    (@getter TextName $get:expr) => { crate::rows::column_getters::ColumnGetter::Text($get) };
    (@getter $type:ident $get:expr) => { crate::rows::column_getters::ColumnGetter::$type($get) };
}

pub(super) use columns;
