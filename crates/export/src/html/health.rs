//! The quality of a recording.

use super::table::{figures, report_table};
use rtoscope_analysis::View;
use rtoscope_analysis::report::TableRow;
use rtoscope_analysis::report::health::{DiagnosticRow, Health};

/// The clock, diagnostics and gaps of a recording.
pub(super) fn health(view: &View<'_>, found: &Health) -> String {
    let mut html = figures(view, found, "");
    if found.diagnostics.is_empty() {
        html.push_str(&format!("<p>{}.</p>", DiagnosticRow::TABLE.empty));
    }
    html.push_str(&report_table(view, &found.diagnostics, |_| ()));
    html.push_str(&report_table(view, &found.gaps, |row| row.missing));
    html
}
