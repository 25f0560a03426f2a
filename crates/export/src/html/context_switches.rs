//! The report on a context-switch log.

use super::table::{figures, report_table};
use rtoscope_analysis::View;
use rtoscope_analysis::report::TableRow;
use rtoscope_analysis::report::context_switches::{
    ContextSwitches, HandlerRow, InterruptsOffRow, ThreadSwitchRow,
};

/// The figures, threads, handlers and interrupts-off sections.
pub(super) fn context_switches(view: &View<'_>, found: &ContextSwitches) -> String {
    let mut html = figures(view, found, " class=\"broad\"");
    let mut section = |title: &str, table: String| {
        if !table.is_empty() {
            html.push_str(&format!("<h3>{title}</h3>{table}"));
        }
    };
    section(
        ThreadSwitchRow::TABLE.title,
        report_table(view, &found.threads, |row| row.share.ticks),
    );
    section(
        HandlerRow::TABLE.title,
        report_table(view, &found.handlers, |row| row.share.ticks),
    );
    if let Some(off) = &found.interrupts_off {
        section(
            InterruptsOffRow::TABLE.title,
            report_table(view, &off.longest, |row| row.ticks),
        );
    }
    html
}
