//! Tables and figures of reports as text.

use super::ReportFormatter;
use rtoscope_analysis::report::{
    Cell, CellKind, Distribution, FrontEnd, ReportColumn, TableRow, format_decimal, format_flag,
    format_percent,
};
use rtoscope_command::output::format_table;
use std::fmt::Write as _;

/// The columns of a distribution; all are right-aligned.
const DISTRIBUTION_COLUMNS: [&str; 8] = [
    "count", "min", "mean", "p50", "p90", "p99", "max", "at event",
];

impl ReportFormatter<'_> {
    /// A report's table, its note and its distributions.
    pub(super) fn report_table<R: TableRow>(&self, rows: &[R]) -> String {
        self.report_table_with(rows, |_, _| None)
    }

    /// The same with other cells where `special` has one for a key.
    pub(super) fn report_table_with<R: TableRow>(
        &self,
        rows: &[R],
        special: impl Fn(&str, &R) -> Option<String>,
    ) -> String {
        let mut text = self.table_with(rows, special);
        if !rows.is_empty() {
            text.push('\n');
            self.all_distributions(&mut text, rows);
        }
        text
    }

    /// The table without its distributions.
    pub(super) fn table<R: TableRow>(&self, rows: &[R]) -> String {
        self.table_with(rows, |_, _| None)
    }

    /// The same with other cells where `special` has one for a key.
    pub(super) fn table_with<R: TableRow>(
        &self,
        rows: &[R],
        special: impl Fn(&str, &R) -> Option<String>,
    ) -> String {
        let columns: Vec<_> = single_values::<R>().collect();
        let cells = rows.iter().map(|row| {
            let cell = |column: &&ReportColumn<R>| {
                special(column.key, row).unwrap_or_else(|| self.cell(column, row))
            };
            columns.iter().map(cell).collect()
        });
        let mut text = table_or(&self.header(&columns), cells.collect(), R::TABLE.empty);
        if !rows.is_empty() && !R::TABLE.note.is_empty() {
            let _ = writeln!(text, "{}", lowercase(R::TABLE.note));
        }
        text
    }

    /// The headers of columns, and whether they are right-aligned.
    pub(super) fn header<R>(&self, columns: &[&ReportColumn<R>]) -> Vec<(String, bool)> {
        let heading = |column: &&ReportColumn<R>| (self.heading(column), is_number(column.kind()));
        columns.iter().map(heading).collect()
    }

    /// The label of a column with its unit.
    fn heading<R>(&self, column: &ReportColumn<R>) -> String {
        let label = lowercase(column.label);
        match (column.kind(), column.unit) {
            (CellKind::Duration, _) if self.unit() == "ticks" => format!("{label} (ticks)"),
            (_, "") => label,
            (_, unit) => format!("{label} ({unit})"),
        }
    }

    /// A cell; empty or a note if there is no value.
    pub(super) fn cell<R>(&self, column: &ReportColumn<R>, row: &R) -> String {
        let Some(cell) = column.cell(row) else {
            return column.missing.to_owned();
        };
        match cell {
            Cell::Text(text) | Cell::Note(text) => text.into_owned(),
            Cell::Thread(name, priority) => format!("{name} ({priority})"),
            Cell::Count(count) => count.to_string(),
            Cell::Decimal(value) => format_decimal(value),
            Cell::Duration(ticks) => self.ticks(ticks),
            Cell::FractionalDuration(ticks) => self.ticks(ticks.round() as u64),
            Cell::Percent(value) => format_percent(value),
            Cell::Event(event) => event.to_string(),
            Cell::Flag(value) => format_flag(value).to_owned(),
            Cell::Distribution(found) => self.ticks(found.p50),
        }
    }

    /// The single values of a report, one per line.
    pub(crate) fn figures<R: TableRow>(&self, row: &R) -> String {
        let mut text = String::new();
        for column in single_values::<R>() {
            let (label, value) = (self.heading(column), self.cell(column, row));
            let _ = writeln!(text, "{label:<22} {value:>10}");
        }
        text
    }

    /// A table for each distribution of a report.
    pub(super) fn all_distributions<R: TableRow>(&self, text: &mut String, rows: &[R]) {
        let Some(named) = R::columns(FrontEnd::Text).next() else {
            return;
        };
        for column in distributions::<R>() {
            let rows = rows.iter().filter_map(|row| match column.cell(row) {
                Some(Cell::Distribution(found)) => Some((self.cell(named, row), found)),
                _ => None,
            });
            self.distributions(text, &title(column), &lowercase(named.label), rows);
        }
    }

    /// A table of distributions with a title; nothing if there are none.
    pub(super) fn distributions<'d>(
        &self,
        text: &mut String,
        title: &str,
        label: &str,
        rows: impl Iterator<Item = (String, &'d Distribution)>,
    ) {
        let rows: Vec<_> = rows
            .map(|(name, found)| {
                let mut row = vec![name];
                row.extend(self.distribution(found));
                row
            })
            .collect();
        if rows.is_empty() {
            return;
        }
        let mut header = vec![(label.to_owned(), false)];
        header.extend(DISTRIBUTION_COLUMNS.map(|name| (name.to_owned(), true)));
        let _ = writeln!(text, "{title} ({})", self.unit());
        text.push_str(&table_or(&header, rows, ""));
        text.push('\n');
    }

    /// The cells of a distribution, for the columns of `DISTRIBUTION_COLUMNS`.
    fn distribution(&self, found: &Distribution) -> Vec<String> {
        let mut cells = vec![found.count.to_string()];
        let mean = found.mean.round() as u64;
        let figures = [found.min, mean, found.p50, found.p90, found.p99, found.max];
        cells.extend(figures.map(|ticks| self.ticks(ticks)));
        cells.push(found.event.to_string());
        cells
    }
}

/// The columns that are not distributions.
pub(super) fn single_values<R: TableRow>() -> impl Iterator<Item = &'static ReportColumn<R>> {
    R::columns(FrontEnd::Text).filter(|column| column.kind() != CellKind::Distribution)
}

/// The columns that are distributions.
pub(super) fn distributions<R: TableRow>() -> impl Iterator<Item = &'static ReportColumn<R>> {
    R::columns(FrontEnd::Text).filter(|column| column.kind() == CellKind::Distribution)
}

/// The title of a distribution, with the explanation of its durations.
pub(super) fn title<R>(column: &ReportColumn<R>) -> String {
    let label = lowercase(column.label);
    match column.hint {
        "" => label,
        hint => format!("{label}: {hint}"),
    }
}

/// The label of a column as text shows it.
pub(super) fn label<R: TableRow>(key: &str) -> String {
    lowercase(R::label(key))
}

/// A label within text: in lower case, unless it begins with an abbreviation.
pub(super) fn lowercase(label: &str) -> String {
    let mut letters = label.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => label.to_owned(),
    }
}

fn is_number(kind: CellKind) -> bool {
    !matches!(kind, CellKind::Text | CellKind::Thread | CellKind::Flag)
}

/// Renders a table, or a message if it has no rows. The columns are those of the header,
/// right-aligned where it says so.
pub(super) fn table_or(header: &[(String, bool)], rows: Vec<Vec<String>>, empty: &str) -> String {
    if rows.is_empty() {
        return format!("{}\n", lowercase(empty));
    }
    let names: Vec<_> = header.iter().map(|(name, _)| name.as_str()).collect();
    let right = header.iter().filter(|(_, is_right)| *is_right);
    let right: Vec<_> = right.map(|(name, _)| name.as_str()).collect();
    format_table(&names, &right, rows)
}
