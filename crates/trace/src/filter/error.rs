//! Errors in a filter, with their position.

use super::span::Span;
use super::suggest::Suggestions;
use crate::{Name, NoTime};
use std::fmt::{self, Write as _};
use std::ops::Range;

/// Why a filter cannot be parsed, or not be used with a trace.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FilterProblem {
    /// Another token was expected.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// The token found, in backquotes, or `the end`.
        found: String,
        /// A description of what was expected.
        expected: &'static str,
    },
    /// A quoted text has no end.
    #[error("expected a closing {quote}, found the end")]
    OpenQuote {
        /// The opening quote.
        quote: char,
    },
    /// The operator does not apply to the field.
    #[error("`{field}` cannot be compared with `{operator}`, which requires {needs}")]
    Operator {
        /// The field's name.
        field: String,
        /// The operator.
        operator: &'static str,
        /// The kind of field that the operator requires.
        needs: &'static str,
    },
    /// The name is unknown.
    #[error("no {noun} is called `{name}`{}", Suggestions(.closest))]
    UnknownName {
        /// What has no such name, e.g. `context`.
        noun: &'static str,
        /// The name in its display form.
        name: String,
        /// The most similar existing names, best first, in their display form.
        closest: Vec<String>,
    },
    /// A time has a unit, but the trace's times are not known in nanoseconds.
    #[error("a time with a unit requires a known clock frequency; expected a number of ticks")]
    NoTime(NoTime),
    /// A rule of the language that contains the expression.
    #[error("{0}")]
    Rule(String),
    /// Parentheses and negations are nested too deeply.
    #[error("expected at most {limit} nested parentheses and negations")]
    TooDeep {
        /// The maximum depth.
        limit: usize,
    },
    /// The text is too long.
    #[error("expected at most {limit} bytes, found {length}")]
    TooLong {
        /// The maximum length, in bytes.
        limit: usize,
        /// The length, in bytes.
        length: usize,
    },
}

/// A [`FilterProblem`] and its part of the expression.
///
/// Displayed as the problem, the expression and a line of carets under that
/// part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterError {
    expression: Box<str>,
    span: Range<usize>,
    problem: FilterProblem,
}

impl FilterError {
    /// Creates an error in an expression that is [set later](Self::in_expression).
    pub fn new(span: Span, problem: FilterProblem) -> Self {
        Self {
            expression: Box::default(),
            span: span.start..span.end,
            problem,
        }
    }

    /// The error in this expression.
    pub fn in_expression(self, expression: &str) -> Self {
        Self {
            expression: expression.into(),
            ..self
        }
    }

    /// Creates the error of an unexpected token.
    pub fn unexpected(expression: &str, span: Span, expected: &'static str) -> Self {
        let found = match expression.get(span.start..span.end) {
            None | Some("") => "the end".to_owned(),
            Some(text) => format!("`{}`", Name::new(text.as_bytes())),
        };
        let problem = FilterProblem::Unexpected { found, expected };
        Self::new(span, problem).in_expression(expression)
    }

    /// The problem.
    pub fn problem(&self) -> &FilterProblem {
        &self.problem
    }

    /// The expression.
    pub fn expression(&self) -> &str {
        &self.expression
    }

    /// The position of the problem, in bytes from the start of the expression.
    pub fn column(&self) -> usize {
        self.span.start
    }

    /// The bytes of the expression with the problem; empty at its end.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

impl std::error::Error for FilterError {}

/// Maximum number of characters of an expression that are displayed, and of
/// those before the carets.
const MAX_SHOWN_CHARS: usize = 100;
const MAX_CHARS_BEFORE: usize = 40;

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |bytes: Range<usize>| {
            let inside = |(at, _): &(usize, char)| bytes.contains(at);
            self.expression.char_indices().filter(inside).count()
        };
        let before = count(0..self.span.start);
        let total = self.expression.chars().count();
        let skipped = match total > MAX_SHOWN_CHARS {
            true => before.saturating_sub(MAX_CHARS_BEFORE),
            false => 0,
        };
        let ellipsis = |cut: bool| if cut { "…" } else { "" };
        write!(f, "{}\n  {}", self.problem, ellipsis(skipped > 0))?;
        for character in self.expression.chars().skip(skipped).take(MAX_SHOWN_CHARS) {
            f.write_char(printable(character))?;
        }
        writeln!(f, "{}", ellipsis(total > skipped + MAX_SHOWN_CHARS))?;
        let indent = 2 + usize::from(skipped > 0) + before - skipped;
        let room = (skipped + MAX_SHOWN_CHARS).saturating_sub(before).max(1);
        let carets = count(self.span.clone()).clamp(1, room);
        write!(f, "{:indent$}{:^<carets$}", "", "")
    }
}

/// The character, or a replacement that takes one column.
fn printable(character: char) -> char {
    match character {
        '\t' | '\r' | '\n' => ' ',
        '\\' | '\'' | '"' => character,
        _ if character.escape_debug().nth(1).is_some() => char::REPLACEMENT_CHARACTER,
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(expression: &str, start: usize, end: usize) -> String {
        FilterError::unexpected(expression, Span { start, end }, "a value").to_string()
    }

    #[test]
    fn carets_mark_the_span() {
        let text = "expected a value, found `)`\n  core == )\n          ^";
        assert_eq!(shown("core == )", 8, 9), text);
        let text = "expected a value, found `bcd`\n  ä bcd e\n    ^^^";
        assert_eq!(shown("ä bcd e", 3, 6), text);
        let text = "expected a value, found the end\n  core ==\n         ^";
        assert_eq!(shown("core ==", 7, 7), text);
    }

    #[test]
    fn long_and_unprintable_expressions_are_shortened() {
        let long = "x".repeat(500) + "\x1b[31m\n" + &"y".repeat(500);
        let text = shown(&long, 500, 505);
        assert_eq!(text.lines().count(), 3);
        assert!(!text.contains('\x1b'));
        let lines: Vec<_> = text.lines().collect();
        let column = lines[2].chars().position(|letter| letter == '^').unwrap();
        let marked = lines[1].chars().nth(column);
        assert_eq!(marked, Some(char::REPLACEMENT_CHARACTER));
        assert!(lines[1].starts_with("  …x") && lines[1].ends_with("y…"));
    }

    #[test]
    fn invalid_spans_do_not_panic() {
        for (start, end) in [(0, 99), (99, 100), (1, 2), (5, 3)] {
            assert!(shown("äöü", start, end).contains('^'));
        }
    }
}
