//! The tables of reports: one title, order and label of columns for text, HTML and
//! the viewer.

use super::{Distribution, Hex, LongestInterval};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// A program part that shows the columns of reports that it chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrontEnd {
    /// Text on a terminal.
    Text,
    /// The HTML page.
    Html,
    /// The viewer.
    Viewer,
    /// Checks and comparisons: all columns.
    Data,
}

/// A row with a table that shows it.
pub trait TableRow: Sized + 'static {
    /// The table.
    const TABLE: ReportTable<Self>;

    /// The columns that a front end shows, in order.
    fn columns(front_end: FrontEnd) -> impl Iterator<Item = &'static ReportColumn<Self>> {
        let columns = Self::TABLE.columns.iter();
        columns.filter(move |column| {
            front_end == FrontEnd::Data || column.front_ends.contains(&front_end)
        })
    }

    /// The label of the column with this key; empty if there is none.
    fn label(key: &str) -> &'static str {
        let mut columns = Self::TABLE.columns.iter();
        let found = columns.find(|column| column.key == key);
        found.map_or("", |column| column.label)
    }
}

/// A table, or a list of figures if there is only one row.
#[derive(Debug)]
pub struct ReportTable<R: 'static> {
    /// The path of its rows in the JSON document, such as `transitions.taken`.
    pub path: &'static str,
    /// Its title.
    pub title: &'static str,
    /// An explanation of columns; can be empty.
    pub note: &'static str,
    /// The meaning of an empty table.
    pub empty: &'static str,
    /// The key of the column whose highest values matter most; empty if the rows are in
    /// order of time. Who shows some of the rows shows those.
    pub rank: &'static str,
    /// The columns.
    pub columns: &'static [ReportColumn<R>],
}

/// A column of a table, or a figure of a list.
#[derive(Debug)]
pub struct ReportColumn<R> {
    /// The path of the value in the row's JSON, such as `endings.failed`.
    pub key: &'static str,
    /// The label.
    pub label: &'static str,
    /// The unit, unless the value is a duration; can be empty.
    pub unit: &'static str,
    /// An explanation; can be empty. That of a distribution says from when to when a
    /// duration lasts.
    pub hint: &'static str,
    /// Shown for a missing value; can be empty.
    pub missing: &'static str,
    /// The percentages from which on a value is a warning, and an error.
    pub warns: Option<[f64; 2]>,
    /// Whether it is a sum that grows with the recording.
    pub is_total: bool,
    /// Who shows the column.
    front_ends: &'static [FrontEnd],
    /// The kind of its cells.
    pub kind: CellKind,
    cell: fn(&R) -> Option<Cell<'_>>,
}

/// The kind of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CellKind {
    /// A name or another text.
    Text,
    /// A thread and, with the suffix `_priority` at its key, its priority.
    Thread,
    /// A name of something that the viewer shows elsewhere.
    Link,
    /// An address.
    Address,
    /// A whole number.
    Count,
    /// A number with a fraction.
    Decimal,
    /// A duration or a time, in ticks.
    Duration,
    /// An interval of time; text shows its start.
    Interval,
    /// Durations by name, parts of a whole.
    Shares,
    /// A percentage.
    Percent,
    /// The number of an event.
    Event,
    /// Yes or no.
    Flag,
    /// A distribution of durations.
    Distribution,
}

