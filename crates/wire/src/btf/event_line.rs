//! Lines with events.

use super::trim;
use core::{fmt, str};

/// An event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventLine<'a> {
    /// Its time, in units of the header.
    pub time: u64,
    /// The name of what causes it.
    pub source: &'a [u8],
    /// The instance of the source; `None` if there is no number.
    pub source_instance: Option<u64>,
    /// The type of the target, such as `T` for a task.
    pub target_type: &'a [u8],
    /// The name of what it happens to.
    pub target: &'a [u8],
    /// The instance of the target; `None` if there is no number.
    pub target_instance: Option<u64>,
    /// What happens.
    pub event: &'a [u8],
    /// Further text; empty if there is none.
    pub note: &'a [u8],
}

/// Why a line is no event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventLineError {
    /// It has fewer fields than an event.
    TooFewFields {
        /// Their number.
        fields: usize,
    },
    /// The first field is no time.
    NoTime,
    /// A field that every event has is empty.
    EmptyField {
        /// What it contains.
        field: &'static str,
    },
}

crate::error_messages::messages! {
    EventLineError {
        TooFewFields { fields } => "it has {fields} of the 7 fields of an event",
        NoTime => "its first field is no time: a number without a sign, below 2^64",
        EmptyField { field } => "its {field} is empty",
    }
}

/// Number of fields of an event without a note.
const FIELDS: usize = 7;

impl<'a> EventLine<'a> {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// If it is no event.
    pub fn read(text: &'a [u8]) -> Result<Self, EventLineError> {
        let mut parts = text.splitn(FIELDS + 1, |byte| *byte == b',');
        let mut fields = [&text[..0]; FIELDS];
        for (found, field) in fields.iter_mut().enumerate() {
            let part = parts.next();
            *field = trim(part.ok_or(EventLineError::TooFewFields { fields: found })?);
        }
        let [
            time,
            source,
            source_instance,
            target_type,
            target,
            target_instance,
            event,
        ] = fields;
        for (text, field) in [(target_type, "type"), (target, "target"), (event, "event")] {
            if text.is_empty() {
                return Err(EventLineError::EmptyField { field });
            }
        }
        Ok(Self {
            time: number(time).ok_or(EventLineError::NoTime)?,
            source,
            source_instance: number(source_instance),
            target_type,
            target,
            target_instance: number(target_instance),
            event,
            note: trim(parts.next().unwrap_or_default()),
        })
    }
}

/// Writes the line, without its end. Fields must not contain commas or line ends.
impl fmt::Display for EventLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},", self.time, Text(self.source))?;
        write_instance(f, self.source_instance)?;
        write!(f, ",{},{},", Text(self.target_type), Text(self.target))?;
        write_instance(f, self.target_instance)?;
        write!(f, ",{}", Text(self.event))?;
        if !self.note.is_empty() {
            write!(f, ",{}", Text(self.note))?;
        }
        Ok(())
    }
}

fn write_instance(f: &mut fmt::Formatter<'_>, instance: Option<u64>) -> fmt::Result {
    instance.map_or(Ok(()), |instance| write!(f, "{instance}"))
}

struct Text<'a>(&'a [u8]);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        loop {
            let error = match str::from_utf8(rest) {
                Ok(text) => return f.write_str(text),
                Err(error) => error,
            };
            let (valid, after) = rest.split_at(error.valid_up_to());
            f.write_str(str::from_utf8(valid).unwrap_or_default())?;
            f.write_str("\u{FFFD}")?;
            rest = after
                .get(error.error_len().unwrap_or(after.len())..)
                .unwrap_or_default();
        }
    }
}

fn number(digits: &[u8]) -> Option<u64> {
    let add = |number: u64, digit: &u8| {
        let digit = digit.is_ascii_digit().then(|| u64::from(digit - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    };
    (!digits.is_empty())
        .then(|| digits.iter().try_fold(0, add))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::string::{String, ToString};

    #[test]
    fn fields_are_read() {
        let line = EventLine::read(b"1014005,Core_0,0,T,[0/1]Runner,,preempt,a, b,c").unwrap();
        let expected = EventLine {
            time: 1_014_005,
            source: b"Core_0",
            source_instance: Some(0),
            target_type: b"T",
            target: b"[0/1]Runner",
            target_instance: None,
            event: b"preempt",
            note: b"a, b,c",
        };
        assert_eq!(line, expected);
        // Schedulers had the instance -1.
        let line = EventLine::read(b"5,OS,-1,SCHED,OS,-1,schedule,").unwrap();
        assert_eq!((line.source_instance, line.note), (None, &b""[..]));
    }

    #[test]
    fn other_lines_are_errors() {
        let error = |line: &'static [u8]| EventLine::read(line).unwrap_err();
        let few = error(b"1,a,0,T,b,0");
        assert_eq!(few, EventLineError::TooFewFields { fields: 6 });
        for line in [
            &b"-1,a,0,T,b,0,start"[..],
            b"1.5,a,0,T,b,0,start",
            b"18446744073709551616,a,0,T,b,0,start",
            b",a,0,T,b,0,start",
        ] {
            assert_eq!(error(line), EventLineError::NoTime);
        }
        let empty = error(b"1,a,0,T,,0,start");
        assert_eq!(empty, EventLineError::EmptyField { field: "target" });
        assert_eq!(empty.to_string(), "its target is empty");
    }

    proptest! {
        #[test]
        fn written_lines_are_read(
            time: u64,
            names in prop::array::uniform4("[!-+\\--~é]{1,12}"),
            source_instance: Option<u64>,
            target_instance: Option<u64>,
            note in "[!-~]{0,20}",
        ) {
            let [source, target_type, target, event] = names.each_ref().map(String::as_bytes);
            let line = EventLine {
                time,
                source,
                source_instance,
                target_type,
                target,
                target_instance,
                event,
                note: note.as_bytes(),
            };
            let text = line.to_string();
            prop_assert_eq!(EventLine::read(text.as_bytes()), Ok(line));
        }
    }
}
