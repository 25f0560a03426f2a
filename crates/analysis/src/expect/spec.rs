//! A spec as it was written.

use super::error::{Span, SpecError};
use super::lexer::SpecToken;
use super::parser;

/// Tests as they were written: names are not resolved yet, so that a spec can
/// be used with many traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    pub(super) text: Box<str>,
    /// What holds for every test.
    pub(super) common: TestHeader,
    pub(super) tests: Vec<TestSpec>,
}

/// What holds for a test as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TestHeader {
    pub(super) only: Vec<PatternSpec>,
    /// Names of kinds and groups.
    pub(super) ignore: Vec<SpecToken>,
    pub(super) start: Option<StartSpec>,
    pub(super) until: Option<PatternSpec>,
    /// What must nowhere occur.
    pub(super) never: Vec<PatternSpec>,
}

/// Where a test begins to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StartSpec {
    pub(super) pattern: PatternSpec,
    /// Whether with the record that fits, rather than behind it.
    pub(super) inclusive: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TestSpec {
    /// `None` for what stands in front of every `test`.
    pub(super) name: Option<String>,
    /// The line where it begins.
    pub(super) line: u32,
    pub(super) header: TestHeader,
    pub(super) steps: Vec<ExpectationSpec>,
    /// What holds behind the last expectation.
    pub(super) after_last: BetweenSpec,
}

/// An expectation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ExpectationSpec {
    /// What holds between it and the one before.
    pub(super) before: BetweenSpec,
    pub(super) pattern: PatternSpec,
    /// How often, one directly after the other; at least 1.
    pub(super) count: u32,
}

/// What holds between two expectations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct BetweenSpec {
    /// Whether any records may come.
    pub(super) any: bool,
    /// What must not occur.
    pub(super) never: Vec<PatternSpec>,
    pub(super) within: Option<TimeLimit>,
}

/// The longest time from one match to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimeLimit {
    pub(super) span: Span,
    pub(super) time: TimeValue,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeValue {
    Ticks(u64),
    Nanoseconds(u64),
}

/// Which records are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PatternSpec {
    /// Of the whole pattern.
    pub(super) span: Span,
    /// The name of a kind or a group; `None` for every kind.
    pub(super) kind: Option<SpecToken>,
    /// Names and values.
    pub(super) arguments: Vec<(SpecToken, SpecToken)>,
}

impl Spec {
    /// Reads tests in the [language of specs](super).
    ///
    /// # Errors
    ///
    /// If a line is none of the language, or there is no test.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        parser::parse(text)
    }

    /// What was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many tests there are; at least one.
    pub fn tests(&self) -> usize {
        self.tests.len()
    }
}

impl std::str::FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}
