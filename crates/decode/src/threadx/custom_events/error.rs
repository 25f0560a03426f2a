//! What can be wrong with a file of custom events.

use std::fmt;

/// A file of custom events that cannot be used, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct CustomEventsError {
    /// The mistakes in the order of their lines, at least one, at most
    /// [`Self::MOST`].
    pub mistakes: Vec<CustomEventMistake>,
    /// How many more there are.
    pub further_mistakes: usize,
}

impl CustomEventsError {
    /// How many mistakes are kept.
    pub const MAX_MISTAKES: usize = 20;
}

impl fmt::Display for CustomEventsError {
    /// A line for each mistake.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for mistake in &self.mistakes {
            write!(f, "{separator}{mistake}")?;
            separator = "\n";
        }
        match self.further_mistakes {
            0 => Ok(()),
            1 => write!(f, "{separator}and one mistake more"),
            more => write!(f, "{separator}and {more} mistakes more"),
        }
    }
}

/// A mistake in a file of custom events.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct CustomEventMistake {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: MistakeReason,
}

/// What is wrong on a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MistakeReason {
    /// The definitions do not begin.
    #[error("no line `Start` before {before}")]
    NoStart {
        /// What was found first.
        before: &'static str,
    },
    /// The definitions do not end.
    #[error("no line `End` after the definitions")]
    NoEnd,
    /// A line's bytes are no text.
    #[error("not UTF-8 from byte {column} of the line on")]
    NotUtf8 {
        /// Counted from 1.
        column: usize,
    },
    /// A part of a definition is not what it must be.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What the part must be.
        expected: String,
        /// What it is, in quotes, or what is there instead.
        found: String,
    },
    /// ThreadX or a companion of it logs events of that number itself.
    #[error("event {id} is {name}, which cannot be redefined")]
    BuiltIn {
        /// The number.
        id: u32,
        /// The name of the built-in event.
        name: String,
    },
    /// Two definitions have one number.
    #[error("event {id} is already defined on line {first}")]
    Duplicate {
        /// The number.
        id: u32,
        /// The line that defines it first.
        first: usize,
    },
    /// The text is not TOML, or not of the form of custom events.
    #[error("{0}")]
    Toml(String),
}

impl MistakeReason {
    /// Something was found where something else had to be.
    pub(super) fn unexpected(expected: impl Into<String>, found: &str) -> Self {
        Self::Unexpected {
            expected: expected.into(),
            found: quoted(found),
        }
    }
}

/// A piece of the file as a message shows it: short, on one line, printable.
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
            and 5 mistakes more";
        assert_eq!(error.to_string(), expected);
    }
}
