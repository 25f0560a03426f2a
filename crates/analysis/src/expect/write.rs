//! Records as lines of a spec.

use super::names::{argument_name, quoted};
use super::parser::{KEYWORDS, count};
use super::pattern::in_hexadecimal;
use rtoscope_trace::catalogue::{Meaning, More};
use rtoscope_trace::extras::{Form, ItemValue};
use rtoscope_trace::filter::Quantity;
use rtoscope_trace::{Address, Event, KindId, Object, ObjectClass, Trace};

/// An event as the line of a spec that expects just this: its kind, and all
/// arguments that the catalogue names.
pub fn line(trace: &Trace, event: &Event) -> String {
    let mut line = kind(trace, event.kind);
    for (name, value) in arguments(trace, event) {
        line.push(' ');
        line.push_str(&written(&name));
        line.push('=');
        line.push_str(&value);
    }
    line
}

/// A kind of event as specs name it.
pub(super) fn kind(trace: &Trace, id: KindId) -> String {
    let known = trace.catalogue.get(id);
    let Some(known) = known.filter(|kind| !kind.name.is_empty()) else {
        return id.to_string();
    };
    let dotted = known.name.replace(' ', ".");
    let is_word = KEYWORDS.contains(&dotted.as_str()) || count(&dotted).is_some();
    if is_plain(&dotted) && !is_word {
        dotted
    } else {
        quoted(known.name.as_bytes())
    }
}

/// The names and values of an event's arguments; the values as specs name them.
pub(super) fn arguments(trace: &Trace, event: &Event) -> Vec<(String, String)> {
    let Some(kind) = trace.catalogue.get(event.kind) else {
        let columns = (1..).zip(event.arguments);
        return columns
            .map(|(number, value)| (format!("info{number}"), format!("{value:#x}")))
            .collect();
    };
    let words = trace.words(kind, event).map(|(argument, word)| {
        let value = value(trace, argument.meaning, word);
        (argument_name(&argument.name), value)
    });
    let items = (kind.more == More::Items).then(|| trace.events.extras.items(event.index));
    let items = items.into_iter().flatten().map(|item| {
        let value = match item.value {
            ItemValue::Signed(number) => number.to_string(),
            ItemValue::Text(text) => name(text),
            ItemValue::Memory([]) => quoted(b""),
            ItemValue::Memory(block) => in_hexadecimal(block),
            ItemValue::Number(number) => {
                let meaning = match item.form {
                    Form::Object => Meaning::AnyObject,
                    Form::Function => Meaning::Object(ObjectClass::Function),
                    Form::Signal => Meaning::Object(ObjectClass::Signal),
                    Form::X32 => Meaning::Hex,
                    _ => Meaning::Number,
                };
                value(trace, meaning, number.into())
            }
        };
        (item.form.name().to_owned(), value)
    });
    words.chain(items).collect()
}

/// A value as specs name it.
pub(super) fn value(trace: &Trace, meaning: Meaning, value: u64) -> String {
    let object = |class| object(trace, value, class);
    match meaning {
        Meaning::Object(class) => object(Some(class)),
        Meaning::AnyObject => object(None),
        Meaning::Text => name(trace.events.extras.text(value)),
        Meaning::Named(names) => {
            let mut named = names.values.iter().filter(|(known, _)| *known == value);
            let named = named.next().filter(|_| !names.bits);
            named.map_or_else(|| value.to_string(), |(_, name)| written(name))
        }
        // By the number that is recorded where the pool has no name.
        Meaning::PoolOfEvent => match value.checked_sub(1) {
            None => "static".to_owned(),
            Some(pool) => named(trace, pool, Some(ObjectClass::EventPool))
                .map_or_else(|| value.to_string(), |object| name(object.name.as_bytes())),
        },
        Meaning::Address
        | Meaning::Code
        | Meaning::StackPointer
        | Meaning::Flags
        | Meaning::Ipv4
        | Meaning::Hex => format!("{value:#x}"),
        Meaning::Count
        | Meaning::Bytes
        | Meaning::Ticks
        | Meaning::Priority
        | Meaning::IsrNumber
        | Meaning::SystemState
        | Meaning::Port
        | Meaning::Number
        | Meaning::Signed => value.to_string(),
    }
}

fn object(trace: &Trace, value: u64, class: Option<ObjectClass>) -> String {
    let is_number = class.is_some_and(ObjectClass::is_numbered);
    if value == 0 && !is_number {
        return "none".to_owned();
    }
    match named(trace, value, class) {
        Some(object) => name(object.name.as_bytes()),
        None if is_number => value.to_string(),
        None => Address(value).to_string(),
    }
}

fn named(trace: &Trace, value: u64, class: Option<ObjectClass>) -> Option<&Object> {
    let address = Address(value);
    let object = match class {
        Some(class) => trace.objects.find_as(address, class),
        None => trace.objects.find(address, None),
    };
    object.filter(|object| !object.name.is_empty())
}

/// A name that the target wrote: in quotation marks where that is needed.
fn name(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => written(text),
        Err(_) => quoted(bytes),
    }
}

/// A text, in quotation marks where it would be taken for something else.
fn written(text: &str) -> String {
    match is_plain(text) && text != "none" {
        true => text.to_owned(),
        false => quoted(text.as_bytes()),
    }
}

/// Whether a text can stand for itself: neither a number nor a pattern.
fn is_plain(text: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || "_-.&:>()[],+/".contains(letter);
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let is_number = matches!(Quantity::read(unsigned), Ok(Quantity::Plain(_)));
    let dots = text.bytes().all(|byte| byte == b'.');
    !dots && !is_number && text.chars().all(plain)
}
