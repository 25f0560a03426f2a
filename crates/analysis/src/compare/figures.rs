//! The figures of a recording.

use crate::check::{Metric, MetricUnit, NamedRow, plain_path};
use crate::report::{
    CellKind, ColumnDescription, DescribedTable, FrontEnd, ReportDocument, ReportKind,
    ReportOptions, View,
};
use rtoscope_trace::Ticks;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The machine-readable contract `rtoscope/baseline/1`: the figures of recordings, to compare
/// others with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// `rtoscope/baseline/1`.
    pub schema: String,
    /// The recordings.
    pub recordings: Vec<RecordingFigures>,
}

/// The figures of a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordingFigures {
    /// The name of the recording.
    pub source: String,
    /// The figures, in the order of their table, subject and name.
    pub figures: Vec<Figure>,
}

/// A figure of a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The path of the table in the JSON document of `report`, without the numbers of rows.
    pub table: String,
    /// The thread, routine, object or other subject; empty if it is the recording.
    pub subject: String,
    /// The key of the column, such as `wake_up.p99`.
    pub figure: String,
    /// Its unit.
    pub unit: FigureUnit,
    /// Its value.
    pub value: f64,
}

/// The unit of a figure.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum FigureUnit {
    /// Nanoseconds.
    Nanoseconds,
    /// Ticks of a clock of unknown frequency.
    Ticks,
    /// Percent.
    Percent,
    /// Bytes and other amounts that do not grow with the length of the recording.
    Amount,
    /// A number in each second.
    PerSecond,
}

/// The name of the schema of a [`Baseline`].
const SCHEMA: &str = "rtoscope/baseline/1";

/// The parts of a distribution that are compared.
const PARTS: [&str; 3] = ["p50", "p99", "max"];

impl Baseline {
    /// Creates a baseline.
    pub fn new(recordings: Vec<RecordingFigures>) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            recordings,
        }
    }

    /// Whether it has the schema that this version reads.
    pub fn is_readable(&self) -> bool {
        self.schema == SCHEMA
    }
}

impl RecordingFigures {
    /// Takes the figures of a recording from all its reports.
    pub fn new(source: &str, view: &View<'_>) -> Self {
        let document = ReportDocument::new(
            source,
            view,
            &ReportOptions {
                kinds: kinds().collect(),
                findings: false,
                ..ReportOptions::default()
            },
        );
        let mut collected = Collected {
            view,
            values: BTreeMap::new(),
        };
        for kind in kinds() {
            for table in document.tables(kind, FrontEnd::Viewer) {
                collected.add(&table);
            }
        }
        let figures = collected.values.into_iter().map(|(key, (unit, value))| {
            let (table, subject, figure) = key;
            Figure {
                table,
                subject,
                figure,
                unit,
                value,
            }
        });
        Self {
            source: source.to_owned(),
            figures: figures.collect(),
        }
    }

    /// The tables and their subjects.
    pub(super) fn subjects(&self) -> BTreeSet<(&str, &str)> {
        let figures = self.figures.iter();
        figures.map(|it| (&*it.table, &*it.subject)).collect()
    }
}

/// The reports whose figures describe the firmware. Those of `health` describe the recording, and
/// the cycles of `cycles` have numbers for names.
fn kinds() -> impl Iterator<Item = ReportKind> {
    let all = ReportKind::ALL.iter().copied();
    all.filter(|kind| {
        !matches!(
            kind,
            ReportKind::Health | ReportKind::Cycles | ReportKind::Load
        )
    })
}

/// Figures by table, subject and name. Rows with the same names, such as the inversions of one
/// mutex, have the highest figure of all.
struct Collected<'v> {
    view: &'v View<'v>,
    values: BTreeMap<(String, String, String), (FigureUnit, f64)>,
}

impl Collected<'_> {
    fn add(&mut self, table: &DescribedTable<'_>) {
        let metrics: Vec<_> = table
            .columns
            .iter()
            .flat_map(|it| metrics(table, it))
            .collect();
        let path = plain_path(&table.path);
        for cells in &table.rows {
            let subject = NamedRow { table, cells }.subject();
            for (name, metric, unit) in &metrics {
                let Some(figure) = metric.figure(&table.columns, cells) else {
                    continue;
                };
                let Some((unit, value)) = self.convert(*unit, figure.value) else {
                    continue;
                };
                let key = (path.clone(), subject.clone(), name.clone());
                let highest = self.values.entry(key).or_insert((unit, value));
                highest.1 = highest.1.max(value);
            }
        }
    }

    /// A figure in a unit that recordings of any length and clock have in common.
    fn convert(&self, unit: FigureUnit, value: f64) -> Option<(FigureUnit, f64)> {
        let scale = self.view.trace.timescale();
        match unit {
            FigureUnit::Ticks => Some(match scale.frequency() {
                Some(frequency) => {
                    let nanoseconds = value * 1e9 / frequency.hertz() as f64;
                    (FigureUnit::Nanoseconds, nanoseconds.round())
                }
                None => (FigureUnit::Ticks, value),
            }),
            FigureUnit::PerSecond => {
                let Ticks(span) = self.view.span();
                let seconds = span as f64 / scale.frequency()?.hertz() as f64;
                (seconds > 0.0).then(|| (unit, value / seconds))
            }
            unit => Some((unit, value)),
        }
    }
}

/// The figures of a column that are compared. The number of rows or events grows with the
/// recording: only that of the samples of a distribution is taken, in each second.
fn metrics(
    table: &DescribedTable<'_>,
    column: &ColumnDescription,
) -> Vec<(String, Metric, FigureUnit)> {
    let find =
        |name: String, unit| Some((name.clone(), Metric::find(Some(table), &name).ok()?, unit));
    if column.kind == CellKind::Distribution {
        let parts = PARTS.iter().map(|part| (*part, FigureUnit::Ticks));
        let count = std::iter::once(("count", FigureUnit::PerSecond));
        let parts = parts.chain(count);
        let found = parts.map(|(part, unit)| find(format!("{}.{part}", column.key), unit));
        return found.flatten().collect();
    }
    let found = find(column.key.clone().into_owned(), FigureUnit::Amount);
    let unit = found.as_ref().map(|(_, metric, _)| metric.unit);
    let unit = match unit {
        Some(MetricUnit::Ticks) if !column.is_total => FigureUnit::Ticks,
        Some(MetricUnit::Percent) => FigureUnit::Percent,
        Some(MetricUnit::Number) if !column.unit.is_empty() => FigureUnit::Amount,
        _ => return Vec::new(),
    };
    found
        .map(|(name, metric, _)| (name, metric, unit))
        .into_iter()
        .collect()
}
