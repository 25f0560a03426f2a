//! The figure that a rule limits: a column of a report's table.

use crate::report::{
    Cell, CellKind, ColumnDescription, DescribedTable, Distribution, ReportDocument, ReportKind,
    format_decimal, format_flag, format_percent,
};
use rtoscope_trace::{Ticks, Timescale};

/// A column of a report's table whose values have an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Metric {
    column: String,
    part: Option<DistributionPart>,
    pub(crate) unit: MetricUnit,
}

/// The unit of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MetricUnit {
    /// Ticks of the clock.
    Ticks,
    /// Percent.
    Percent,
    /// A number, or a number of bytes and the like.
    Number,
    /// 0 for no, 1 for yes.
    Flag,
}

/// A part of a distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DistributionPart {
    Count,
    Min,
    Mean,
    P50,
    P90,
    P99,
    Max,
}

/// A figure of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Figure {
    /// In the unit of the metric.
    pub(crate) value: f64,
    /// The event of the figure, or of its row.
    pub(crate) event: Option<u32>,
}

impl DistributionPart {
    const ALL: [(&'static str, Self); 7] = [
        ("count", Self::Count),
        ("min", Self::Min),
        ("mean", Self::Mean),
        ("p50", Self::P50),
        ("p90", Self::P90),
        ("p99", Self::P99),
        ("max", Self::Max),
    ];

    fn value(self, found: &Distribution) -> f64 {
        match self {
            Self::Count => found.count as f64,
            Self::Min => found.min as f64,
            Self::Mean => found.mean,
            Self::P50 => found.p50 as f64,
            Self::P90 => found.p90 as f64,
            Self::P99 => found.p99 as f64,
            Self::Max => found.max as f64,
        }
    }
}

/// The report that has a table, by the table's path in the JSON document. The path of a table
/// of rows that belong to a row of another one is written without that row's number.
pub(super) fn report_of(path: &str) -> Result<ReportKind, String> {
    let first = path.split('.').next().unwrap_or_default();
    let kind = first.replace('_', "-").parse::<ReportKind>();
    kind.map_err(|()| {
        let all = ReportKind::ALL.iter().map(|kind| kind.name());
        format!(
            "no report has a table `{path}`; the reports are {}",
            all.collect::<Vec<_>>().join(", ")
        )
    })
}

/// The path of a table without the numbers of rows.
pub(crate) fn plain_path(path: &str) -> String {
    let is_number = |part: &str| part == "*" || part.bytes().all(|byte| byte.is_ascii_digit());
    let parts = path.split('.').filter(|part| !is_number(part));
    parts.collect::<Vec<_>>().join(".")
}

/// Finds a table that a report can have; `None` if its columns are those of a component, which
/// only a recording shows.
pub(super) fn find_table(
    kind: ReportKind,
    path: &str,
) -> Result<Option<DescribedTable<'static>>, String> {
    if kind.is_about_component() {
        return Ok(None);
    }
    let all = ReportDocument::all_tables(kind);
    let names: Vec<_> = all.iter().map(|table| plain_path(&table.path)).collect();
    let table = all
        .into_iter()
        .find(|table| plain_path(&table.path) == path);
    let missing = || {
        format!(
            "report {kind} has no table `{path}`; it has {}",
            names.join(", ")
        )
    };
    table.map(Some).ok_or_else(missing)
}

/// The columns whose values have an order; of a distribution, its maximum.
fn figure_names(table: &DescribedTable<'_>) -> Vec<String> {
    let names = table.columns.iter().filter_map(|column| match column.kind {
        CellKind::Distribution => Some(format!("{}.max", column.key)),
        kind => MetricUnit::of(kind).map(|_| column.key.clone().into_owned()),
    });
    names.collect()
}

/// Every table with figures that a rule can limit: its path, its title and its figures. Those
/// of a component depend on the recording.
pub fn limited_figures() -> Vec<(String, &'static str, Vec<String>)> {
    let tables = ReportKind::ALL.iter().copied();
    let tables = tables.flat_map(ReportDocument::all_tables);
    let tables = tables.map(|table| (plain_path(&table.path), table.title, figure_names(&table)));
    tables.filter(|(.., figures)| !figures.is_empty()).collect()
}

