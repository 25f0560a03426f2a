//! Comparisons as text and Markdown.

use crate::commands::check::markdown::cell;
use rtoscope_analysis::compare::{ComparedFigure, ComparisonDocument, Subject, Verdict};
use rtoscope_command::output::{append_section, format_table};
use rtoscope_trace::diagnostic::pluralise;
use std::fmt::Write as _;

const HEADER: [&str; 7] = [
    "table", "subject", "figure", "before", "after", "change", "verdict",
];
const RIGHT: [&str; 3] = ["before", "after", "change"];

/// The figures that differ by more than `threshold` percent, and what is new or vanished.
pub(crate) fn render(document: &ComparisonDocument, threshold: f64) -> String {
    let mut text = summary(document, threshold);
    let rows = rows(document, threshold);
    if !rows.is_empty() {
        append_section(
            &mut text,
            "Differences",
            &format_table(&HEADER, &RIGHT, rows),
        );
    }
    for (title, subjects) in subject_lists(document) {
        let rows = subjects
            .iter()
            .map(|it| vec![it.table.clone(), it.subject.clone()]);
        let table = format_table(&["table", "subject"], &[], rows);
        append_section(&mut text, title, &table);
    }
    text
}

/// The same for a merge request.
pub(super) fn render_markdown(document: &ComparisonDocument, threshold: f64) -> String {
    let mut text = summary(document, threshold);
    let rows = rows(document, threshold);
    if !rows.is_empty() {
        let _ = write!(
            text,
            "\n| {} |\n|{}\n",
            HEADER.join(" | "),
            "---|".repeat(HEADER.len())
        );
        for row in rows {
            let cells: Vec<_> = row.iter().map(|it| cell(it)).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
    }
    for (title, subjects) in subject_lists(document) {
        let names = subjects
            .iter()
            .map(|it| format!("{} {}", it.table, it.subject));
        let names: Vec<_> = names.map(|it| cell(&it)).collect();
        let _ = write!(text, "\n**{title}:** {}\n", names.join(", "));
    }
    text
}

fn subject_lists(
    document: &ComparisonDocument,
) -> impl Iterator<Item = (&'static str, &[Subject])> {
    let comparison = &document.comparison;
    let all = [
        ("New", &comparison.new[..]),
        ("Vanished", &comparison.vanished[..]),
    ];
    all.into_iter().filter(|(_, subjects)| !subjects.is_empty())
}

fn summary(document: &ComparisonDocument, threshold: f64) -> String {
    let figures = &document.comparison.figures;
    let differing = figures.iter().filter(|it| it.exceeds(threshold)).count() as u64;
    let changed = figures
        .iter()
        .filter(|it| it.verdict == Verdict::Changed)
        .count() as u64;
    let has_undecided = figures.iter().any(|it| it.verdict == Verdict::Undecided);
    let [before, after] = [&document.baseline, &document.recordings]
        .map(|group| pluralise(group.len() as u64, "recording", "recordings"));
    let mut text = format!(
        "{after} compared with {before}: {differing} of {} differ by more than {threshold} %",
        pluralise(figures.len() as u64, "figure", "figures")
    );
    match has_undecided {
        true => text.push_str(
            "\nToo few recordings to distinguish a change from the variation between runs: it takes \
             four on each side\n",
        ),
        false => {
            let _ = writeln!(text, ", {changed} changed");
        }
    }
    text
}

fn rows(document: &ComparisonDocument, threshold: f64) -> Vec<Vec<String>> {
    let figures = document.comparison.figures.iter();
    let figures = figures.filter(|it| it.is_listed(threshold));
    figures.map(row).collect()
}

fn row(it: &ComparedFigure) -> Vec<String> {
    vec![
        it.table.clone(),
        it.subject.clone(),
        it.figure.clone(),
        it.unit.text(it.before),
        it.unit.text(it.after),
        it.change_text(),
        it.verdict.name().to_owned(),
    ]
}
