//! Records as lines of a sequence.

use super::parser::{KEYWORDS, repeat_count};
use rtoscope_trace::catalogue::{ExtrasLayout, Meaning};
use rtoscope_trace::extras::ItemValue;
use rtoscope_trace::filter::{Quantity, argument_name, is_plain_word, item_meaning, to_hex};
use rtoscope_trace::quoted::Quoted;
use rtoscope_trace::{Address, Event, EventKindId, Name, Object, ObjectClass, Trace};

/// Formats an event as the line of a sequence that expects exactly this event: its
/// kind, and all arguments that the catalogue names.
pub fn record_line(trace: &Trace, event: &Event) -> String {
    let mut line = kind_name(trace, event.kind);
    for (name, value) in argument_values(trace, event) {
        line.push(' ');
        line.push_str(&quote_if_needed(&name));
        line.push('=');
        line.push_str(&value);
    }
    line
}

/// The name of a kind in sequences.
pub(super) fn kind_name(trace: &Trace, id: EventKindId) -> String {
    let known = trace.catalogue.get(id);
    let Some(known) = known.filter(|kind| !kind.name.is_empty()) else {
        return id.to_string();
    };
    let dotted = known.name.replace(' ', ".");
    let is_word = KEYWORDS.contains(&dotted.as_str()) || repeat_count(&dotted).is_some();
    if is_plain(&dotted) && !is_word {
        dotted
    } else {
        quote(known.name.as_bytes())
    }
}

/// The names and values of an event's arguments; the values as in sequences.
pub(super) fn argument_values(trace: &Trace, event: &Event) -> Vec<(String, String)> {
    let Some(kind) = trace.catalogue.get(event.kind) else {
        let columns = (1..).zip(event.arguments);
        return columns
            .map(|(number, value)| (format!("info{number}"), format!("{value:#x}")))
            .collect();
    };
    let words = trace.raw_arguments(kind, event).map(|(argument, word)| {
        let value = format_value(trace, argument.meaning, word);
        (argument_name(&argument.name), value)
    });
    let items =
        (kind.extras == ExtrasLayout::Items).then(|| trace.events.extras().items(event.index));
    let items = items.into_iter().flatten().map(|item| {
        let value = match item.value {
            ItemValue::Signed(number) => number.to_string(),
            ItemValue::Text(text) => format_name(text),
            ItemValue::Memory([]) => quote(b""),
            ItemValue::Memory(block) => to_hex(block),
            ItemValue::Number(number) => {
                format_value(trace, item_meaning(item.item_type), number.into())
            }
        };
        (item.item_type.name().to_owned(), value)
    });
    words.chain(items).collect()
}

/// A value as in sequences.
pub(super) fn format_value(trace: &Trace, meaning: Meaning, value: u64) -> String {
    let object = |class| format_object(trace, value, class);
    match meaning {
        Meaning::Object(class) => object(Some(class)),
        Meaning::AnyObject => object(None),
        Meaning::ContextName => {
            format_name(format!("{:#}", trace.value(meaning, value)).as_bytes())
        }
        Meaning::Text => format_name(trace.events.extras().text(value)),
        Meaning::Named(names) => {
            let mut named = names.values.iter().filter(|(known, _)| *known == value);
            let named = named.next().filter(|_| !names.bits);
            named.map_or_else(|| value.to_string(), |(_, name)| quote_if_needed(name))
        }
        // By the recorded number if the pool has no name.
        Meaning::EventPool => match value.checked_sub(1) {
            None => "static".to_owned(),
            Some(pool) => find_named(trace, pool, Some(ObjectClass::EventPool)).map_or_else(
                || value.to_string(),
                |object| format_name(object.name.as_bytes()),
            ),
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

fn format_object(trace: &Trace, value: u64, class: Option<ObjectClass>) -> String {
    let is_number = class.is_some_and(ObjectClass::is_numbered);
    if value == 0 && !is_number {
        return "none".to_owned();
    }
    match find_named(trace, value, class) {
        Some(object) => format_name(object.name.as_bytes()),
        None if is_number => value.to_string(),
        None => Address(value).to_string(),
    }
}

fn find_named(trace: &Trace, value: u64, class: Option<ObjectClass>) -> Option<&Object> {
    let address = Address(value);
    let object = match class {
        Some(class) => trace.objects.find_as(address, class),
        None => trace.objects.find(address, None),
    };
    object.filter(|object| !object.name.is_empty())
}

/// A name that the target wrote, in quotation marks if needed.
fn format_name(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => quote_if_needed(text),
        Err(_) => quote(bytes),
    }
}

/// A text, in quotation marks if it could be taken for something else.
fn quote_if_needed(text: &str) -> String {
    match is_plain(text) && text != "none" {
        true => text.to_owned(),
        false => quote(text.as_bytes()),
    }
}

/// Whether a text needs no quotation marks: neither a number nor a pattern.
fn is_plain(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let is_number = matches!(Quantity::parse(unsigned), Ok(Quantity::Plain(_)));
    is_plain_word(text) && !is_number
}

fn quote(text: &[u8]) -> String {
    Quoted(&Name::new(text)).to_string()
}
