//! A parsed sequence.

use crate::check::RuleError;
use rtoscope_trace::filter::{FilterError, FilterValue, Pattern, Quantity, Span};

/// A parsed sequence. Names are not resolved yet, so that it can be compared with many traces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sequence {
    pub(super) source: SequenceText,
    pub(super) only: Vec<PatternSpec>,
    /// Names of kinds and groups, with their lines.
    pub(super) ignore: Vec<(u32, FilterValue)>,
    pub(super) start: Option<StartSpec>,
    pub(super) until: Option<PatternSpec>,
    /// Records that must not occur anywhere.
    pub(super) never: Vec<PatternSpec>,
    pub(super) steps: Vec<ExpectationSpec>,
    /// The rules after the last expectation.
    pub(super) after_last: BetweenSpec,
}

/// The text of a sequence, which begins in a line of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SequenceText {
    pub(super) text: Box<str>,
    pub(super) first_line: u32,
}

/// Where an occurrence starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StartSpec {
    pub(super) pattern: PatternSpec,
    /// Whether the comparison includes the matching record, or starts after it.
    pub(super) inclusive: bool,
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

impl SequenceText {
    /// Creates the error in a line: the problem, the line, and carets under the wrong part.
    pub(super) fn error(&self, line: u32, error: FilterError) -> RuleError {
        let number = line.checked_sub(self.first_line);
        let number = number.and_then(|number| usize::try_from(number).ok());
        let text = number.and_then(|number| self.text.lines().nth(number));
        RuleError {
            line: usize::try_from(line).unwrap_or(usize::MAX),
            message: error.in_expression(text.unwrap_or_default()).to_string(),
        }
    }
}
