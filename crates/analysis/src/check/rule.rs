//! A rule: the rows of a table, the figure of each, and its limits.

use super::between::Between;
use super::limit::Limit;
use super::metric::{Metric, plain_path};
use super::outcome::{CheckResult, Offender, RuleOutcome};
use crate::report::{Cell, DescribedTable, FrontEnd, ReportDocument, ReportKind, Scope, View};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::filter::Glob;
use rtoscope_trace::{NoTime, Timescale, Trace, TracePosition};
use std::cmp::Ordering;

/// A limit of the figures of a table, or of the number of its rows.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    /// Its line in the file, counted from 1.
    pub(super) line: usize,
    pub(super) name: String,
    pub(super) kind: ReportKind,
    /// The path of the table, without the numbers of rows.
    pub(super) table: String,
    /// The row of the other table to which the rows belong.
    pub(super) of: Option<NamePattern>,
    /// The rows: the first name, and the cells of columns by key.
    pub(super) row: Option<NamePattern>,
    pub(super) cells: Vec<(String, NamePattern)>,
    pub(super) test: RuleTest,
    pub(super) window: RuleWindow,
    /// The windows in which it holds, each on its own.
    pub(super) between: Option<Between>,
    /// Whether it holds in spite of missing events.
    pub(super) accepts_gaps: bool,
}

/// The part of the recording that a rule is about; to the ends of the scope where `None`.
#[derive(Debug, Clone, Default)]
pub(super) struct RuleWindow {
    pub(super) from: Option<TracePosition>,
    pub(super) to: Option<TracePosition>,
}

impl RuleWindow {
    /// The part of a scope.
    ///
    /// # Errors
    ///
    /// If the trace does not have an end of the window.
    pub(super) fn scope(&self, trace: &Trace, scope: &Scope) -> Result<Scope, String> {
        let from = self.from.map(|it| it.first_tick(trace)).transpose()?;
        let to = self.to.map(|it| it.last_tick(trace)).transpose()?;
        Ok(Scope {
            start: from.max(scope.start),
            end: to.into_iter().chain(scope.end).min(),
            ..scope.clone()
        })
    }
}

/// The result for a window.
pub(super) struct Judgement {
    pub(super) result: CheckResult,
    /// The worst figure or number of rows, or the one nearest to the limit.
    worst: Option<f64>,
    /// Whether nothing happened that the rule limits from above.
    pub(super) is_absent: bool,
}

impl From<CheckResult> for Judgement {
    fn from(result: CheckResult) -> Self {
        Self {
            result,
            worst: None,
            is_absent: false,
        }
    }
}

/// What a rule limits.
#[derive(Debug, Clone)]
pub(super) enum RuleTest {
    /// A figure of each row.
    Figure {
        metric: Metric,
        min: Option<Limit>,
        max: Option<Limit>,
    },
    /// The number of rows.
    Rows {
        min: Option<usize>,
        max: Option<usize>,
    },
}

/// A name, or a pattern with `*` and `?`.
#[derive(Debug, Clone)]
pub(super) struct NamePattern {
    text: String,
    glob: Option<Glob>,
}

impl NamePattern {
    pub(super) fn new(text: String) -> Self {
        let glob = text.contains(['*', '?']).then(|| Glob::new(&text));
        Self { text, glob }
    }

    pub(super) fn matches(&self, name: &str) -> bool {
        match &self.glob {
            Some(glob) => glob.matches(name),
            None => self.text == name,
        }
    }
}

/// A row with its names.
pub(crate) struct NamedRow<'t, 'r> {
    pub(crate) table: &'t DescribedTable<'r>,
    pub(crate) cells: &'t [Option<Cell<'r>>],
}

impl NamedRow<'_, '_> {
    /// The names of the row that it belongs to, and of the row: those before the first figure.
    pub(crate) fn subject(&self) -> String {
        let cells = self.name_cells().iter();
        let cells = cells.skip_while(|cell| cell.as_ref().and_then(name_of).is_none());
        let names = cells.map_while(|cell| name_of(cell.as_ref()?));
        let of = self.table.of.as_deref().map(str::to_owned);
        of.into_iter().chain(names).collect::<Vec<_>>().join(" / ")
    }

