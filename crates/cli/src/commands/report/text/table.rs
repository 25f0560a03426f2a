//! Tables and figures of reports as text.

use super::ReportFormatter;
use rtoscope_analysis::report::{
    Cell, CellKind, ColumnDescription, DescribedTable, Distribution, format_decimal, format_flag,
    format_percent,
};
use rtoscope_command::output::format_table;
use std::fmt::Write as _;

/// Minimum width of the labels of figures.
const MIN_LABEL_WIDTH: usize = 22;

/// The columns of a distribution; all are right-aligned.
const DISTRIBUTION_COLUMNS: [&str; 8] = [
    "count", "min", "mean", "p50", "p90", "p99", "max", "at event",
];

/// A column's header, and whether it is right-aligned.
type Header = (String, bool);

impl ReportFormatter<'_> {
    /// The tables of a report, each after the first below its title.
    pub(super) fn tables(&self, tables: &[DescribedTable<'_>]) -> String {
        let mut text = String::new();
        for table in tables {
            if !text.is_empty() {
                let title = lowercase(table.title);
                let of = table.of.as_ref().map(|name| format!(" of {name}"));
                let _ = writeln!(text, "\n{title}{}", of.unwrap_or_default());
            }
            text.push_str(self.table(table).trim_start_matches('\n'));
        }
        text
    }

    /// A table with its note, and a table of each of its distributions; or figures, one per
    /// line.
    pub(crate) fn table(&self, table: &DescribedTable<'_>) -> String {
        let columns: Vec<_> = table.columns.iter().enumerate().collect();
        let (distributions, values): (Vec<_>, Vec<_>) = columns
            .into_iter()
            .partition(|(_, column)| column.kind == CellKind::Distribution);
        let cells = |row: &Vec<Option<Cell<'_>>>, columns: &[(usize, &ColumnDescription)]| {
            let cells = columns.iter();
            let cells = cells.map(|(at, column)| self.cell(column, cell_at(row, *at)));
            cells.collect::<Vec<_>>()
        };
        let is_name = |(_, column): &&(usize, &ColumnDescription)| is_name(column.kind);
        let names: Vec<_> = values.iter().take_while(is_name).copied().collect();
        let mut text = String::new();
        if let Some(row) = table.rows.first().filter(|_| table.is_figures) {
            let labels: Vec<_> = values
                .iter()
                .map(|(_, column)| self.heading(column))
                .collect();
            let width = labels.iter().map(|label| label.chars().count()).max();
            let width = width.unwrap_or_default().max(MIN_LABEL_WIDTH);
            for (label, value) in labels.iter().zip(cells(row, &values)) {
                let value = if value.is_empty() { "-" } else { &value };
                let _ = writeln!(text, "{label:<width$} {value:>10}");
            }
        } else if table.rows.is_empty() || distributions.is_empty() || names.len() < values.len() {
            // A table of names and distributions has nothing else to show.
            let header: Vec<_> = values
                .iter()
                .map(|(_, column)| self.header(column))
                .collect();
            let rows = table.rows.iter().take(self.max_rows);
            let rows = rows.map(|row| cells(row, &values)).collect();
            text.push_str(&table_or(&header, rows, table.empty));
            if let Some(more) = table
                .rows
                .len()
                .checked_sub(self.max_rows.saturating_add(1))
            {
                let _ = writeln!(text, "and {} more, which --format json lists", more + 1);
            }
        }
        if !table.note.is_empty() && !table.rows.is_empty() {
            let _ = writeln!(text, "{}", lowercase(table.note));
        }
        let header: Vec<_> = names
            .iter()
            .map(|(_, column)| self.header(column))
            .collect();
        for (at, column) in distributions {
            let found = table.rows.iter().filter_map(|row| match cell_at(row, at) {
                Some(Cell::Distribution(found)) => Some((cells(row, &names), *found)),
                _ => None,
            });
            self.distributions(&mut text, column, &header, found.collect());
        }
        text
    }

    /// The header of a column.
    fn header(&self, column: &ColumnDescription) -> Header {
        let is_number = !is_name(column.kind) && column.kind != CellKind::Flag;
        (self.heading(column), is_number)
    }

    /// The label of a column with its unit.
    fn heading(&self, column: &ColumnDescription) -> String {
        let label = lowercase(&column.label);
        match (column.kind, column.unit) {
            (CellKind::Duration | CellKind::Interval, _) if self.unit() == "ticks" => {
                format!("{label} (ticks)")
            }
            (_, "") => label,
            (_, unit) => format!("{label} ({unit})"),
        }
    }

    /// A cell; empty or a note if there is no value.
    fn cell(&self, column: &ColumnDescription, cell: Option<&Cell<'_>>) -> String {
        let Some(cell) = cell else {
            return column.missing.to_owned();
        };
        match cell {
            Cell::Text(text) | Cell::Note(text) => text.clone().into_owned(),
            Cell::Address(address) => address.to_string(),
            Cell::Thread(name, priority) => format!("{name} ({priority})"),
            Cell::Link(name, _) => (*name).to_owned(),
            Cell::Count(count) => count.to_string(),
            Cell::Decimal(value) => format_decimal(*value),
            Cell::Duration(ticks) => self.ticks(*ticks),
            Cell::FractionalDuration(ticks) => self.ticks(ticks.round() as u64),
            Cell::Interval(interval) => self.ticks(interval.start),
            Cell::Shares(shares) => {
                let shares = shares.iter();
                let shares = shares.map(|(name, ticks)| format!("{name} {}", self.ticks(*ticks)));
                shares.collect::<Vec<_>>().join(", ")
            }
            Cell::Percent(value) => format_percent(*value),
            Cell::Event(event) => event.to_string(),
            Cell::Flag(value) => format_flag(*value).to_owned(),
            Cell::Distribution(found) => self.ticks(found.p50),
        }
    }

    /// A table of distributions with a title, each below the names of its row; nothing if
    /// there are none.
    fn distributions(
        &self,
        text: &mut String,
        column: &ColumnDescription,
        names: &[Header],
        found: Vec<(Vec<String>, &Distribution)>,
    ) {
        if found.is_empty() {
            return;
        }
        let figures = DISTRIBUTION_COLUMNS.map(|name| (name.to_owned(), true));
        let header: Vec<_> = names.iter().cloned().chain(figures).collect();
        let rows = found.into_iter().map(|(mut row, found)| {
            row.extend(self.distribution(found));
            row
        });
        let hint = match column.hint {
            "" => String::new(),
            hint => format!(": {hint}"),
        };
        let title = lowercase(&column.label);
        let _ = writeln!(text, "\n{title}{hint} ({})", self.unit());
        text.push_str(&table_or(&header, rows.collect(), ""));
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

fn cell_at<'c, 'r>(row: &'c [Option<Cell<'r>>], at: usize) -> Option<&'c Cell<'r>> {
    row.get(at).and_then(Option::as_ref)
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

/// Whether cells of a kind name a row.
fn is_name(kind: CellKind) -> bool {
    matches!(
        kind,
        CellKind::Text | CellKind::Thread | CellKind::Link | CellKind::Address
    )
}

/// Renders a table, or a message if it has no rows. The columns are those of the header,
/// right-aligned where it says so.
pub(super) fn table_or(header: &[Header], rows: Vec<Vec<String>>, empty: &str) -> String {
    if rows.is_empty() {
        return format!("{}\n", lowercase(empty));
    }
    let names: Vec<_> = header.iter().map(|(name, _)| name.as_str()).collect();
    let right = header.iter().filter(|(_, is_right)| *is_right);
    let right: Vec<_> = right.map(|(name, _)| name.as_str()).collect();
    format_table(&names, &right, rows)
}
