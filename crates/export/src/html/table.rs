//! Tables of reports.

use super::cells::{
    count, dash, decimal, duration, escaped, event, flag, fractional_time, grouped, note, text,
    time,
};
use super::chart::{distribution, share, stacked_bar};
use rtoscope_analysis::View;
use rtoscope_analysis::report::{
    Cell, CellKind, ColumnDescription, DescribedTable, FrontEnd, ReportDocument, ReportKind,
};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The maximum number of rows of a table.
const MAX_ROWS: usize = 100;

/// Writes HTML for the row with an index.
type CellWriter<'a> = Box<dyn Fn(usize) -> String + 'a>;

/// What a page shows beside the cells of a table.
#[derive(Default)]
pub(super) struct Extra<'a> {
    /// Before the first cell.
    pub(super) prefix: Option<CellWriter<'a>>,
    /// The title and the cells of a last column.
    pub(super) column: Option<(&'static str, CellWriter<'a>)>,
}

/// The id of a row of the recording with this number.
fn row_id(recording: usize, table: &DescribedTable<'_>, row: usize) -> String {
    format!("r{recording}-{}-{row}", escaped(&table.path))
}

/// The ids of the rows that name an event: of several, the first.
pub(super) fn event_rows(document: &ReportDocument, recording: usize) -> BTreeMap<u32, String> {
    let mut found = BTreeMap::new();
    for kind in ReportKind::ALL {
        for table in document.tables(*kind, FrontEnd::Html) {
            for row in table
                .ranked(MAX_ROWS)
                .into_iter()
                .filter(|_| !table.is_figures)
            {
                for cell in table.rows.get(row).into_iter().flatten().flatten() {
                    if let Cell::Event(event) = cell {
                        let id = || row_id(recording, &table, row);
                        found.entry(*event).or_insert_with(id);
                    }
                }
            }
        }
    }
    found
}

/// Renders a table with the highest-ranked rows, or figures; nothing if there are no rows.
pub(super) fn table(
    view: &View<'_>,
    table: &DescribedTable<'_>,
    extra: &Extra<'_>,
    recording: usize,
) -> String {
    match table.rows.first() {
        None => String::new(),
        Some(row) if table.is_figures => figures(view, table, row),
        Some(_) => rows(view, table, extra, recording),
    }
}