impl Metric {
    /// Finds a column, `name`, or a part of a distribution, `name.p99`.
    pub(crate) fn find(table: Option<&DescribedTable<'_>>, name: &str) -> Result<Self, String> {
        let whole = |unit| Self {
            column: name.to_owned(),
            part: None,
            unit,
        };
        let Some(table) = table else {
            return Ok(whole(MetricUnit::Number));
        };
        let column = |key: &str| table.columns.iter().find(|column| column.key == key);
        if let Some(unit) = column(name).and_then(|column| MetricUnit::of(column.kind)) {
            return Ok(whole(unit));
        }
        if let Some((key, part)) = name.rsplit_once('.')
            && column(key).is_some_and(|column| column.kind == CellKind::Distribution)
            && let Some((_, part)) = DistributionPart::ALL.iter().find(|(name, _)| *name == part)
        {
            return Ok(Self {
                column: key.to_owned(),
                part: Some(*part),
                unit: match part {
                    DistributionPart::Count => MetricUnit::Number,
                    _ => MetricUnit::Ticks,
                },
            });
        }
        let names = figure_names(table);
        let parts = DistributionPart::ALL.map(|(name, _)| name).join(", ");
        Err(format!(
            "table `{}` has no figure `{name}`; it has {} (a distribution has {parts})",
            plain_path(&table.path),
            names.join(", ")
        ))
    }

    /// The figure in a row of the table; `None` if it is unknown or does not apply.
    pub(crate) fn figure(
        &self,
        columns: &[ColumnDescription],
        row: &[Option<Cell<'_>>],
    ) -> Option<Figure> {
        let at = columns
            .iter()
            .position(|column| column.key == self.column)?;
        let cell = row.get(at)?.as_ref()?;
        let event = || {
            row.iter().flatten().find_map(|cell| match cell {
                Cell::Event(event) => Some(*event),
                Cell::Interval(interval) => interval.event,
                _ => None,
            })
        };
        let value = match cell {
            Cell::Count(value) | Cell::Duration(value) => *value as f64,
            Cell::Decimal(value) | Cell::FractionalDuration(value) | Cell::Percent(value) => *value,
            Cell::Flag(value) => u8::from(*value).into(),
            Cell::Distribution(found) => {
                return Some(Figure {
                    value: self.part?.value(found),
                    event: Some(found.event),
                });
            }
            _ => return None,
        };
        Some(Figure {
            value,
            event: event(),
        })
    }

    /// The distribution that the figure is a part of.
    pub(crate) fn distribution<'r>(
        &self,
        columns: &[ColumnDescription],
        row: &[Option<Cell<'r>>],
    ) -> Option<&'r Distribution> {
        let at = columns
            .iter()
            .position(|column| column.key == self.column)?;
        match row.get(at)? {
            Some(Cell::Distribution(found)) => Some(found),
            _ => None,
        }
    }

    /// Whether a row without a figure has no samples, rather than unknown ones.
    pub(super) const fn is_distribution(&self) -> bool {
        self.part.is_some()
    }

    /// A figure with its unit.
    pub(super) fn text(&self, value: f64, scale: &Timescale) -> String {
        match self.unit {
            MetricUnit::Ticks => scale.duration_text(Ticks(value.round() as u64)),
            MetricUnit::Percent => format_percent(value),
            MetricUnit::Flag => format_flag(value > 0.0).to_owned(),
            MetricUnit::Number if value.fract() == 0.0 => value.to_string(),
            MetricUnit::Number => format_decimal(value),
        }
    }
}

impl MetricUnit {
    /// That of the cells of a column; `None` if they have no order.
    const fn of(kind: CellKind) -> Option<Self> {
        match kind {
            CellKind::Count | CellKind::Decimal => Some(Self::Number),
            CellKind::Duration => Some(Self::Ticks),
            CellKind::Percent => Some(Self::Percent),
            CellKind::Flag => Some(Self::Flag),
            _ => None,
        }
    }
}
