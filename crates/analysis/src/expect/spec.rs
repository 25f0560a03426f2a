//! A parsed spec.

use rtoscope_trace::filter::{FilterValue, Pattern, Quantity, Span};

/// Parsed tests. Names are not resolved yet, so that a spec can be used with
/// many traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    pub(super) text: Box<str>,
    /// Applies to every test.
    pub(super) common: TestHeader,
    pub(super) tests: Vec<TestSpec>,
}

/// The header lines of a test.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TestHeader {
    pub(super) only: Vec<PatternSpec>,
    /// Names of kinds and groups, with their lines.
    pub(super) ignore: Vec<(u32, FilterValue)>,
    pub(super) start: Option<StartSpec>,
    pub(super) until: Option<PatternSpec>,
    /// Records that must not occur anywhere.
    pub(super) never: Vec<PatternSpec>,
}

/// Where a test starts to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StartSpec {
    pub(super) pattern: PatternSpec,
    /// Whether the comparison includes the matching record, or starts after it.
    pub(super) inclusive: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TestSpec {
    /// `None` for lines before the first `test`.
    pub(super) name: Option<String>,
    /// The line where it begins.
    pub(super) line: u32,
    pub(super) header: TestHeader,
    pub(super) steps: Vec<ExpectationSpec>,
    /// The rules after the last expectation.
    pub(super) after_last: BetweenSpec,
}

/// An expectation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ExpectationSpec {
    /// The rules between the previous expectation and this one.
    pub(super) before: BetweenSpec,
    pub(super) pattern: PatternSpec,
    /// Number of repetitions in a row; at least 1.
    pub(super) count: u32,
}

/// The rules between two expectations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct BetweenSpec {
    /// Whether any records may occur.
    pub(super) any: bool,
    /// Records that must not occur.
    pub(super) never: Vec<PatternSpec>,
    pub(super) within: Option<TimeLimit>,
}

/// The maximum time from one match to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimeLimit {
    pub(super) line: u32,
    pub(super) span: Span,
    /// Ticks if it is a plain number.
    pub(super) time: Quantity,
}

/// A pattern for records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PatternSpec {
    pub(super) line: u32,
    /// Its source text.
    pub(super) text: Box<str>,
    pub(super) pattern: Pattern,
}

impl Spec {
    /// The source text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names of the tests; empty for one without.
    pub fn test_names(&self) -> impl Iterator<Item = &str> {
        let tests = self.tests.iter();
        tests.map(|test| test.name.as_deref().unwrap_or_default())
    }

    /// Number of tests; at least one.
    pub fn tests(&self) -> usize {
        self.tests.len()
    }
}