    pub(super) fn names(&self) -> impl Iterator<Item = (&str, String)> {
        let columns = self.table.columns.iter().zip(self.name_cells());
        columns.filter_map(|(column, cell)| Some((&*column.key, name_of(cell.as_ref()?)?)))
    }

    /// The cells that can be names: in a list of figures, texts are figures, too.
    fn name_cells(&self) -> &[Option<Cell<'_>>] {
        if self.table.is_figures {
            &[]
        } else {
            self.cells
        }
    }
}

/// The text of a cell that names something.
fn name_of(cell: &Cell<'_>) -> Option<String> {
    match cell {
        Cell::Text(text) => Some(text.clone().into_owned()),
        Cell::Thread(name, _) | Cell::Link(name, _) => Some((*name).to_owned()),
        _ => None,
    }
}

impl Rule {
    /// Checks the rule by the reports on a recording.
    pub(super) fn check(&self, document: &ReportDocument, view: &View<'_>) -> CheckResult {
        self.check_window(document, view).result
    }

    /// Orders the results of windows, the worst first.
    pub(super) fn compare_worst(&self, one: &Judgement, other: &Judgement) -> Ordering {
        let has_max = match &self.test {
            RuleTest::Figure { max, .. } => max.is_some(),
            RuleTest::Rows { max, .. } => max.is_some(),
        };
        let absent = if has_max {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
        let [one, other] = [one, other].map(|it| it.worst.unwrap_or(absent));
        match has_max {
            true => other.total_cmp(&one),
            false => one.total_cmp(&other),
        }
    }

    /// Checks the rule by the reports on a window.
    pub(super) fn check_window(&self, document: &ReportDocument, view: &View<'_>) -> Judgement {
        if !self.kind.applies_to(view) {
            return CheckResult::undecided(&self.name, why_skipped(self.kind, view)).into();
        }
        let tables = document.tables(self.kind, FrontEnd::Data);
        let of_path = |table: &&DescribedTable<'_>| {
            let of = table.of.as_deref();
            plain_path(&table.path) == self.table
                && self
                    .of
                    .as_ref()
                    .is_none_or(|it| of.is_some_and(|of| it.matches(of)))
        };
        let rows: Vec<_> = tables.iter().filter(of_path).flat_map(rows_of).collect();
        let selected: Vec<_> = rows.iter().filter(|row| self.selects(row)).collect();
        let mut judgement = match &self.test {
            RuleTest::Rows { min, max } => Judgement {
                result: self.check_rows(&selected, &view.trace.timescale(), *min, *max),
                worst: Some(selected.len() as f64),
                is_absent: false,
            },
            RuleTest::Figure { metric, min, max } => {
                self.check_figures(&selected, metric, [min.as_ref(), max.as_ref()], view)
            }
        };
        if judgement.result.outcome == RuleOutcome::Passed
            && !self.accepts_gaps
            && self.kind != ReportKind::Health
            && let Some(why) = missing_evidence(view)
        {
            let why = format!("{}, but {why}", judgement.result.message);
            judgement.result = CheckResult::undecided(&self.name, why);
        }
        judgement
    }

    fn selects(&self, row: &NamedRow<'_, '_>) -> bool {
        let first = || row.names().next().map(|(_, name)| name);
        let is_named = |pattern: &NamePattern| first().is_some_and(|name| pattern.matches(&name));
        self.row.as_ref().is_none_or(is_named)
            && self.cells.iter().all(|(key, pattern)| {
                let mut names = row.names();
                let cell = names.find(|(column, _)| column == key);
                cell.is_some_and(|(_, name)| pattern.matches(&name))
            })
    }

    fn is_selective(&self) -> bool {
        self.of.is_some() || self.row.is_some() || !self.cells.is_empty()
    }

