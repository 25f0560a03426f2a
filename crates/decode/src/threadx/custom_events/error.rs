//! Errors in a custom event file.

use std::fmt;

/// An invalid custom event file and its mistakes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct CustomEventsError {
    /// The mistakes in line order, at least one, at most
    /// [`Self::MAX_MISTAKES`].
    pub mistakes: Vec<CustomEventMistake>,
    /// Number of further mistakes.
    pub further_mistakes: usize,
}

impl CustomEventsError {
    /// Maximum number of mistakes to keep.
    pub const MAX_MISTAKES: usize = 20;
}

impl fmt::Display for CustomEventsError {
    /// Writes one line per mistake.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for mistake in &self.mistakes {
            write!(f, "{separator}{mistake}")?;
            separator = "\n";
        }
        match self.further_mistakes {
            0 => Ok(()),
            1 => write!(f, "{separator}and one more mistake"),
            more => write!(f, "{separator}and {more} more mistakes"),
        }
    }
}

/// A mistake in a custom event file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct CustomEventMistake {
    /// Counted from 1.
    pub line: usize,
    /// The mistake.
    pub reason: MistakeReason,
}

/// The kind of a mistake.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MistakeReason {
    /// The start of the definitions is missing.
    #[error("no line `Start` before {before}")]
    NoStart {
        /// What comes first instead.
        before: &'static str,
    },
    /// The end of the definitions is missing.
    #[error("no line `End` after the definitions")]
    NoEnd,
    /// The bytes of a line are not UTF-8.
    #[error("not UTF-8 from byte {column} of the line on")]
    NotUtf8 {
        /// Counted from 1.
        column: usize,
    },
    /// A part of a definition is invalid.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// The expected part.
        expected: String,
        /// The part found, in quotes, or a description.
        found: String,
    },
    /// The number belongs to an event of ThreadX or a companion.
    #[error("event {id} is {name}, which cannot be redefined")]
    BuiltIn {
        /// The number.
        id: u32,
        /// The name of the built-in event.
        name: String,
    },
    /// Two definitions have the same number.
    #[error("event {id} is already defined on line {first}")]
    Duplicate {
        /// The number.
        id: u32,
        /// The line of the first definition.
        first: usize,
    },
    /// The text is not TOML, or does not define custom events.
    #[error("{0}")]
    Toml(String),
}

impl MistakeReason {
    /// An unexpected part was found.
    pub(super) fn unexpected(expected: impl Into<String>, found: &str) -> Self {
        Self::Unexpected {
            expected: expected.into(),
            found: quoted(found),
        }
    }
}

/// Quotes a part of the file for a message: short, on one line, printable.
fn quoted(text: &str) -> String {
    const MAX_QUOTED_CHARS: usize = 40;
    if text.is_empty() {
        return "nothing".to_owned();
    }
    let mut shown: String = text
        .chars()
        .take(MAX_QUOTED_CHARS)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().nth(MAX_QUOTED_CHARS).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_short_and_printable() {
        assert_eq!(quoted(""), "nothing");
        assert_eq!(quoted("a\u{1b}b"), "`a\\u{1b}b`");
        assert_eq!(quoted(&"x".repeat(41)), format!("`{}…`", "x".repeat(40)));
    }

    #[test]
    fn every_mistake_has_a_line() {
        let mistake = |line, id| CustomEventMistake {
            line,
            reason: MistakeReason::Duplicate { id, first: 1 },
        };
        let error = CustomEventsError {
            mistakes: vec![mistake(2, 4096), mistake(3, 4097)],
            further_mistakes: 5,
        };
        let expected = "line 2: event 4096 is already defined on line 1\n\
            line 3: event 4097 is already defined on line 1\n\
            and 5 more mistakes";
        assert_eq!(error.to_string(), expected);
    }
}
