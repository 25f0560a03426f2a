//! Best Trace Format (BTF), the text format of timing tools of the automotive industry: one line
//! an event.
//!
//! ```text
//! #timeScale ns
//! # a comment
//! <time>,<source>,<instance>,<type>,<target>,<instance>,<event>[,<note>]
//! ```
//!
//! The time counts in the [unit](TimeScale) of the header. An instance is the number of an
//! activation of a task or an interrupt service routine. Only the target has a type.

mod event_line;

pub use event_line::{EventLine, EventLineError};

/// A line, without the characters that end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BtfLine<'a> {
    /// Only blanks.
    Empty,
    /// Text for people, or a row of a table of the header.
    Comment,
    /// A parameter of the header.
    Parameter {
        /// Its name, without the `#`.
        key: &'a [u8],
        /// The text after it.
        value: &'a [u8],
    },
    /// An event.
    Event(EventLine<'a>),
}

impl<'a> BtfLine<'a> {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// If it is neither empty, nor a comment, nor an event.
    pub fn read(text: &'a [u8]) -> Result<Self, EventLineError> {
        let rest = match trim(text) {
            [] => return Ok(Self::Empty),
            [b'#', rest @ ..] => rest,
            text => return EventLine::read(text).map(Self::Event),
        };
        let end = rest.iter().position(u8::is_ascii_whitespace);
        let (key, value) = rest.split_at(end.unwrap_or(rest.len()));
        Ok(match key {
            [first, ..] if first.is_ascii_alphabetic() => Self::Parameter {
                key,
                value: trim(value),
            },
            _ => Self::Comment,
        })
    }
}

/// The text without blanks around it.
fn trim(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text {
        if !first.is_ascii_whitespace() {
            break;
        }
        text = rest;
    }
    while let [rest @ .., last] = text {
        if !last.is_ascii_whitespace() {
            break;
        }
        text = rest;
    }
    text
}

/// The unit of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeScale {
    /// Picoseconds.
    Picoseconds,
    /// Nanoseconds.
    Nanoseconds,
    /// Microseconds.
    Microseconds,
    /// Milliseconds.
    Milliseconds,
    /// Seconds.
    Seconds,
}

impl TimeScale {
    /// The header's parameter.
    pub const KEY: &'static str = "timeScale";

    /// All, the finest first.
    pub const ALL: [Self; 5] = [
        Self::Picoseconds,
        Self::Nanoseconds,
        Self::Microseconds,
        Self::Milliseconds,
        Self::Seconds,
    ];

    /// The unit with that name, in upper or lower case.
    pub fn from_name(name: &[u8]) -> Option<Self> {
        let has_name = |unit: &Self| unit.name().as_bytes().eq_ignore_ascii_case(name);
        Self::ALL.into_iter().find(has_name)
    }

    /// The name in the header.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Picoseconds => "ps",
            Self::Nanoseconds => "ns",
            Self::Microseconds => "us",
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
        }
    }

    /// The number of units per second.
    pub const fn per_second(self) -> u64 {
        match self {
            Self::Picoseconds => 1_000_000_000_000,
            Self::Nanoseconds => 1_000_000_000,
            Self::Microseconds => 1_000_000,
            Self::Milliseconds => 1_000,
            Self::Seconds => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_has_parameters_and_comments() {
        let parameter = |line| match BtfLine::read(line) {
            Ok(BtfLine::Parameter { key, value }) => Some((key, value)),
            _ => None,
        };
        let scale = parameter(b"#timeScale ns\r").unwrap();
        assert_eq!(scale, (&b"timeScale"[..], &b"ns"[..]));
        let table = parameter(b"#entityTable").unwrap();
        assert_eq!(table, (&b"entityTable"[..], &b""[..]));
        for comment in [&b"# text"[..], b"#-1 Core_0", b"#"] {
            assert_eq!(BtfLine::read(comment), Ok(BtfLine::Comment));
        }
        assert_eq!(BtfLine::read(b" \r"), Ok(BtfLine::Empty));
    }

    #[test]
    fn units_have_names() {
        for unit in TimeScale::ALL {
            assert_eq!(TimeScale::from_name(unit.name().as_bytes()), Some(unit));
        }
        assert_eq!(TimeScale::from_name(b"NS"), Some(TimeScale::Nanoseconds));
        assert_eq!(TimeScale::from_name(b"h"), None);
    }
}
