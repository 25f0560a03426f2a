//! Description files: the events of an operating system, one per line.
//!
//! ```text
//! # comment
//! <id>  <name>  <argument>=%<format> …  [| Returns %<format>]
//! ```
//!
//! The text of a module has the same items, with ids relative to the module's first event. Other
//! lines, and words without a format, only matter for display.

use super::catalogue::{CALL_END, CALL_RETURN};
use rtoscope_trace::catalogue::{ArgumentDef, Colour, ExtrasLayout, Icon, Meaning};
use rtoscope_trace::{EventKind, EventKindId, ObjectClass};
use rtoscope_wire::systemview::MAX_ID;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// The calls of FreeRTOS.
static FREERTOS: LazyLock<Arc<Descriptions>> =
    LazyLock::new(|| Arc::new(Descriptions::parse(include_str!("freertos.txt"))));

/// The events of an operating system, by id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Descriptions(BTreeMap<u32, EventDescription>);

/// The description of an event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct EventDescription {
    pub(crate) name: String,
    pub(crate) arguments: Vec<(String, ValueFormat)>,
    /// The result of a call.
    pub(crate) result: Option<ValueFormat>,
}

/// What an argument is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueFormat {
    Unsigned,
    Signed,
    Hex,
    Text,
    /// The shortened id of a task.
    Task,
    /// The shortened address of an object.
    Resource,
}

impl Descriptions {
    /// The built-in descriptions of an operating system, by its name in a recording.
    pub(super) fn of_system(name: &str) -> Option<Arc<Self>> {
        name.starts_with("FreeRTOS").then(|| Arc::clone(&FREERTOS))
    }

    /// Parses a file. Lines that describe no event are skipped.
    pub fn parse(text: &str) -> Self {
        let events = text.lines().filter_map(|line| {
            let (id, rest) = split_word(line)?;
            let id = id.parse().ok().filter(|id| *id <= MAX_ID)?;
            Some((id, EventDescription::parse(rest)?))
        });
        Self(events.collect())
    }

    /// Whether no line describes an event.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get(&self, id: u32) -> Option<&EventDescription> {
        self.0.get(&id)
    }

    /// The events with their ids, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &EventDescription)> {
        self.0.iter().map(|(id, event)| (*id, event))
    }

    /// The kinds of the events, and of the ends of calls.
    pub(super) fn kinds(&self, component: &str) -> impl Iterator<Item = EventKind> {
        self.0.iter().flat_map(|(id, event)| {
            let ends = [
                event.end_kind(*id, component),
                event.return_kind(*id, component),
            ];
            [event.kind(*id, component, 0)].into_iter().chain(ends)
        })
    }
}

fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (!word.is_empty()).then_some((word, rest))
}

impl EventDescription {
    /// Parses what follows the id; `None` without a name.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (call, result) = text.split_once('|').unwrap_or((text, ""));
        let (name, arguments) = split_word(call)?;
        let words = arguments.split([' ', '\t', ',', ';', '(', ')']);
        let arguments = words.filter_map(|word| {
            let (name, format) = word.split_once('=')?;
            Some((name.to_owned(), ValueFormat::parse(format)?))
        });
        Some(Self {
            name: name.to_owned(),
            arguments: arguments.collect(),
            result: result.split_whitespace().find_map(ValueFormat::parse),
        })
    }

    /// Whether an argument is a text.
    pub(crate) fn has_text(&self) -> bool {
        self.arguments
            .iter()
            .any(|(_, format)| *format == ValueFormat::Text)
    }

    /// The kind of the event, with at least `arguments` arguments.
    pub(crate) fn kind(&self, id: u32, component: &str, arguments: usize) -> EventKind {
        let described = self.arguments.iter();
        let described = described.map(|(name, format)| argument(name.clone(), *format));
        let others = (self.arguments.len()..arguments)
            .map(|number| argument(format!("argument {}", number + 1), ValueFormat::Unsigned));
        event_kind(id, self.name.clone(), component, described.chain(others))
    }

    fn end_kind(&self, id: u32, component: &str) -> EventKind {
        event_kind(CALL_END + id, format!("{} end", self.name), component, None)
    }

    fn return_kind(&self, id: u32, component: &str) -> EventKind {
        let result = self.result.unwrap_or(ValueFormat::Unsigned);
        let name = format!("{} end", self.name);
        event_kind(
            CALL_RETURN + id,
            name,
            component,
            [argument("result".to_owned(), result)],
        )
    }
}

