//! Tables from the rows of a report.

use super::cells::grouped;
use std::fmt::Write as _;

/// The maximum number of rows of a table.
pub(super) const MAX_ROWS: usize = 100;

/// A column: its title and its cells.
pub(super) struct TableColumn<'a, R> {
    title: &'static str,
    is_text: bool,
    cell: Box<dyn Fn(&R) -> String + 'a>,
}

/// A text column.
pub(super) fn text_column<'a, R>(
    title: &'static str,
    cell: impl Fn(&R) -> String + 'a,
) -> TableColumn<'a, R> {
    TableColumn {
        title,
        is_text: true,
        cell: Box::new(cell),
    }
}

/// A number column.
pub(super) fn number_column<'a, R>(
    title: &'static str,
    cell: impl Fn(&R) -> String + 'a,
) -> TableColumn<'a, R> {
    TableColumn {
        title,
        is_text: false,
        cell: Box::new(cell),
    }
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