/// A value of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell<'r> {
    /// A name or another text.
    Text(Cow<'r, str>),
    /// A text that replaces a missing value.
    Note(Cow<'r, str>),
    /// A thread and its priority.
    Thread(&'r str, u16),
    /// A name, and what has it.
    Link(&'r str, LinkTarget),
    /// An address.
    Address(Hex),
    /// A whole number.
    Count(u64),
    /// A number with a fraction.
    Decimal(f64),
    /// A duration or a time, in ticks.
    Duration(u64),
    /// An interval of time.
    Interval(TimeInterval),
    /// Durations in ticks by name.
    Shares(Shares<'r>),
    /// A duration with a fraction, in ticks.
    FractionalDuration(f64),
    /// A percentage.
    Percent(f64),
    /// The number of an event.
    Event(u32),
    /// Yes or no.
    Flag(bool),
    /// A distribution of durations.
    Distribution(&'r Distribution),
}

/// What a name stands for, by what identifies it in all parts of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "target", rename_all = "kebab-case")]
pub enum LinkTarget {
    /// A kind of event.
    EventKind {
        /// Its number in the format.
        id: u32,
    },
    /// An object with a level, such as a queue.
    Object {
        /// Its class.
        class: &'static str,
        /// Its address.
        address: Hex,
    },
    /// An active object.
    ActiveObject {
        /// Its address.
        address: Hex,
    },
}

/// An interval of time, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TimeInterval {
    /// Its start.
    pub start: u64,
    /// Its end.
    pub end: u64,
    /// The event with which it starts, if that is recorded.
    pub event: Option<u32>,
}

impl<'r> Cell<'r> {
    /// A name.
    pub(super) fn name(text: &'r str) -> Option<Self> {
        Some(Self::Text(text.into()))
    }

    /// A text made for the cell.
    pub(super) fn made(text: &impl ToString) -> Option<Self> {
        Some(Self::Text(text.to_string().into()))
    }

    /// An interval that begins with an event.
    pub(super) const fn interval(start: u64, ticks: u64, event: u32) -> Option<Self> {
        Some(Self::Interval(TimeInterval {
            start,
            end: start.saturating_add(ticks),
            event: Some(event),
        }))
    }

    /// The value by which rows are ranked; of a distribution, its maximum.
    pub(super) fn magnitude(&self) -> f64 {
        match self {
            Self::Text(_) | Self::Note(_) | Self::Thread(..) => 0.0,
            Self::Link(..) | Self::Address(_) => 0.0,
            Self::Count(value) | Self::Duration(value) => *value as f64,
            Self::Decimal(value) | Self::FractionalDuration(value) | Self::Percent(value) => *value,
            Self::Interval(interval) => interval.start as f64,
            Self::Shares(shares) => shares.iter().map(|(_, ticks)| *ticks as f64).sum(),
            Self::Event(event) => (*event).into(),
            Self::Flag(value) => u8::from(*value).into(),
            Self::Distribution(found) => found.max as f64,
        }
    }
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Link<'r> {
            text: &'r str,
            #[serde(flatten)]
            target: LinkTarget,
        }
        #[derive(Serialize)]
        struct LocatedDistribution<'r> {
            #[serde(flatten)]
            distribution: &'r Distribution,
            longest: Option<LongestInterval>,
        }
        #[derive(Serialize)]
        struct NumberedEvent {
            event: u32,
        }
        match self {
            Self::Text(text) | Self::Note(text) => text.serialize(serializer),
            Self::Address(address) => address.serialize(serializer),
            Self::Thread(name, priority) => {
                serializer.collect_str(&format_args!("{name} ({priority})"))
            }
            Self::Link(text, target) => {
                let target = *target;
                Link { text, target }.serialize(serializer)
            }
            Self::Count(value) | Self::Duration(value) => value.serialize(serializer),
            Self::Decimal(value) | Self::FractionalDuration(value) | Self::Percent(value) => {
                value.serialize(serializer)
            }
            Self::Interval(interval) => interval.serialize(serializer),
            Self::Shares(shares) => shares.serialize(serializer),
            Self::Event(event) => NumberedEvent { event: *event }.serialize(serializer),
            Self::Flag(value) => value.serialize(serializer),
            Self::Distribution(distribution) => LocatedDistribution {
                distribution,
                longest: distribution.longest,
            }
            .serialize(serializer),
        }
    }
}

/// Durations in ticks by name.
type Shares<'r> = Vec<(&'r str, u64)>;

impl<R> ReportColumn<R> {
    /// What [`column`] expands to.
    pub(super) const fn new(
        kind: CellKind,
        key: &'static str,
        label: &'static str,
        cell: fn(&R) -> Option<Cell<'_>>,
    ) -> Self {
        Self {
            key,
            label,
            unit: "",
            hint: "",
            missing: "",
            warns: None,
            is_total: false,
            front_ends: &[FrontEnd::Text, FrontEnd::Html, FrontEnd::Viewer],
            kind,
            cell,
        }
    }

