//! Results as a summary for a merge request.

use super::details;
use super::text::totals;
use rtoscope_analysis::check::{CheckDocument, RuleOutcome};
use rtoscope_trace::printable::Printable;
use std::fmt::Write as _;

pub(super) fn render(document: &CheckDocument) -> String {
    let mut text = format!("**{}**\n", totals(document));
    for recording in &document.recordings {
        let source = Printable::text(&recording.source).to_string();
        let source = source.replace('`', "'");
        let results = recording.results.iter();
        let mut problems = results
            .filter(|it| it.outcome != RuleOutcome::Passed)
            .peekable();
        if problems.peek().is_none() {
            let _ = writeln!(text, "\n`{source}`: passed");
            continue;
        }
        let _ = writeln!(
            text,
            "\n`{source}`\n\n| check | outcome | found |\n|---|---|---|"
        );
        for result in problems {
            let _ = writeln!(
                text,
                "| {} | {} | {} |",
                cell(&result.name),
                result.outcome.name(),
                cell(&details(result))
            );
        }
    }
    text
}

/// Text in a cell of a table, with nothing that Markdown or HTML would interpret.
pub(in crate::commands) fn cell(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => escaped.push_str("<br>"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '&' | '~' | '@' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}
