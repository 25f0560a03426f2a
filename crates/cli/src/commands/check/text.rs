//! Results as text.

use anstyle::{AnsiColor, Style};
use rtoscope_analysis::check::{CheckDocument, CheckResult, RuleOutcome};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::printable::Printable;
use std::fmt::Write as _;

/// Renders the results of each recording, and the totals.
pub(crate) fn render(document: &CheckDocument, is_coloured: bool) -> String {
    let mut text = String::new();
    let mut has_event = false;
    for recording in &document.recordings {
        let _ = writeln!(text, "{}", Printable::text(&recording.source));
        let names = recording.results.iter().map(|it| it.name.chars().count());
        let width = names.max().unwrap_or_default();
        for result in &recording.results {
            write_result(&mut text, result, width, is_coloured);
            has_event |= result.worst.iter().any(|it| it.event.is_some());
        }
    }
    let _ = writeln!(text, "{}", totals(document));
    if has_event {
        text.push_str("To explain an event: rtoscope critical-path FILE --event NUMBER\n");
    }
    text
}

/// How many checks passed, failed and are undecided.
pub(super) fn totals(document: &CheckDocument) -> String {
    let totals = document.totals;
    let counts = [
        (totals.passed, RuleOutcome::Passed),
        (totals.failed, RuleOutcome::Failed),
        (totals.undecided, RuleOutcome::Undecided),
    ];
    let all = counts.iter().map(|(count, _)| *count as u64).sum();
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<_> = counts
        .map(|(count, outcome)| format!("{count} {}", outcome.name()))
        .collect();
    format!(
        "{}: {}",
        pluralise(all, "check", "checks"),
        parts.join(", ")
    )
}

fn write_result(text: &mut String, result: &CheckResult, width: usize, is_coloured: bool) {
    let colour = match result.outcome {
        RuleOutcome::Passed => AnsiColor::Green,
        RuleOutcome::Failed => AnsiColor::Red,
        RuleOutcome::Undecided => AnsiColor::Yellow,
    };
    let style = match is_coloured {
        true => Style::new().bold().fg_color(Some(colour.into())),
        false => Style::new(),
    };
    let outcome = result.outcome.name();
    let (name, message) = (
        Printable::text(&result.name).to_string(),
        Printable::text(&result.message),
    );
    let line = format!("{name:<width$}  {message}");
    let _ = writeln!(text, "  {style}{outcome:<9}{style:#}  {}", line.trim_end());
    for offender in &result.worst {
        let _ = writeln!(text, "             {offender}");
    }
    let more = result.violations.saturating_sub(result.worst.len());
    if more > 0 {
        let _ = writeln!(text, "             and {more} more");
    }
}