/// A kind for each event of an id without a description.
pub(super) fn undescribed_kinds(id: u32, arguments: usize) -> [EventKind; 3] {
    let (name, component) = match id {
        1024..=2047 => (format!("user event {id}"), "user"),
        _ => (format!("event {id}"), "unknown"),
    };
    let event = EventDescription {
        name,
        ..EventDescription::default()
    };
    [
        event.kind(id, component, arguments),
        event.end_kind(id, component),
        event.return_kind(id, component),
    ]
}

fn argument(name: String, format: ValueFormat) -> ArgumentDef {
    ArgumentDef {
        name: name.into(),
        meaning: format.meaning(),
    }
}

pub(crate) fn event_kind(
    id: u32,
    name: String,
    component: &str,
    arguments: impl IntoIterator<Item = ArgumentDef>,
) -> EventKind {
    let mut all = arguments.into_iter().map(Some);
    let first = std::array::from_fn(|_| all.next().flatten());
    let more: Vec<_> = all.collect();
    EventKind {
        id: EventKindId(id),
        symbol: "".into(),
        icon: icon(&name),
        name: name.into(),
        component: component.to_owned().into(),
        internal: false,
        arguments: first,
        extras: match more.is_empty() {
            true => ExtrasLayout::NONE,
            false => ExtrasLayout::Arguments(Cow::Owned(more)),
        },
        marker: None,
    }
}

/// An icon with the initials of the words in a name such as `xQueueReceive`.
fn icon(name: &str) -> Icon {
    let capitals = name.chars().filter(char::is_ascii_uppercase).take(3);
    let mut letters: String = capitals.collect();
    if letters.is_empty() {
        letters = name.chars().take(2).collect();
    }
    let hash = name.bytes().fold(0x811C_9DC5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    let [_, colour @ ..] = (hash | 0x40_4040).to_be_bytes();
    Icon {
        letters: letters.into(),
        colour: Colour(colour),
        second_colour: Colour([0x5A, 0x5F, 0x6B]),
    }
}

impl ValueFormat {
    /// Parses `%u`; text after the format is a unit. `None` for anything else.
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches('"');
        let format = text.strip_prefix('%')?;
        Some(match format.chars().next()? {
            'd' | 'i' => Self::Signed,
            'x' | 'X' | 'p' => Self::Hex,
            's' => Self::Text,
            't' | 'T' if format.len() == 1 => Self::Task,
            'I' if format.len() == 1 => Self::Resource,
            // The name of a type, or `u`.
            _ => Self::Unsigned,
        })
    }

    const fn meaning(self) -> Meaning {
        match self {
            Self::Unsigned => Meaning::Number,
            Self::Signed => Meaning::Signed,
            Self::Hex => Meaning::Hex,
            Self::Text => Meaning::Text,
            Self::Task => Meaning::Object(ObjectClass::Thread),
            Self::Resource => Meaning::AnyObject,
        }
    }
}

/// Whether values of a meaning are shortened ids of objects, which stand for addresses.
pub(super) const fn is_shortened(meaning: Meaning) -> bool {
    match meaning {
        Meaning::Object(ObjectClass::Marker) => false,
        Meaning::Object(_) | Meaning::AnyObject => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_events() {
        let text = "# comment\nOption ReversePriority\n\
            39 k_mutex_lock  mutex=%I, Timeout=%u us | Returns %ErrCodePosix\n\
            162 syscall name=%s\n7000000 far x=%u";
        let descriptions = Descriptions::parse(text);
        assert_eq!(descriptions.0.len(), 2);
        let lock = descriptions.get(39).unwrap();
        assert_eq!(lock.name, "k_mutex_lock");
        let arguments = [
            ("mutex", ValueFormat::Resource),
            ("Timeout", ValueFormat::Unsigned),
        ];
        let parsed = lock
            .arguments
            .iter()
            .map(|(name, format)| (&**name, *format));
        assert!(parsed.eq(arguments));
        assert_eq!(lock.result, Some(ValueFormat::Unsigned));
        assert_eq!(
            descriptions.get(162).unwrap().arguments[0].1,
            ValueFormat::Text
        );
    }

    #[test]
    fn the_calls_of_freertos_are_described() {
        let freertos = Descriptions::of_system("FreeRTOS").unwrap();
        assert_eq!(freertos.0.len(), 112 + 182);
        let receive = freertos.get(164).unwrap();
        assert_eq!(receive.name, "xQueueReceive");
        let kind = receive.kind(164, "FreeRTOS", 0);
        let names = kind.arguments.iter().flatten().map(|it| &*it.name);
        assert!(names.eq(["xQueue", "pvBuffer", "xTicksToWait"]));
        // More than four arguments.
        let create = freertos.get(194).unwrap().kind(194, "FreeRTOS", 0);
        assert_eq!(create.all_arguments().flatten().count(), 6);
        assert_eq!(Descriptions::of_system("embOS"), None);
    }
}
