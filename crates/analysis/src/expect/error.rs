//! Errors in a spec, with their position.

use rtoscope_trace::Name;
use std::fmt::{self, Write as _};

/// A position in a spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Span {
    /// Line number, from 1.
    pub(super) line: u32,
    /// Start, in bytes from the start of the line.
    pub(super) start: usize,
    /// End, in bytes from the start of the line.
    pub(super) end: usize,
}

/// Why a spec cannot be parsed, or not be used with a trace.
///
/// Displayed as the problem, the line, and carets under the wrong part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecError {
    /// The wrong line, from 1.
    pub line: u32,
    /// The wrong column, in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub problem: String,
    /// What was expected.
    pub expected: String,
    /// Similar names that exist, the most similar first.
    pub closest: Vec<String>,
    text: Box<str>,
    /// In characters; 0 at the end of the line.
    width: usize,
}

impl SpecError {
    /// Creates an error at a span of a spec.
    pub(super) fn new(
        spec: &str,
        span: Span,
        what: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        let number = usize::try_from(span.line).unwrap_or(usize::MAX);
        let line = number.checked_sub(1).and_then(|at| spec.lines().nth(at));
        let line = line.unwrap_or_default();
        let count = |part: Option<&str>| part.unwrap_or_default().chars().count();
        let before = count(line.get(..span.start));
        Self {
            line: span.line,
            column: u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1),
            problem: what.into(),
            expected: expected.into(),
            closest: Vec::new(),
            text: line.into(),
            width: count(line.get(span.start..span.end)),
        }
    }

    /// Another token was expected there.
    pub(super) fn unexpected(spec: &str, span: Span, expected: impl Into<String>) -> Self {
        let number = usize::try_from(span.line).unwrap_or(usize::MAX);
        let line = number.checked_sub(1).and_then(|at| spec.lines().nth(at));
        let part = |from, to| line.and_then(|line| line.get(from..to)).unwrap_or_default();
        let rest = part(span.end, line.map_or(0, str::len));
        let what = match part(span.start, span.end) {
            "" if rest.trim().is_empty() => "the line ends here".to_owned(),
            "" => "something is missing here".to_owned(),
            found => format!("unexpected `{}`", Name::new(found.as_bytes())),
        };
        Self::new(spec, span, what, expected)
    }

    /// Adds similar names.
    pub(super) fn with_suggestions(mut self, closest: Vec<String>) -> Self {
        self.closest = closest;
        self
    }
}

impl std::error::Error for SpecError {}

/// Maximum number of characters of a line that are shown, and of those before
/// the carets.
const MAX_SHOWN_CHARS: usize = 100;
const MAX_CHARS_BEFORE: usize = 40;

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)?;
        match self.closest.as_slice() {
            [] => writeln!(f, "; expected {}", self.expected)?,
            closest => writeln!(f, "; did you mean {}?", closest.join(" or "))?,
        }
        let before = usize::try_from(self.column).unwrap_or(usize::MAX).max(1) - 1;
        let total = self.text.chars().count();
        let skipped = match total > MAX_SHOWN_CHARS {
            true => before.saturating_sub(MAX_CHARS_BEFORE),
            false => 0,
        };
        let ellipsis = |omitted: bool| if omitted { "…" } else { "" };
        write!(f, "  {}", ellipsis(skipped > 0))?;
        for letter in self.text.chars().skip(skipped).take(MAX_SHOWN_CHARS) {
            f.write_char(match letter {
                '\\' | '\'' | '"' => letter,
                _ if letter.is_whitespace() => ' ',
                _ if letter.escape_debug().nth(1).is_some() => char::REPLACEMENT_CHARACTER,
                _ => letter,
            })?;
        }
        writeln!(f, "{}", ellipsis(total > skipped + MAX_SHOWN_CHARS))?;
        let indent = 2 + usize::from(skipped > 0) + before.saturating_sub(skipped);
        let room = (skipped + MAX_SHOWN_CHARS).saturating_sub(before).max(1);
        let carets = self.width.clamp(1, room);
        write!(f, "{:indent$}{:^<carets$}", "", "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(line: u32, start: usize, end: usize) -> Span {
        Span { line, start, end }
    }

    #[test]
    fn carets_mark_the_span() {
        let error = SpecError::unexpected("a\nä bcd e", span(2, 3, 6), "nothing");
        assert_eq!((error.line, error.column), (2, 3));
        let shown = "line 2: unexpected `bcd`; expected nothing\n  ä bcd e\n    ^^^";
        assert_eq!(error.to_string(), shown);
        let error = SpecError::unexpected("test", span(1, 4, 4), "a name");
        let shown = "line 1: the line ends here; expected a name\n  test\n      ^";
        assert_eq!(error.to_string(), shown);
        let meant = SpecError::new("x", span(1, 0, 1), "no kind", "a kind");
        let meant = meant.with_suggestions(vec!["SM.TRN".to_owned(), "SM.DCH".to_owned()]);
        let shown = "line 1: no kind; did you mean SM.TRN or SM.DCH?\n  x\n  ^";
        assert_eq!(meant.to_string(), shown);
    }

    #[test]
    fn long_and_unprintable_lines_are_shortened() {
        let long = "x".repeat(500) + "\x1b[31m" + &"y".repeat(500);
        let text = SpecError::unexpected(&long, span(1, 500, 505), "it").to_string();
        assert_eq!(text.lines().count(), 3);
        assert!(!text.contains('\x1b'));
    }

    #[test]
    fn invalid_spans_do_not_panic() {
        for (line, start, end) in [(0, 0, 9), (1, 99, 100), (1, 1, 2), (9, 5, 3)] {
            let error = SpecError::unexpected("äöü", span(line, start, end), "it");
            assert!(error.to_string().contains('^'));
        }
    }
}
