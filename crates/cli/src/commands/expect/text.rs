//! Test results as text.

use anstyle::{AnsiColor, Style};
use rtoscope_analysis::expect::{
    Difference, DifferenceKind, ExpectDocument, TestOutcome, TestResult, TraceRecord,
};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Name, Nanoseconds};
use std::fmt::Write as _;
use std::io;

/// Whether standard error may be coloured.
pub(super) fn coloured_errors() -> bool {
    anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never
}

/// Renders one line per test, differences below it, and the totals at the end.
pub(super) fn render(document: &ExpectDocument, coloured: bool) -> String {
    let names = document.tests.iter().map(test_name);
    let verdicts = document
        .tests
        .iter()
        .map(|test| outcome_label(test.outcome).0.len());
    let widths = [
        verdicts.max().unwrap_or_default(),
        names
            .map(|name| name.chars().count())
            .max()
            .unwrap_or_default(),
    ];
    let mut text = String::new();
    for test in &document.tests {
        write_test(&mut text, test, widths, coloured);
    }
    text + &totals(document)
}

/// Renders a test.
pub(super) fn render_test(test: &TestResult, coloured: bool) -> String {
    let mut text = String::new();
    write_test(&mut text, test, [0; 2], coloured);
    text
}

/// Writes the line of a test and its details; the widths are those of the
/// outcome and of the name.
fn write_test(text: &mut String, test: &TestResult, widths: [usize; 2], coloured: bool) {
    let [outcome_width, width] = widths;
    let (word, colour) = outcome_label(test.outcome);
    let style = match coloured {
        true => Style::new().bold().fg_color(Some(colour.into())),
        false => Style::new(),
    };
    let mut line = format!("{:<width$}", test_name(test));
    if test.expectations > 0 {
        let _ = write!(line, "  {} of {} expected", test.matched, test.expectations);
    }
    let line = line.trim_end();
    let _ = writeln!(text, "{style}{word:<outcome_width$}{style:#}  {line}");
    for (label, value) in detail_lines(test) {
        let _ = writeln!(text, "      {label:<8}  {value}");
    }
}

/// The numbers of tests by outcome.
pub(super) fn totals(document: &ExpectDocument) -> String {
    let mut parts = Vec::new();
    for (count, text) in [
        (document.passed, "passed"),
        (document.failed, "failed"),
        (document.inconclusive, "inconclusive"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {text}"));
        }
    }
    let tests = pluralise(document.tests.len() as u64, "test", "tests");
    format!("{tests}: {}\n", parts.join(", "))
}

fn outcome_label(outcome: TestOutcome) -> (&'static str, AnsiColor) {
    match outcome {
        TestOutcome::Pass => ("PASS", AnsiColor::Green),
        TestOutcome::Fail => ("FAIL", AnsiColor::Red),
        TestOutcome::Inconclusive => ("INCONCLUSIVE", AnsiColor::Yellow),
    }
}

fn test_name(test: &TestResult) -> String {
    match test.name.as_str() {
        "" => format!("line {}", test.line),
        name => Name::new(name.as_bytes()).to_string(),
    }
}

/// The details of a test that did not pass.
fn detail_lines(test: &TestResult) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(doubt) = &test.uncertainty {
        facts.push(("because", doubt.to_string()));
    }
    if let Some(difference) = &test.difference {
        facts.extend(difference_lines(difference));
    }
    facts
}

fn difference_lines(difference: &Difference) -> Vec<(&'static str, String)> {
    let expected = Name::new(difference.expected.as_bytes()).to_string();
    let line = |number: u32| format!("line {number}");
    let (label, expected) = match difference.kind {
        DifferenceKind::NoStart => ("start", expected),
        DifferenceKind::Forbidden => ("never", expected),
        DifferenceKind::Misuse => ("order", expected),
        DifferenceKind::Other
        | DifferenceKind::Extra
        | DifferenceKind::Missing
        | DifferenceKind::Late => ("expected", expected),
    };
    let mut rows = Vec::new();
    for earlier in &difference.before {
        rows.push((
            "before",
            record_position(&earlier.record),
            earlier.record.text.clone(),
            line(earlier.line),
        ));
    }
    rows.push((label, line(difference.line), expected, String::new()));
    let found = match (&difference.found, difference.kind) {
        (Some(found), _) => Some((record_position(found), found.text.clone())),
        (None, DifferenceKind::Missing | DifferenceKind::NoStart) => {
            Some(("the end".to_owned(), "no match".to_owned()))
        }
        (None, _) => None,
    };
    if let Some((position, found)) = found {
        rows.push(("found", position, found, difference.reason.clone()));
    }
    let width = rows
        .iter()
        .map(|(_, position, ..)| position.chars().count())
        .max();
    let width = width.unwrap_or_default();
    let shown = rows.into_iter().map(|(label, position, text, note)| {
        let note = if note.is_empty() {
            note
        } else {
            format!("   ({note})")
        };
        (label, format!("{position:<width$}  {text}{note}"))
    });
    shown.collect()
}

/// The number and time of the record's event.
fn record_position(record: &TraceRecord) -> String {
    match record.time_ns {
        Some(time) => format!("event {} at {}", record.event, Nanoseconds(time)),
        None => format!("event {} at tick {}", record.event, record.time),
    }
}
