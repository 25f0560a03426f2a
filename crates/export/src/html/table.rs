//! Tables of the rows of a report.

use super::cells::grouped;
use std::fmt::Write as _;

/// Rows that a table has at most.
pub(super) const MAX_ROWS: usize = 100;

/// A column: what stands above it, and what it says of a row.
pub(super) struct TableColumn<'a, R> {
    title: &'static str,
    is_text: bool,
    cell: Box<dyn Fn(&R) -> String + 'a>,
}

/// A column of names and sentences.
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

/// A column of figures.
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

/// The rows of a report, which has that place in the document, as a table. The
/// first column names the row. Of too many rows the first are shown, by `rank`:
/// the highest.
pub(super) fn table<R, K: Ord>(
    place: &str,
    caption: &str,
    rows: &[R],
    columns: &[TableColumn<'_, R>],
    rank: impl Fn(&R) -> K,
) -> String {
    let mut order: Vec<_> = rows.iter().enumerate().collect();
    // Stable: equals stay in the order of the report.
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
