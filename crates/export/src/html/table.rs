//! Tables from the rows of a report.

use super::cells::{
    count, dash, decimal, escaped, event, flag, fractional_time, grouped, note, text, time,
};
use super::chart::{distribution, share};
use rtoscope_analysis::View;
use rtoscope_analysis::report::{Cell, CellKind, FrontEnd, ReportColumn, TableRow};
use std::borrow::Cow;
use std::fmt::Write as _;

/// The maximum number of rows of a table.
pub(super) const MAX_ROWS: usize = 100;

/// A column: its title and its cells.
pub(super) struct TableColumn<'a, R> {
    title: String,
    is_text: bool,
    cell: Box<dyn Fn(&R) -> String + 'a>,
}

/// A column of texts or charts that only the page has.
pub(super) fn chart_column<'a, R>(
    title: &str,
    cell: impl Fn(&R) -> String + 'a,
) -> TableColumn<'a, R> {
    TableColumn {
        title: title.to_owned(),
        is_text: true,
        cell: Box::new(cell),
    }
}

/// The columns of a report's table.
pub(super) fn columns<'a, R: TableRow>(view: &'a View<'a>) -> Vec<TableColumn<'a, R>> {
    let columns = R::columns(FrontEnd::Html).map(|column| TableColumn {
        title: heading(column),
        is_text: !matches!(
            column.kind(),
            CellKind::Count | CellKind::Decimal | CellKind::Duration | CellKind::Event
        ),
        cell: Box::new(|row: &R| cell(view, column, row)),
    });
    columns.collect()
}

/// The same with something before the first cell of each row.
pub(super) fn columns_with_prefix<'a, R: TableRow>(
    view: &'a View<'a>,
    prefix: impl Fn(&R) -> String + 'a,
) -> Vec<TableColumn<'a, R>> {
    let mut columns = columns::<R>(view);
    if let (Some(first), Some(column)) = (columns.first_mut(), R::columns(FrontEnd::Html).next()) {
        first.cell = Box::new(move |row| prefix(row) + &cell(view, column, row));
    }
    columns
}

/// The label with the unit.
fn heading<R>(column: &ReportColumn<R>) -> String {
    match column.unit {
        "" => column.label.to_owned(),
        unit => format!("{} ({unit})", column.label),
    }
}

/// A cell of a report's table.
fn cell<R>(view: &View<'_>, column: &ReportColumn<R>, row: &R) -> String {
    let key = column.key;
    match column.cell(row) {
        None if column.missing.is_empty() => dash(),
        None => note(column.missing),
        Some(Cell::Note(shown)) => note(shown),
        Some(Cell::Text(Cow::Borrowed(shown))) => text(key, shown),
        // Made from several values, or from none that JSON has as this text.
        Some(Cell::Text(Cow::Owned(shown))) => escaped(shown),
        Some(Cell::Thread(name, priority)) => {
            let priority = count(&format!("{key}_priority"), priority);
            format!(
                "{} <span class=\"soft\">({priority})</span>",
                text(key, name)
            )
        }
        Some(Cell::Count(value)) => count(key, value),
        Some(Cell::Decimal(value)) => decimal(key, value),
        Some(Cell::Duration(ticks)) => time(view, key, ticks),
        Some(Cell::FractionalDuration(ticks)) => fractional_time(view, key, ticks),
        Some(Cell::Percent(value)) => share(key, value),
        Some(Cell::Event(number)) => event(key, number),
        Some(Cell::Flag(value)) => flag(key, value),
        Some(Cell::Distribution(found)) => distribution(view, key, found),
    }
}

/// The figures of a report as a list.
pub(super) fn figures<R: TableRow>(view: &View<'_>, row: &R, class: &str) -> String {
    let mut html = format!("<dl{class} data-report=\"{}\">", R::TABLE.path);
    for column in R::columns(FrontEnd::Html) {
        let _ = write!(
            html,
            "<div><dt>{}</dt><dd>{}</dd></div>",
            heading(column),
            cell(view, column, row)
        );
    }
    html.push_str("</dl>");
    html
}

/// Renders a report's table; nothing if it has no rows. If there are too many, those with
/// the highest `rank` are shown.
pub(super) fn report_table<R: TableRow, K: Ord>(
    view: &View<'_>,
    rows: &[R],
    rank: impl Fn(&R) -> K,
) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let caption = caption::<R>();
    table(R::TABLE.path, &caption, rows, &columns(view), rank)
}

/// The caption of a report's table.
pub(super) fn caption<R: TableRow>() -> String {
    let mut caption = R::TABLE.title.to_owned();
    if !R::TABLE.note.is_empty() {
        let _ = write!(caption, ". {}", R::TABLE.note);
    }
    let mut columns = R::columns(FrontEnd::Html);
    if columns.any(|column| column.kind() == CellKind::Distribution) {
        caption.push_str(". Durations are the median, the 99th percentile and the maximum");
    }
    caption
}

/// Renders the rows of the report with this key as a table. The first column names
/// the row. If there are too many rows, those with the highest `rank` are shown.
pub(super) fn table<R, K: Ord>(
    place: &str,
    caption: &str,
    rows: &[R],
    columns: &[TableColumn<'_, R>],
    rank: impl Fn(&R) -> K,
) -> String {
    let mut order: Vec<_> = rows.iter().enumerate().collect();
    // The sort is stable: equal rows keep the report's order.
    order.sort_by_key(|(_, row)| std::cmp::Reverse(rank(row)));
    let mut html = format!(
        "<div class=\"wide\"><table data-report=\"{place}\"><caption>{caption}</caption><thead><tr>"
    );
    for column in columns {
        let class = cell_class(column);
        let _ = write!(html, "<th scope=\"col\"{class}>{}</th>", column.title);
    }
    html.push_str("</tr></thead><tbody>");
    for (number, row) in order.iter().take(MAX_ROWS) {
        let _ = write!(html, "<tr data-row=\"{number}\">");
        for (column, at) in columns.iter().zip(0..) {
            let class = cell_class(column);
            let cell = (column.cell)(row);
            let _ = match at {
                0 => write!(html, "<th scope=\"row\">{cell}</th>"),
                _ => write!(html, "<td{class}>{cell}</td>"),
            };
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>");
    if let Some(more) = rows.len().checked_sub(MAX_ROWS).filter(|more| *more > 0) {
        let more = grouped(more as u64);
        let _ = write!(html, "<p class=\"more\">and {more} more rows</p>");
    }
    html
}

fn cell_class<R>(column: &TableColumn<'_, R>) -> &'static str {
    if column.is_text {
        ""
    } else {
        " class=\"figure\""
    }
}
