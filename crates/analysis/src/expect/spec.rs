//! A spec as it was written.

use super::error::{Place, SpecError};
use super::lexer::Piece;
use super::parser;

/// Tests as they were written: names are not resolved yet, so that a spec can
/// be used with many traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    pub(super) text: Box<str>,
    /// What holds for every test.
    pub(super) common: Head,
    pub(super) tests: Vec<Test>,
}

/// What holds for a test as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) only: Vec<Pattern>,
    /// Names of kinds and groups.
    pub(super) ignore: Vec<Piece>,
    pub(super) start: Option<Start>,
    pub(super) until: Option<Pattern>,
    /// What must nowhere occur.
    pub(super) never: Vec<Pattern>,
}

/// Where a test begins to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) pattern: Pattern,
    /// Whether with the record that fits, rather than behind it.
    pub(super) inclusive: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Test {
    /// `None` for what stands in front of every `test`.
    pub(super) name: Option<String>,
    /// The line where it begins.
    pub(super) line: u32,
    pub(super) head: Head,
    pub(super) steps: Vec<Step>,
    /// What holds behind the last expectation.
    pub(super) rest: Between,
}

/// An expectation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    /// What holds between it and the one before.
    pub(super) before: Between,
    pub(super) pattern: Pattern,
    /// How often, one directly after the other; at least 1.
    pub(super) count: u32,
}

/// What holds between two expectations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Between {
    /// Whether any records may come.
    pub(super) any: bool,
    /// What must not occur.
    pub(super) never: Vec<Pattern>,
    pub(super) within: Option<Within>,
}

/// The longest time from one match to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Within {
    pub(super) place: Place,
    pub(super) time: Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Time {
    Ticks(u64),
    Nanoseconds(u64),
}

/// Which records are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// Of the whole pattern.
    pub(super) place: Place,
    /// The name of a kind or a group; `None` for every kind.
    pub(super) kind: Option<Piece>,
    /// Names and values.
    pub(super) arguments: Vec<(Piece, Piece)>,
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
