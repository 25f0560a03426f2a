//! The page that a report without a name is: what went wrong, and the figures
//! that say how the system is.

use super::text::{Scribe, head};
use rtoscope_analysis::View;
use rtoscope_analysis::report::{Document, Kind};
use rtoscope_command::output::section;
use rtoscope_trace::Severity;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The reports that the page needs.
pub(super) fn kinds() -> BTreeSet<Kind> {
    [Kind::Profile, Kind::Performance, Kind::Cswitch].into()
}

/// Threads that the page shows.
const MOST_ROWS: usize = 12;
/// Diagnostics that the page shows.
const MOST_DIAGNOSTICS: usize = 5;

pub(super) fn render(document: &Document, view: &View<'_>) -> String {
    let mut text = head(document, view);
    let findings = findings(document);
    section(&mut text, "Findings", &findings);
    let scribe = Scribe { view };
    if let Some(rows) = &document.profile {
        let mut shown: Vec<_> = rows.iter().filter(|row| row.ticks > 0).cloned().collect();
        shown.sort_by_key(|row| std::cmp::Reverse(row.ticks));
        let more = shown.len().saturating_sub(MOST_ROWS);
        shown.truncate(MOST_ROWS);
        let mut body = scribe.profile(&shown);
        if more > 0 {
            let _ = writeln!(body, "and {more} more: `rtoscope report FILE profile`");
        }
        section(&mut text, "Who had the processor", &body);
    }
    if let Some(trust) = trust(view) {
        section(&mut text, "What can be trusted", &trust);
    }
    if let Some(counts) = &document.performance {
        section(
            &mut text,
            "What the scheduler did",
            &scribe.performance(counts),
        );
    }
    if let Some(found) = &document.cswitch {
        let figures = scribe.switch_figures(found);
        section(&mut text, "What the switches tell", &figures);
    }
    text
}

/// How many diagnostics there are that limit what the page says.
fn trust(view: &View<'_>) -> Option<String> {
    let diagnostics = view.diagnostics.iter();
    let grave: Vec<_> = diagnostics
        .filter(|diagnostic| diagnostic.severity() > Severity::Info)
        .collect();
    let mut text = String::new();
    for diagnostic in grave.iter().take(MOST_DIAGNOSTICS) {
        let _ = writeln!(text, "{:<9} {}", diagnostic.severity(), diagnostic.message);
    }
    if grave.len() > MOST_DIAGNOSTICS {
        let more = grave.len() - MOST_DIAGNOSTICS;
        let _ = writeln!(text, "and {more} more: `rtoscope report FILE health`");
    }
    (!text.is_empty()).then_some(text)
}

/// The findings, a line each.
pub(crate) fn findings(document: &Document) -> String {
    let mut text = String::new();
    for finding in &document.findings {
        let event = finding.event.map(|event| format!(" [event {event}]"));
        let _ = writeln!(
            text,
            "{:<9} {}{}",
            finding.weight.name(),
            finding.message,
            event.unwrap_or_default()
        );
    }
    if text.is_empty() {
        text.push_str("nothing that would need attention\n");
    }
    text
}
