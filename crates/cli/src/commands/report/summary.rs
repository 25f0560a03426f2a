//! The one-page summary: findings and key figures.

use super::text::{ReportFormatter, header};
use rtoscope_analysis::View;
use rtoscope_analysis::report::{
    DescribedTable, FINDINGS_TITLE, FrontEnd, ReportDocument, ReportKind,
};
use rtoscope_command::output::append_section;
use rtoscope_trace::Severity;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The reports that the summary needs.
pub(super) fn summary_kinds() -> BTreeSet<ReportKind> {
    [
        ReportKind::Profile,
        ReportKind::Performance,
        ReportKind::ContextSwitches,
    ]
    .into()
}

/// Maximum number of threads in the summary.
const MAX_ROWS: usize = 12;
/// Maximum number of diagnostics in the summary.
const MAX_DIAGNOSTICS: usize = 5;

pub(super) fn render(document: &ReportDocument, view: &View<'_>) -> String {
    let mut text = header(document, view);
    let findings = findings_text(document);
    append_section(&mut text, FINDINGS_TITLE, &findings);
    let formatter = ReportFormatter {
        view,
        max_rows: MAX_ROWS,
    };
    if let Some(rows) = &document.profile {
        let mut shown: Vec<_> = rows.iter().filter(|row| row.duration > 0).collect();
        shown.sort_by_key(|row| std::cmp::Reverse(row.duration));
        let more = shown.len().saturating_sub(MAX_ROWS);
        shown.truncate(MAX_ROWS);
        let mut body = match view.trace.clock.quality.no_time() {
            Some(why) => format!("unknown: {why}\n"),
            None => formatter.table(&DescribedTable::new(shown, FrontEnd::Text)),
        };
        if more > 0 {
            let _ = writeln!(body, "and {more} more: `rtoscope report FILE profile`");
        }
        append_section(&mut text, ReportKind::Profile.title(), &body);
    }
    if let Some(trust) = clock_warning(view) {
        append_section(&mut text, ReportKind::Health.title(), &trust);
    }
    for kind in [ReportKind::Performance, ReportKind::ContextSwitches] {
        for table in document.tables(kind, FrontEnd::Text) {
            if table.is_figures {
                append_section(&mut text, kind.title(), &formatter.table(&table));
            }
        }
    }
    text
}

/// The number of diagnostics that limit the accuracy of the summary.
fn clock_warning(view: &View<'_>) -> Option<String> {
    let diagnostics = view.diagnostics.iter();
    let grave: Vec<_> = diagnostics
        .filter(|diagnostic| diagnostic.severity() > Severity::Info)
        .collect();
    let mut text = String::new();
    for diagnostic in grave.iter().take(MAX_DIAGNOSTICS) {
        let _ = writeln!(text, "{:<9} {}", diagnostic.severity(), diagnostic.message);
    }
    if grave.len() > MAX_DIAGNOSTICS {
        let more = grave.len() - MAX_DIAGNOSTICS;
        let _ = writeln!(text, "and {more} more: `rtoscope report FILE health`");
    }
    (!text.is_empty()).then_some(text)
}

/// Renders the findings, one per line.
pub(crate) fn findings_text(document: &ReportDocument) -> String {
    let mut text = String::new();
    for finding in &document.findings {
        let event = finding.event.map(|event| format!(" [event {event}]"));
        let _ = writeln!(
            text,
            "{:<9} {}{}",
            finding.severity.name(),
            finding.message,
            event.unwrap_or_default()
        );
    }
    if text.is_empty() {
        text.push_str("none\n");
    }
    text
}