fn figures(view: &View<'_>, table: &DescribedTable<'_>, row: &[Option<Cell<'_>>]) -> String {
    let mut html = format!(
        "<dl class=\"broad\" data-report=\"{}\">",
        escaped(&table.path)
    );
    for (column, cell) in table.columns.iter().zip(row) {
        let _ = write!(
            html,
            "<div><dt>{}</dt><dd>{}</dd></div>",
            heading(column),
            value(view, column, cell.as_ref())
        );
    }
    html.push_str("</dl>");
    html
}

fn rows(
    view: &View<'_>,
    table: &DescribedTable<'_>,
    extra: &Extra<'_>,
    recording: usize,
) -> String {
    let mut html = format!(
        "<div class=\"wide\"><table data-report=\"{}\" aria-label=\"{}\">{}<thead><tr>",
        escaped(&table.path),
        title(table),
        caption(table)
    );
    for column in &table.columns {
        let class = cell_class(column.kind);
        let _ = write!(html, "<th scope=\"col\"{class}>{}</th>", heading(column));
    }
    if let Some((title, _)) = &extra.column {
        let _ = write!(html, "<th scope=\"col\">{title}</th>");
    }
    html.push_str("</tr></thead><tbody>");
    for number in table.ranked(MAX_ROWS) {
        let id = row_id(recording, table, number);
        let _ = write!(html, "<tr id=\"{id}\" data-row=\"{number}\">");
        let cells = table.rows.get(number).into_iter().flatten();
        for ((column, cell), at) in table.columns.iter().zip(cells).zip(0..) {
            let cell = value(view, column, cell.as_ref());
            let _ = match at {
                0 => {
                    let prefix = extra.prefix.as_ref().map(|prefix| prefix(number));
                    let prefix = prefix.unwrap_or_default();
                    write!(html, "<th scope=\"row\">{prefix}{cell}</th>")
                }
                _ => write!(html, "<td{}>{cell}</td>", cell_class(column.kind)),
            };
        }
        if let Some((_, cell)) = &extra.column {
            let _ = write!(html, "<td>{}</td>", cell(number));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>");
    if let Some(more) = table.rows.len().checked_sub(MAX_ROWS + 1) {
        let more = grouped(more as u64 + 1);
        let _ = write!(html, "<p class=\"more\">and {more} more rows</p>");
    }
    html
}

/// The caption of a table, if there is more to say than the heading above it does.
fn caption(table: &DescribedTable<'_>) -> String {
    let mut columns = table.columns.iter();
    let durations = columns
        .any(|column| column.kind == CellKind::Distribution)
        .then_some("Durations are the median, the 99th percentile and the maximum");
    let notes = [Some(table.note).filter(|note| !note.is_empty()), durations];
    let notes: Vec<_> = notes.into_iter().flatten().collect();
    match notes.as_slice() {
        [] => String::new(),
        _ => format!("<caption>{}</caption>", notes.join(". ")),
    }
}

/// The title of a table, and to what its rows belong.
pub(super) fn title(table: &DescribedTable<'_>) -> String {
    match &table.of {
        Some(of) => format!("{} of {}", table.title, escaped(of)),
        None => table.title.to_owned(),
    }
}

/// The label with the unit.
fn heading(column: &ColumnDescription) -> String {
    let label = escaped(&column.label);
    match column.unit {
        "" => label,
        unit => format!("{label} ({unit})"),
    }
}

/// A cell of a report's table.
fn value(view: &View<'_>, column: &ColumnDescription, cell: Option<&Cell<'_>>) -> String {
    let key = &escaped(&column.key);
    match cell {
        None if column.missing.is_empty() => dash(),
        None => note(column.missing),
        Some(Cell::Note(shown)) => note(shown),
        Some(Cell::Text(Cow::Borrowed(shown)) | Cell::Link(shown, _)) => text(key, shown),
        // Made from several values, or from none that JSON has as this text.
        Some(Cell::Text(Cow::Owned(shown))) => escaped(shown),
        Some(Cell::Address(address)) => escaped(address.to_string()),
        Some(Cell::Thread(name, priority)) => {
            let priority = count(&format!("{key}_priority"), *priority);
            format!(
                "{} <span class=\"soft\">({priority})</span>",
                text(key, name)
            )
        }
        Some(Cell::Count(value)) => count(key, *value),
        Some(Cell::Decimal(value)) => decimal(key, *value),
        Some(Cell::Duration(ticks)) => time(view, key, *ticks),
        Some(Cell::FractionalDuration(ticks)) => fractional_time(view, key, *ticks),
        Some(Cell::Interval(interval)) => time(view, key, interval.start),
        Some(Cell::Shares(shares)) => state_bar(view, shares),
        Some(Cell::Percent(value)) => share(key, *value),
        Some(Cell::Event(number)) => event(key, *number),
        Some(Cell::Flag(value)) => flag(key, *value),
        Some(Cell::Distribution(found)) => distribution(view, key, found),
    }
}

/// The classes of the states of a thread, with their names.
pub(super) const STATE_CLASSES: [(&str, &str); 5] = [
    ("running", "running"),
    ("isr", "interrupted"),
    ("ready", "ready"),
    ("waiting", "waiting"),
    ("unknown", "unknown"),
];

fn state_bar(view: &View<'_>, shares: &[(&str, u64)]) -> String {
    let parts = shares.iter().map(|(name, ticks)| {
        let shown = format!("{name}: {}", duration(view, *ticks));
        let class = STATE_CLASSES.iter().find(|(_, state)| state == name);
        (shown, *ticks, class.map_or("waiting", |(class, _)| *class))
    });
    stacked_bar("States", &parts.collect::<Vec<_>>())
}

fn cell_class(kind: CellKind) -> &'static str {
    match kind {
        CellKind::Count
        | CellKind::Decimal
        | CellKind::Duration
        | CellKind::Interval
        | CellKind::Event => " class=\"figure\"",
        _ => "",
    }
}