    fn check_rows(
        &self,
        rows: &[&NamedRow<'_, '_>],
        scale: &Timescale,
        min: Option<usize>,
        max: Option<usize>,
    ) -> CheckResult {
        let found = pluralise(rows.len() as u64, "row", "rows");
        if max.is_some_and(|max| rows.len() > max) {
            let offender = |row: &&NamedRow<'_, '_>| {
                let (value, found) = first_figure(row, scale).unwrap_or_default();
                let offender = Offender {
                    subject: row.subject(),
                    found,
                    event: row_event(row),
                };
                (value, offender)
            };
            let mut offenders: Vec<_> = rows.iter().map(offender).collect();
            offenders.sort_by(|(one, _), (other, _)| other.total_cmp(one));
            let offenders = offenders.into_iter().map(|(_, it)| it);
            return CheckResult::failed(&self.name, found, offenders.collect());
        }
        let outcome = match min.is_some_and(|min| rows.len() < min) {
            true => RuleOutcome::Failed,
            false => RuleOutcome::Passed,
        };
        CheckResult::new(&self.name, outcome, found)
    }

    fn check_figures(
        &self,
        rows: &[&NamedRow<'_, '_>],
        metric: &Metric,
        [min, max]: [Option<&Limit>; 2],
        view: &View<'_>,
    ) -> Judgement {
        let scale = view.trace.timescale();
        let mut judged = Judged::default();
        for row in rows {
            let Some(figure) = metric.figure(&row.table.columns, row.cells) else {
                judged.without_figure += 1;
                judged.first_without.get_or_insert_with(|| row.subject());
                continue;
            };
            let (below, above) = match compare(figure.value, [min, max], &scale) {
                Ok(sides) => sides,
                Err(why) => return CheckResult::undecided(&self.name, no_time(why)).into(),
            };
            let offender = Offender {
                subject: row.subject(),
                found: metric.text(figure.value, &scale),
                event: figure.event,
            };
            judged.add(figure.value, offender, below || above, max.is_some());
        }
        let has_max = max.is_some();
        judged.sort(has_max);
        let worst = judged.violations.first().or(judged.extreme.as_ref());
        let worst = worst.map(|(value, _)| *value);
        let has_none = rows.is_empty() && self.is_selective() || metric.is_distribution();
        Judgement {
            is_absent: has_max && worst.is_none() && has_none,
            worst,
            result: self.conclude(judged, rows.is_empty(), metric, has_max),
        }
    }

    fn conclude(
        &self,
        judged: Judged,
        is_empty: bool,
        metric: &Metric,
        has_max: bool,
    ) -> CheckResult {
        let undecided = |why: String| CheckResult::undecided(&self.name, why);
        if !judged.violations.is_empty() {
            let count = judged.violations.len() as u64;
            let message = pluralise(count, "violation", "violations");
            let offenders = judged.violations.into_iter().map(|(_, it)| it).collect();
            return CheckResult::failed(&self.name, message, offenders);
        }
        if is_empty && self.is_selective() {
            return undecided(format!("table `{}` has no such row", self.table));
        }
        if is_empty {
            return match has_max {
                true => CheckResult::new(&self.name, RuleOutcome::Passed, "no rows"),
                false => undecided(format!("table `{}` is empty", self.table)),
            };
        }
        // A thread that never waited has no waits to be long. Of one whose stack is unknown
        // nothing is known.
        if judged.without_figure > 0 && !(metric.is_distribution() && judged.extreme.is_some()) {
            let first = judged.first_without.unwrap_or_default();
            let rest = match judged.without_figure {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            return undecided(format!("the figure of {first}{rest} is unknown"));
        }
        let message = judged.extreme.map_or_else(String::new, |(_, found)| {
            let subject = match found.subject.as_str() {
                "" => String::new(),
                subject => format!(" ({subject})"),
            };
            let side = if has_max { "at most" } else { "at least" };
            format!("{side} {}{subject}", found.found)
        });
        CheckResult::new(&self.name, RuleOutcome::Passed, message)
    }
}

/// The rows judged so far.
#[derive(Default)]
struct Judged {
    violations: Vec<(f64, Offender)>,
    /// The figure nearest to the limit.
    extreme: Option<(f64, Offender)>,
    without_figure: usize,
    first_without: Option<String>,
}

impl Judged {
    /// Sorts the violations, the worst first.
    fn sort(&mut self, has_max: bool) {
        let violations = &mut self.violations;
        violations.sort_by(|(one, _), (other, _)| match has_max {
            true => other.total_cmp(one),
            false => one.total_cmp(other),
        });
    }

