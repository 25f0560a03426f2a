//! TraceX custom event files, `.trxc` (TraceX user guide, chapter 10).
//!
//! Lines between `Start` and `End`, each
//! `number,name,AB,(r,g,b),(r,g,b),label1,label2,label3,label4`; text before
//! `Start` is a comment. TraceX splits at every comma; here quotation marks may
//! enclose a name or label that contains a comma, with quotation marks inside
//! it doubled.

use super::DEFAULT_COMPONENT;
use super::definitions::{DefinitionCollector, is_letters, is_name};
use super::error::{CustomEventsError, MistakeReason};
use rtoscope_trace::catalogue::{ArgumentDef, Colour, ExtrasLayout, Icon, Meaning};
use rtoscope_trace::{EventKind, EventKindId};
use std::borrow::Cow;

const START_KEYWORD: &[u8] = b"Start";
const END_KEYWORD: &[u8] = b"End";

/// Whether the text appears to be a TraceX custom event file.
pub(super) fn is_trxc(text: &[u8]) -> bool {
    lines(text).any(|(_, line)| line == START_KEYWORD || line == END_KEYWORD)
}

/// Parses the event kinds that the file defines.
pub(super) fn parse(text: &[u8]) -> Result<Vec<EventKind>, CustomEventsError> {
    let mut definitions = DefinitionCollector::default();
    let mut started = false;
    let mut early_end = None;
    let mut last = 1;
    for (number, line) in lines(text) {
        last = number;
        match line {
            START_KEYWORD if !started => started = true,
            END_KEYWORD if started => return definitions.finish(),
            // Still a comment if `Start` follows.
            END_KEYWORD => early_end = early_end.or(Some(number)),
            line if !started || line.is_empty() => {}
            line => match definition(line) {
                Ok(kind) => definitions.add(number, kind),
                Err(reason) => definitions.mistake(number, reason),
            },
        }
    }
    let (line, missing) = match early_end {
        _ if started => (last, MistakeReason::NoEnd),
        Some(line) => (line, MistakeReason::NoStart { before: "`End`" }),
        None => {
            let before = "the end of the file";
            (last, MistakeReason::NoStart { before })
        }
    };
    definitions.mistake(line, missing);
    definitions.finish()
}

/// The lines with their numbers, without trailing white space.
fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let lines = text.split(|byte| *byte == b'\n');
    (1..).zip(lines.map(<[u8]>::trim_ascii_end))
}

fn definition(line: &[u8]) -> Result<EventKind, MistakeReason> {
    let text = std::str::from_utf8(line).map_err(|error| MistakeReason::NotUtf8 {
        column: error.valid_up_to() + 1,
    })?;
    let mut rest = LineCursor(text);
    let number = rest.field("a number")?;
    let id = event_number(&number).ok_or_else(|| {
        MistakeReason::unexpected("a number, decimal or 0x and hexadecimal", &number)
    })?;
    rest.comma("a comma and a name after the number")?;
    let name = rest.field("a name")?;
    if !is_name(&name) {
        return Err(MistakeReason::unexpected("a name", &name));
    }
    rest.comma("a comma and an abbreviation after the name")?;
    let letters = rest.field("an abbreviation")?;
    if !is_letters(&letters) {
        let expected = "an abbreviation of one to three characters";
        return Err(MistakeReason::unexpected(expected, &letters));
    }
    rest.comma("a comma and a colour after the abbreviation")?;
    let colour = rest.colour()?;
    rest.comma("a comma and a second colour after the first")?;
    let second = rest.colour()?;
    let mut arguments = [const { None }; 4];
    for place in &mut arguments {
        rest.comma("a comma and four labels after the colours")?;
        let label = rest.field("a label")?;
        if !is_name(&label) {
            return Err(MistakeReason::unexpected("a label", &label));
        }
        *place = Some(ArgumentDef {
            name: label.into_owned().into(),
            // TraceX shows every value in hexadecimal.
            meaning: Meaning::Hex,
        });
    }
    rest.end()?;
    Ok(EventKind {
        id: EventKindId(id),
        symbol: Cow::Borrowed(""),
        name: name.into_owned().into(),
        component: DEFAULT_COMPONENT.into(),
        internal: false,
        icon: Icon {
            letters: letters.into_owned().into(),
            colour,
            second_colour: second,
        },
        arguments,
        extras: ExtrasLayout::NONE,
        marker: None,
    })
}

/// Parses a number: decimal digits, or `0x` and hexadecimal ones.
fn event_number(text: &str) -> Option<u32> {
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix) = match hexadecimal {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    // `from_str_radix` accepts a sign as well.
    let plain = digits.chars().all(|digit| digit.is_digit(radix));
    u32::from_str_radix(digits, radix).ok().filter(|_| plain)
}

/// The rest of a line.
struct LineCursor<'a>(&'a str);

impl<'a> LineCursor<'a> {
    /// Parses the text up to the next comma, or a quoted text.
    fn field(&mut self, expected: &str) -> Result<Cow<'a, str>, MistakeReason> {
        self.skip_blanks();
        if let Some(quoted) = self.0.strip_prefix('"') {
            return self.quoted(quoted, expected);
        }
        let end = self.0.find(',').unwrap_or(self.0.len());
        let (field, rest) = self.0.split_at(end);
        self.0 = rest;
        Ok(Cow::Borrowed(field.trim_end()))
    }

    /// Parses the text up to the closing quotation mark.
    fn quoted(&mut self, mut rest: &'a str, expected: &str) -> Result<Cow<'a, str>, MistakeReason> {
        let mut field = String::new();
        loop {
            let Some((piece, after)) = rest.split_once('"') else {
                let expected = format!("{expected} with a closing quotation mark");
                return Err(MistakeReason::unexpected(expected, self.0));
            };
            field.push_str(piece);
            match after.strip_prefix('"') {
                Some(after) => {
                    field.push('"');
                    rest = after;
                }
                None => {
                    self.0 = after;
                    self.skip_blanks();
                    return Ok(Cow::Owned(field));
                }
            }
        }
    }

    /// Parses `(red,green,blue)`.
    fn colour(&mut self) -> Result<Colour, MistakeReason> {
        self.skip_blanks();
        let expected =
            || MistakeReason::unexpected("a colour `(red,green,blue)`, each 0 to 255", self.0);
        let inner = self.0.strip_prefix('(').ok_or_else(expected)?;
        let (inner, rest) = inner.split_once(')').ok_or_else(expected)?;
        let mut parts = inner.split(',').map(str::trim);
        let mut part = || {
            let part = parts.next().and_then(event_number);
            part.and_then(|part| u8::try_from(part).ok())
        };
        let colour = (part(), part(), part());
        let (Some(red), Some(green), Some(blue)) = colour else {
            return Err(expected());
        };
        if parts.next().is_some() {
            return Err(expected());
        }
        self.0 = rest;
        Ok(Colour([red, green, blue]))
    }

    fn comma(&mut self, expected: &str) -> Result<(), MistakeReason> {
        self.skip_blanks();
        let rest = self.0.strip_prefix(',');
        self.0 = rest.ok_or_else(|| MistakeReason::unexpected(expected, self.0))?;
        Ok(())
    }

    fn end(&mut self) -> Result<(), MistakeReason> {
        self.skip_blanks();
        if self.0.is_empty() {
            return Ok(());
        }
        let expected =
            "the end of the line after four labels (one with a comma needs quotation marks)";
        Err(MistakeReason::unexpected(expected, self.0))
    }

    fn skip_blanks(&mut self) {
        self.0 = self.0.trim_start();
    }
}

#[cfg(test)]
mod tests;