    /// Who shows the column, if not all. SQL and data files have all columns.
    pub(super) const fn only(mut self, front_ends: &'static [FrontEnd]) -> Self {
        self.front_ends = front_ends;
        self
    }

    pub(super) const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    pub(super) const fn hint(mut self, hint: &'static str) -> Self {
        self.hint = hint;
        self
    }

    pub(super) const fn warns(mut self, warning: f64, error: f64) -> Self {
        self.warns = Some([warning, error]);
        self
    }

    /// A sum that grows with the recording, so that it is not compared with others.
    pub(super) const fn total(mut self) -> Self {
        self.is_total = true;
        self
    }

    pub(super) const fn missing(mut self, missing: &'static str) -> Self {
        self.missing = missing;
        self
    }

    /// The value of a row; `None` if it is unknown or does not apply.
    pub fn cell<'r>(&self, row: &'r R) -> Option<Cell<'r>> {
        (self.cell)(row)
    }
}

/// A column of a [`TableRow`]: the kind of its cells, its key and its label.
///
/// The key is the path of a field: `name`, `waits.count`, or `longest?.ticks` if the part can be
/// missing. A part in brackets is flattened, so that the key leaves it out: `[share].ticks`,
/// `idle[share].ticks`. What is not the value of a field is made by a function of the row.
macro_rules! column {
    ($kind:ident, $([$flat:ident].)?$field:ident, $label:literal) => {
        column!($kind, $field, $label, |row| column!(@value $kind &row.$($flat.)?$field))
    };
    ($kind:ident, $part:ident$([$flat:ident])?.$field:ident, $label:literal) => {
        column!($kind, $part.$field, $label, |row| {
            column!(@value $kind &row.$part.$($flat.)?$field)
        })
    };
    ($kind:ident, $part:ident?$([$flat:ident])?.$field:ident, $label:literal) => {
        column!($kind, $part.$field, $label, |row| {
            column!(@value $kind &row.$part.as_ref()?.$($flat.)?$field)
        })
    };
    ($kind:ident, $first:ident$(.$rest:ident)?, $label:literal, |$row:ident| $cell:expr) => {
        $crate::report::table::ReportColumn::new(
            $crate::report::table::CellKind::$kind,
            concat!(stringify!($first) $(, ".", stringify!($rest))?),
            $label,
            |$row: &Self| $cell,
        )
    };
    (@value $kind:ident $field:expr) => {
        $crate::report::table::CellValue::value($field).map($crate::report::table::Cell::$kind)
    };
}
pub(super) use column;

/// A value as the cell of a column has it.
pub(super) trait CellValue<'r, V> {
    /// The value, if there is one.
    fn value(&'r self) -> Option<V>;
}

impl<'r, V, T: CellValue<'r, V>> CellValue<'r, V> for Option<T> {
    fn value(&'r self) -> Option<V> {
        self.as_ref()?.value()
    }
}

macro_rules! cell_values {
    ($($field:ty as $value:ty: |$it:ident| $convert:expr;)*) => {
        $(impl<'r> CellValue<'r, $value> for $field {
            fn value(&'r self) -> Option<$value> {
                let $it = self;
                Some($convert)
            }
        })*
    };
}

cell_values! {
    u8 as u64: |it| (*it).into();
    u16 as u64: |it| (*it).into();
    u32 as u64: |it| (*it).into();
    u64 as u64: |it| *it;
    u32 as u32: |it| *it;
    f64 as f64: |it| *it;
    bool as bool: |it| *it;
    Distribution as &'r Distribution: |it| it;
    String as Cow<'r, str>: |it| it.into();
    &'static str as Cow<'r, str>: |it| (*it).into();
    Hex as Hex: |it| *it;
}

/// Formats a percentage.
pub fn format_percent(percent: f64) -> String {
    format!("{percent:.1} %")
}

/// Formats a number with a fraction.
pub fn format_decimal(value: f64) -> String {
    format!("{value:.1}")
}

/// Formats yes or no.
pub const fn format_flag(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}
