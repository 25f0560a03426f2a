//! Custom events in TOML, the form to write by hand.
//!
//! ```toml
//! [[event]]
//! id = 4096
//! name = "frame start"
//! icon = "FS"
//! colour = "#3296c8"
//! second_colour = "#000000"
//! component = "display"
//! arguments = [
//!     { name = "frame", meaning = "count" },
//!     { name = "elapsed", meaning = "ticks", position = 3 },
//! ]
//! marker = { action = "begin", name = "frame" }
//! ```
//!
//! Without `second_colour` the icon has one colour, without `component` the
//! component is `user`. An argument without `position` follows the one before. With
//! `marker`, the events begin or end spans of that name, or are instants (`begin`,
//! `end`, `instant`); the first argument is the value that identifies the span.

use super::DEFAULT_COMPONENT;
use super::definitions::{DefinitionCollector, is_letters, is_name};
use super::error::{CustomEventsError, MistakeReason};
use crate::threadx::catalogue::meaning_from_name;
use rtoscope_trace::catalogue::{
    ArgumentDef, Colour, ExtrasLayout, Icon, MarkerAction, MarkerRole,
};
use rtoscope_trace::{EventKind, EventKindId};
use serde::Deserialize;
use std::borrow::Cow;
use std::ops::Range;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    event: Vec<Event>,
    /// The application's own records in RKH streams.
    #[serde(default, rename = "record")]
    _records: Vec<::toml::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Event {
    id: Spanned<u32>,
    name: Spanned<String>,
    icon: Spanned<String>,
    colour: Spanned<String>,
    second_colour: Option<Spanned<String>>,
    component: Option<Spanned<String>>,
    #[serde(default)]
    arguments: Vec<ArgumentEntry>,
    marker: Option<MarkerEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkerEntry {
    action: Spanned<String>,
    name: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ArgumentEntry {
    name: Spanned<String>,
    meaning: Spanned<String>,
    position: Option<Spanned<usize>>,
}

/// A mistake and its range in the text.
type LocatedMistake = (Range<usize>, MistakeReason);

/// Parses the event kinds that the file defines.
pub(super) fn parse(text: &[u8]) -> Result<Vec<EventKind>, CustomEventsError> {
    let mut definitions = DefinitionCollector::default();
    match std::str::from_utf8(text) {
        Ok(text) => read(text, &mut definitions),
        Err(error) => {
            let valid = error.valid_up_to();
            let before = text.get(..valid).unwrap_or_default();
            let line_start = before.iter().rposition(|byte| *byte == b'\n');
            let column = valid - line_start.map_or(0, |newline| newline + 1) + 1;
            definitions.mistake(
                LineIndex::new(text).line_of(valid),
                MistakeReason::NotUtf8 { column },
            );
        }
    }
    definitions.finish()
}

fn read(text: &str, definitions: &mut DefinitionCollector) {
    let lines = LineIndex::new(text.as_bytes());
    let line = |span: &Range<usize>| lines.line_of(span.start);
    match toml::from_str::<File>(text) {
        Err(error) => {
            let span = error.span().unwrap_or_default();
            let message = error.message().to_owned();
            definitions.mistake(line(&span), MistakeReason::Toml(message));
        }
        Ok(file) => {
            for event in file.event {
                let at = event.id.span();
                match kind(event) {
                    Ok(kind) => definitions.add(line(&at), kind),
                    Err((span, reason)) => definitions.mistake(line(&span), reason),
                }
            }
        }
    }
}

/// The line ends of a text. A lookup takes logarithmic time, so that a file of
/// many events is not searched from its start for each.
struct LineIndex {
    newlines: Vec<usize>,
}

impl LineIndex {
    fn new(text: &[u8]) -> Self {
        Self {
            newlines: memchr::memchr_iter(b'\n', text).collect(),
        }
    }

    /// The number of the line with the byte at `offset`, counted from 1.
    fn line_of(&self, offset: usize) -> usize {
        self.newlines.partition_point(|newline| *newline < offset) + 1
    }
}

fn kind(event: Event) -> Result<EventKind, LocatedMistake> {
    let arguments = arguments(event.arguments)?;
    let marker = event.marker.map(marker).transpose()?;
    let colour = colour(&event.colour)?;
    let second = event
        .second_colour
        .as_ref()
        .map_or(Ok(colour), self::colour)?;
    let letters = checked(event.icon, is_letters, "one to three characters")?;
    let component = match event.component {
        Some(component) => checked(component, is_name, "the name of a component")?,
        None => Cow::Borrowed(DEFAULT_COMPONENT),
    };
    Ok(EventKind {
        id: EventKindId(event.id.into_inner()),
        symbol: Cow::Borrowed(""),
        name: checked(event.name, is_name, "a name")?,
        component,
        internal: false,
        icon: Icon {
            letters,
            colour,
            second_colour: second,
        },
        arguments,
        extras: ExtrasLayout::NONE,
        marker,
    })
}

fn marker(entry: MarkerEntry) -> Result<MarkerRole, LocatedMistake> {
    let text = entry.action.get_ref();
    let action = MarkerAction::ALL.into_iter().find(|it| it.name() == text);
    let unknown = || {
        MistakeReason::unexpected(
            "`begin`, `end`, `instant`, `open`, `change` or `lose`",
            text,
        )
    };
    Ok(MarkerRole {
        action: action.ok_or_else(|| (entry.action.span(), unknown()))?,
        name: Some(checked(entry.name, is_name, "the name of a marker")?),
    })
}

fn arguments(entries: Vec<ArgumentEntry>) -> Result<[Option<ArgumentDef>; 4], LocatedMistake> {
    let mut arguments = [const { None }; 4];
    let mut next = 1;
    for entry in entries {
        let at = entry.name.span();
        let (position, span) = match &entry.position {
            Some(position) => (*position.get_ref(), position.span()),
            None => (next, at),
        };
        let index = position.checked_sub(1);
        let place = index.and_then(|index| arguments.get_mut(index));
        let Some(place @ None) = place else {
            let expected = match place {
                Some(_) => "one argument at each position",
                None => "an argument's position from 1 to 4",
            };
            let found = format!("position {position}");
            return Err((span, MistakeReason::unexpected(expected, &found)));
        };
        let meaning = &entry.meaning;
        let unknown = || MistakeReason::unexpected("the name of a meaning", meaning.get_ref());
        let meaning = meaning_from_name(meaning.get_ref());
        let meaning = meaning.ok_or_else(|| (entry.meaning.span(), unknown()))?;
        let name = checked(entry.name, is_name, "an argument's name")?;
        *place = Some(ArgumentDef { name, meaning });
        next = position + 1;
    }
    Ok(arguments)
}

fn colour(text: &Spanned<String>) -> Result<Colour, LocatedMistake> {
    let wrong = |_| {
        (
            text.span(),
            MistakeReason::unexpected("a colour `#rrggbb`", text.get_ref()),
        )
    };
    text.get_ref().parse().map_err(wrong)
}

/// Checks a text.
fn checked(
    text: Spanned<String>,
    is_right: impl Fn(&str) -> bool,
    expected: &str,
) -> Result<Cow<'static, str>, LocatedMistake> {
    if is_right(text.get_ref()) {
        Ok(text.into_inner().into())
    } else {
        Err((
            text.span(),
            MistakeReason::unexpected(expected, text.get_ref()),
        ))
    }
}

#[cfg(test)]
mod tests;
