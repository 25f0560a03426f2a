//! Tables of reports as tables of a trace: the report describes their columns.

use super::TableContent;
use super::column_filler::{ColumnFiller, RowSource, column, to_i64, to_text_column};
use crate::column::{FILE, RECORDING_ID};
use crate::row_context::RowContext;
use crate::{Column, ColumnData, ColumnType};
use rtoscope_analysis::report::cycles::CycleRow;
use rtoscope_analysis::report::locks::LockRow;
use rtoscope_analysis::report::stacks::StackRow;
use rtoscope_analysis::report::{Cell, CellKind, ReportColumn, TableRow, View};
use rtoscope_trace::{EventIndex, Ticks};
use std::ops::Range;
use std::sync::LazyLock;

pub(crate) static CYCLES: LazyLock<Vec<Column>> = LazyLock::new(columns::<CycleRow>);
pub(crate) static LOCKS: LazyLock<Vec<Column>> = LazyLock::new(columns::<LockRow>);
pub(crate) static STACKS: LazyLock<Vec<Column>> = LazyLock::new(columns::<StackRow>);

/// The table of a report.
pub(super) fn rows<'a, R: TableRow + Send + Sync + 'a>(
    ctx: RowContext<'a>,
    report: fn(&View<'_>) -> Vec<R>,
) -> Box<dyn TableContent + 'a> {
    let rows = report(&ctx.recording.view());
    Box::new(ReportRows { ctx, rows })
}

/// One of the values of a cell, as a column of its own.
struct CellPart {
    /// What its name has after that of the report's column.
    suffix: &'static str,
    /// What it is of the report's column.
    about: &'static str,
    column_type: ColumnType,
    unit: Option<&'static str>,
}

macro_rules! cell_parts {
    ($($suffix:literal $about:literal $type:ident $($unit:literal)?;)*) => {
        &[$(CellPart {
            suffix: $suffix,
            about: $about,
            column_type: ColumnType::$type,
            unit: cell_parts!(@unit $($unit)?),
        }),*]
    };
    (@unit) => { None };
    (@unit $unit:literal) => { Some($unit) };
}

const fn cell_parts(kind: CellKind) -> &'static [CellPart] {
    match kind {
        CellKind::Text | CellKind::Link => cell_parts! { "" "" Text; },
        CellKind::Thread => cell_parts! { "" "" Text; "priority" "its priority" I64; },
        CellKind::Address => cell_parts! { "" "" U64; },
        CellKind::Count | CellKind::Event => cell_parts! { "" "" I64; },
        CellKind::Decimal | CellKind::Percent => cell_parts! { "" "" F64; },
        CellKind::Duration => cell_parts! { "" "" I64 "ticks"; "ns" "in nanoseconds" I64 "ns"; },
        CellKind::Interval => cell_parts! {
            "" "" I64 "ticks";
            "ns" "in nanoseconds" I64 "ns";
            "end" "its end" I64 "ticks";
        },
        CellKind::Flag => cell_parts! { "" "" Bool; },
        CellKind::Distribution => cell_parts! {
            "count" "how many" I64;
            "min" "minimum" I64 "ticks";
            "mean" "mean" F64 "ticks";
            "p50" "median" I64 "ticks";
            "p90" "90th percentile" I64 "ticks";
            "p99" "99th percentile" I64 "ticks";
            "max" "maximum" I64 "ticks";
            "max_ns" "maximum in nanoseconds" I64 "ns";
            "event" "event of the maximum" I64;
        },
        // A value for each state, not for each column.
        CellKind::Shares => &[],
    }
}

enum Value {
    Bool(bool),
    U64(u64),
    I64(i64),
    F64(f64),
    Text(String),
}

