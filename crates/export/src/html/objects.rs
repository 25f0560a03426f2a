//! Queues, semaphores and pools, and the figures of components.

use super::cells::{count, dash, escaped};
use super::chart::level;
use super::table::{caption, chart_column, columns, table};
use rtoscope_analysis::View;
use rtoscope_analysis::report::TableRow as _;
use rtoscope_analysis::report::components::Component;
use rtoscope_analysis::report::objects::ObjectRow;

/// Queues, semaphores and pools with their levels.
pub(super) fn objects(view: &View<'_>, rows: &[ObjectRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut columns = columns(view);
    columns.push(chart_column("Level over time", |row: &ObjectRow| {
        let found = row.level.as_ref();
        found.map_or_else(dash, |found| level(view, found, row.capacity))
    }));
    let caption = caption::<ObjectRow>();
    table(ObjectRow::TABLE.path, &caption, rows, &columns, |row| {
        row.calls
    })
}

/// The figures of a component; nothing if the trace has no events of it.
pub(super) fn component(component: &Component, title: &str) -> String {
    if !component.has_events {
        return String::new();
    }
    let rows = component.figures.iter().filter(|figure| figure.value > 0);
    let rows = rows.map(|figure| {
        format!(
            "<tr><th scope=\"row\">{}</th><td class=\"figure\">{}</td></tr>\n",
            escaped(&figure.description),
            count(&escaped(&figure.name), figure.value)
        )
    });
    format!(
        "<div class=\"wide\"><table data-report=\"{}\"><caption>{title}: values other than 0</caption>\
         <thead><tr><th scope=\"col\">Figure</th><th scope=\"col\" class=\"figure\">Value</th></tr></thead>\
         <tbody>{}</tbody></table></div>",
        escaped(&component.name),
        rows.collect::<String>()
    )
}
