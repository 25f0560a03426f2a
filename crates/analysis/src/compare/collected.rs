//! What is compared of a recording: its figures, where they are from, and its distributions.

use super::comparison::Subject;
use super::durations::Durations;
use super::figures::{Figure, FigureUnit, RecordingFigures};
use crate::check::{Metric, MetricUnit, NamedRow, plain_path};
use crate::report::{
    Cell, CellKind, ColumnDescription, DescribedTable, FrontEnd, ReportDocument, ReportKind,
    ReportOptions, View,
};
use rtoscope_trace::Ticks;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The figures of a recording by table, subject and name, where they are from, and its
/// distributions.
#[derive(Debug, Clone, Default)]
pub struct CollectedFigures {
    figures: BTreeMap<Key, CollectedFigure>,
    distributions: BTreeMap<Key, Durations>,
    subjects: BTreeSet<Subject>,
}

/// A table, a subject, and a figure or the column of a distribution.
type Key = (String, String, String);

/// A figure. Rows with the same names, such as the inversions of one mutex, have the highest
/// figure of all.
#[derive(Debug, Clone, Copy)]
struct CollectedFigure {
    unit: FigureUnit,
    value: f64,
    origin: FigureOrigin,
}

/// Where a figure is from, in ticks of the recording.
#[derive(Debug, Clone, Copy, Default)]
struct FigureOrigin {
    event: Option<u32>,
    interval: Option<[u64; 2]>,
}

/// Where a figure of a recording is from, and its durations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FigureDetails {
    /// The event of the figure or of its row; of a distribution, that of the maximum.
    pub event: Option<u32>,
    /// The start of the interval of the maximum, or of the row, in ticks.
    pub start: Option<u64>,
    /// Its end.
    pub end: Option<u64>,
    /// The durations of the distribution that the figure is a part of.
    pub durations: Option<Durations>,
}

/// The table of findings.
const FINDINGS: &str = "findings";

/// An estimate for an entry with its names.
const ENTRY_BYTES: usize = 200;

/// The parts of a distribution that are compared.
const PARTS: [&str; 3] = ["p50", "p99", "max"];

impl CollectedFigures {
    /// Takes the figures of a recording from all its reports.
    pub fn new(view: &View<'_>) -> Self {
        let options = ReportOptions {
            kinds: kinds().collect(),
            ..ReportOptions::default()
        };
        let document = ReportDocument::new("", view, &options);
        let mut collected = Self::default();
        for kind in kinds() {
            for table in document.tables(kind, FrontEnd::Viewer) {
                collected.add(view, &table);
            }
        }
        for finding in &document.findings {
            collected.subjects.insert(Subject {
                table: FINDINGS.to_owned(),
                subject: finding.category.to_string(),
            });
        }
        collected
    }

    /// The figures as they are compared.
    pub fn figures(&self, source: &str) -> RecordingFigures {
        let figures = self.figures.iter().map(|(key, found)| {
            let (table, subject, figure) = key.clone();
            Figure {
                table,
                subject,
                figure,
                unit: found.unit,
                value: found.value,
            }
        });
        let figures: Vec<_> = figures.collect();
        let measured: BTreeSet<_> = figures
            .iter()
            .map(|it| (it.table.as_str(), it.subject.as_str()))
            .collect();
        let others = self.subjects.iter();
        let others = others.filter(|it| !measured.contains(&(&*it.table, &*it.subject)));
        RecordingFigures {
            source: source.to_owned(),
            others: others.cloned().collect(),
            figures,
        }
    }

    /// Where a figure is from, and its durations; `None` if the recording does not have it.
    pub fn details(&self, table: &str, subject: &str, figure: &str) -> Option<FigureDetails> {
        let FigureOrigin { event, interval } =
            self.figures.get(&key(table, subject, figure))?.origin;
        let durations = self.durations(table, subject, figure);
        Some(FigureDetails {
            event,
            start: interval.map(|[start, _]| start),
            end: interval.map(|[_, end]| end),
            durations: durations.cloned(),
        })
    }

    /// The durations of the distribution that a figure is a part of.
    pub fn durations(&self, table: &str, subject: &str, figure: &str) -> Option<&Durations> {
        let (column, _) = figure.rsplit_once('.')?;
        self.distributions.get(&key(table, subject, column))
    }

    /// About how many bytes it takes.
    pub fn memory_bytes(&self) -> usize {
        let counts = self.distributions.values().map(Durations::memory_bytes);
        let entries = self.figures.len() + self.distributions.len() + self.subjects.len();
        counts.sum::<usize>() + entries * ENTRY_BYTES
    }

    fn add(&mut self, view: &View<'_>, table: &DescribedTable<'_>) {
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
                let Some((unit, value)) = convert(view, *unit, figure.value) else {
                    continue;
                };
                let found = CollectedFigure {
                    unit,
                    value,
                    origin: FigureOrigin {
                        event: figure.event,
                        interval: interval(metric, table, cells),
                    },
                };
                let known = self.figures.entry(key(&path, &subject, name));
                let known = known.or_insert(found);
                if value > known.value {
                    *known = found;
                }
            }
            for (column, cell) in table.columns.iter().zip(cells) {
                if let Some(Cell::Distribution(found)) = cell {
                    let durations = Durations::new(view, found);
                    let known = self.distributions.entry(key(&path, &subject, &column.key));
                    known.or_default().add(&durations);
                }
            }
            self.subjects.insert(Subject {
                table: path.clone(),
                subject,
            });
        }
    }
}

fn key(table: &str, subject: &str, figure: &str) -> Key {
    (table.to_owned(), subject.to_owned(), figure.to_owned())
}

/// The interval of a figure: that of the maximum of its distribution, or that of its row.
fn interval(
    metric: &Metric,
    table: &DescribedTable<'_>,
    cells: &[Option<Cell<'_>>],
) -> Option<[u64; 2]> {
    if let Some(found) = metric.distribution(&table.columns, cells) {
        return found.longest.map(|it| [it.start, it.end]);
    }
    cells.iter().flatten().find_map(|cell| match cell {
        Cell::Interval(it) => Some([it.start, it.end]),
        _ => None,
    })
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

/// A figure in a unit that recordings of any length and clock have in common.
fn convert(view: &View<'_>, unit: FigureUnit, value: f64) -> Option<(FigureUnit, f64)> {
    let scale = view.trace.timescale();
    match unit {
        FigureUnit::Ticks => Some(match scale.frequency() {
            Some(frequency) => {
                let nanoseconds = value * 1e9 / frequency.hertz() as f64;
                (FigureUnit::Nanoseconds, nanoseconds.round())
            }
            None => (FigureUnit::Ticks, value),
        }),
        FigureUnit::PerSecond => {
            let Ticks(span) = view.span();
            let seconds = span as f64 / scale.frequency()?.hertz() as f64;
            (seconds > 0.0).then(|| (unit, value / seconds))
        }
        unit => Some((unit, value)),
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
