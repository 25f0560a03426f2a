//! Tables, views, functions and canned queries of SQL.

use crate::{cell, sentence};
use rtoscope_tables::Table;
use rtoscope_tables::sql::{DocumentedName, FUNCTIONS, SqlScript, canned_queries, views};
use std::fmt::Write as _;

/// The names of the tables.
pub(crate) fn table_list() -> String {
    let rows = Table::ALL.iter().map(|table| {
        let name = table.name();
        let link = format!("[`{name}`](../export/tables.md#{name})");
        (link, table.about())
    });
    rows_of("table", rows)
}

/// The names of the views.
pub(crate) fn view_list() -> String {
    let rows = views::all().map(|view| (format!("[`{0}`](#{0})", view.name), view.title));
    rows_of("view", rows)
}

/// The functions.
pub(crate) fn function_list() -> String {
    let rows = FUNCTIONS.map(|function| (format!("`{}`", function.call), function.about));
    rows_of("function", rows)
}

/// The views with their columns.
pub(crate) fn views() -> String {
    let mut text = String::new();
    for view in views::all() {
        let _ = write!(text, "\n## {}\n\n{}\n", view.name, sentence(view.title));
        paragraphs(&mut text, &view);
        names(&mut text, "column", &view.columns);
    }
    text
}

/// The canned queries for any recordings, then those for fleets.
pub(crate) fn canned_queries() -> String {
    let mut text = String::new();
    let all = canned_queries::for_recordings().chain(canned_queries::for_fleets());
    for query in all {
        let _ = write!(text, "\n## {}\n\n{}\n", query.name, query.title);
        paragraphs(&mut text, &query);
        names(&mut text, "column", &query.columns);
        names(&mut text, "parameter", &query.parameters);
        names(&mut text, "tag", &query.tags);
        let _ = write!(text, "\n```sql\n{}\n```\n", query.sql);
    }
    text
}

fn paragraphs(text: &mut String, script: &SqlScript) {
    for paragraph in &script.about {
        let _ = write!(text, "\n{paragraph}\n");
    }
}

/// A table of these names, unless there are none.
fn names(text: &mut String, heading: &str, items: &[DocumentedName]) {
    if !items.is_empty() {
        let rows = items.iter();
        let rows = rows.map(|item| (format!("`{}`", item.name), item.about.as_str()));
        let _ = write!(text, "\n{}", rows_of(heading, rows));
    }
}

/// A table with descriptions.
fn rows_of<'a>(heading: &str, rows: impl IntoIterator<Item = (String, &'a str)>) -> String {
    let mut text = format!("| {heading} | description |\n|---|---|\n");
    for (name, about) in rows {
        let _ = writeln!(text, "| {name} | {} |", cell(about));
    }
    text
}