/// The value of the part with an index in [`cell_parts()`].
fn value(ctx: &RowContext<'_>, cell: &Cell<'_>, part: usize) -> Option<Value> {
    let quantity = |value| Value::I64(to_i64(value));
    let event = |event| quantity(ctx.event_number(EventIndex(event)));
    Some(match (cell, part) {
        (Cell::Text(text) | Cell::Note(text), _) => Value::Text(text.to_string()),
        (Cell::Thread(_, priority), 1) => Value::I64((*priority).into()),
        (Cell::Thread(name, _) | Cell::Link(name, _), _) => Value::Text((*name).to_owned()),
        (Cell::Address(address), _) => Value::U64(address.0.0),
        (Cell::Count(count), _) => quantity(*count),
        (Cell::Decimal(value) | Cell::Percent(value), _) => Value::F64(*value),
        (Cell::Duration(ticks), 0) => quantity(*ticks),
        (Cell::Duration(ticks), _) => Value::I64(ctx.nanoseconds(Ticks(*ticks))?),
        (Cell::FractionalDuration(ticks), part) => {
            value(ctx, &Cell::Duration(ticks.round() as u64), part)?
        }
        (Cell::Interval(it), 0) => quantity(ctx.time(Ticks(it.start))),
        (Cell::Interval(it), 1) => Value::I64(ctx.time_ns(Ticks(it.start))?),
        (Cell::Interval(it), _) => quantity(ctx.time(Ticks(it.end))),
        (Cell::Event(number), _) => event(*number),
        (Cell::Flag(flag), _) => Value::Bool(*flag),
        (Cell::Distribution(it), 0) => quantity(it.count),
        (Cell::Distribution(it), 1) => quantity(it.min),
        (Cell::Distribution(it), 2) => Value::F64(it.mean),
        (Cell::Distribution(it), 3) => quantity(it.p50),
        (Cell::Distribution(it), 4) => quantity(it.p90),
        (Cell::Distribution(it), 5) => quantity(it.p99),
        (Cell::Distribution(it), 6) => quantity(it.max),
        (Cell::Distribution(it), 7) => Value::I64(ctx.nanoseconds(Ticks(it.max))?),
        (Cell::Distribution(it), _) => event(it.event),
        (Cell::Shares(_), _) => return None,
    })
}

/// The columns of a report, each with the index of one of its parts.
fn report_columns<R: TableRow>()
-> impl Iterator<Item = (&'static ReportColumn<R>, usize, &'static CellPart)> {
    R::TABLE.columns.iter().flat_map(|column| {
        let parts = cell_parts(column.kind).iter().enumerate();
        parts.map(move |(index, part)| (column, index, part))
    })
}

/// The columns in SQL. Runs once a table.
fn columns<R: TableRow>() -> Vec<Column> {
    let column = |(column, _, part): (&ReportColumn<R>, usize, &CellPart)| {
        let key = column.key.replace('.', "_");
        let separator = if part.suffix.is_empty() { "" } else { "_" };
        let name = format!("{key}{separator}{}", part.suffix);
        let texts = [column.label, column.hint, part.about];
        let texts: Vec<_> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        Column {
            name: name.leak(),
            column_type: part.column_type,
            nullable: true,
            unit: part
                .unit
                .or(Some(column.unit).filter(|unit| !unit.is_empty())),
            is_address: column.kind == CellKind::Address,
            is_name: matches!(column.kind, CellKind::Thread | CellKind::Link)
                && part.column_type == ColumnType::Text,
            about: texts.join(": ").leak(),
        }
    };
    let common = [FILE, RECORDING_ID].into_iter();
    common.chain(report_columns::<R>().map(column)).collect()
}

struct ReportRows<'a, R> {
    ctx: RowContext<'a>,
    rows: Vec<R>,
}

impl<R: TableRow + Send + Sync> RowSource for ReportRows<'_, R> {
    type Row = R;

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn visit(&self, rows: Range<usize>, mut visit: impl FnMut(&[R])) {
        visit(self.rows.get(rows).unwrap_or_default());
    }

    fn filler(&self, number: usize, rows: usize) -> Option<Box<dyn ColumnFiller<R> + '_>> {
        let (report_column, index, part) = report_columns::<R>().nth(number)?;
        let value = move |row: &R| value(&self.ctx, &report_column.cell(row)?, index);
        macro_rules! column {
            ($variant:ident, $data:expr) => {{
                let value = move |row: &R| match value(row)? {
                    Value::$variant(value) => Some(value),
                    _ => None,
                };
                column(rows, value, $data)
            }};
        }
        Some(match part.column_type {
            ColumnType::Bool => column!(Bool, ColumnData::Bool),
            ColumnType::U64 => column!(U64, ColumnData::U64),
            ColumnType::F64 => column!(F64, ColumnData::F64),
            ColumnType::I64 => column!(I64, ColumnData::I64),
            _ => column!(Text, to_text_column),
        })
    }
}
