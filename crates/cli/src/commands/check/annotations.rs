//! Results as annotations of build servers: what failed or is undecided.

use super::details;
use rtoscope_analysis::check::{CheckDocument, CheckResult, RuleOutcome};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The recordings and results that did not pass.
fn problems(document: &CheckDocument) -> impl Iterator<Item = (&str, &CheckResult)> {
    let recordings = document.recordings.iter();
    let results = recordings.flat_map(|recording| {
        let results = recording.results.iter();
        results.map(|result| (&*recording.source, result))
    });
    results.filter(|(_, result)| result.outcome != RuleOutcome::Passed)
}

/// Workflow commands of GitHub Actions.
pub(super) fn github(document: &CheckDocument) -> String {
    let mut text = String::new();
    for (source, result) in problems(document) {
        let level = match result.outcome {
            RuleOutcome::Failed => "error",
            _ => "warning",
        };
        let _ = writeln!(
            text,
            "::{level} file={},title={}::{}",
            github_property(source),
            github_property(&result.name),
            github_text(&details(result))
        );
    }
    text
}

fn github_text(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

fn github_property(text: &str) -> String {
    github_text(text).replace(':', "%3A").replace(',', "%2C")
}

/// A code quality report of GitLab.
pub(super) fn gitlab(document: &CheckDocument) -> Value {
    let issue = |(source, result): (&str, &CheckResult)| {
        json!({
            "description": format!("{}: {}", result.name, details(result)),
            "check_name": result.name,
            // It is the same in the next run, as GitLab compares by it.
            "fingerprint": format!("{source} {}", result.name),
            "severity": match result.outcome {
                RuleOutcome::Failed => "critical",
                _ => "minor",
            },
            "location": { "path": source, "lines": { "begin": 1 } },
        })
    };
    problems(document).map(issue).collect()
}