    fn add(&mut self, value: f64, offender: Offender, is_violation: bool, has_max: bool) {
        if is_violation {
            self.violations.push((value, offender));
            return;
        }
        let is_nearer = |(extreme, _): &(f64, Offender)| match has_max {
            true => value > *extreme,
            false => value < *extreme,
        };
        if self.extreme.as_ref().is_none_or(is_nearer) {
            self.extreme = Some((value, offender));
        }
    }
}

/// Whether a figure is below the minimum, and above the maximum.
fn compare(
    value: f64,
    [min, max]: [Option<&Limit>; 2],
    scale: &Timescale,
) -> Result<(bool, bool), NoTime> {
    let beyond = |limit: Option<&Limit>, side| match limit {
        Some(limit) => Ok(limit.compare(value, scale)? == side),
        None => Ok(false),
    };
    Ok((
        beyond(min, Ordering::Less)?,
        beyond(max, Ordering::Greater)?,
    ))
}

pub(super) fn no_time(why: NoTime) -> String {
    match why {
        NoTime::UnknownFrequency => "the frequency of the clock is unknown (--clock)".to_owned(),
        why => why.to_string(),
    }
}

/// Why a trace does not have a report.
fn why_skipped(kind: ReportKind, view: &View<'_>) -> String {
    match kind.missing_time(&view.trace.clock) {
        Some(why) => no_time(why),
        None => format!("the recording has nothing for report {kind}"),
    }
}

/// What may be missing from the evidence of figures that satisfy a rule.
pub(super) fn missing_evidence(view: &View<'_>) -> Option<String> {
    let window = view.window();
    let gaps = view.trace.gaps.iter().filter(|gap| {
        let [start, end] = view.trace.gap_bounds(gap).map(|time| time.0);
        !gap.is_restart && start <= window.end && end >= window.start
    });
    match (gaps.count() as u64, view.schedule.unrecorded) {
        (0, 0) => None,
        (0, unrecorded) => {
            let times = pluralise(unrecorded, "time", "times");
            Some(format!(
                "{times} a thread ran or stopped without a record of the scheduler"
            ))
        }
        (gaps, _) => Some(format!(
            "events are missing in {}",
            pluralise(gaps, "gap", "gaps")
        )),
    }
}

fn rows_of<'t, 'r>(table: &'t DescribedTable<'r>) -> impl Iterator<Item = NamedRow<'t, 'r>> {
    let rows = table.rows.iter();
    rows.map(move |cells| NamedRow { table, cells })
}

/// The first figure of a row, and its text with the label.
fn first_figure(row: &NamedRow<'_, '_>, scale: &Timescale) -> Option<(f64, String)> {
    let columns = &row.table.columns;
    let mut figures = columns.iter().filter_map(|column| {
        let metric = Metric::find(Some(row.table), &column.key).ok()?;
        let figure = metric.figure(columns, row.cells)?;
        let text = metric.text(figure.value, scale);
        let text = format!("{} {text}", column.label.to_lowercase());
        Some((figure.value, text))
    });
    figures.next()
}

fn row_event(row: &NamedRow<'_, '_>) -> Option<u32> {
    row.cells.iter().flatten().find_map(|cell| match cell {
        Cell::Event(event) => Some(*event),
        Cell::Interval(interval) => interval.event,
        Cell::Distribution(found) => Some(found.event),
        _ => None,
    })
}
