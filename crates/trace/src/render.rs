//! Display forms of argument values.

use crate::catalogue::{ArgumentDef, ExtrasLayout, Meaning, NamedValues, UnnamedFormat};
use crate::extras::{ItemType, ItemValue, TypedItem};
use crate::{Address, Event, EventKind, Name, ObjectClass, Trace};
use std::net::Ipv4Addr;
use std::{fmt, iter};

/// How [`Meaning::ContextName`] of the idle loop is displayed if it has no name.
pub const IDLE_NAME: &str = "idle";

/// An argument's value with its meaning, for display: objects by name, states
/// and options by the kernel's names, addresses in hexadecimal, amounts in
/// decimal.
#[derive(Clone, Copy)]
pub struct RenderedValue<'a> {
    trace: &'a Trace,
    content: ValueContent<'a>,
}

#[derive(Clone, Copy)]
enum ValueContent<'a> {
    Word(Meaning, u64),
    Item(TypedItem<'a>),
}

impl Trace {
    /// A value with its meaning, for display.
    pub fn value(&self, meaning: Meaning, value: u64) -> RenderedValue<'_> {
        RenderedValue {
            trace: self,
            content: ValueContent::Word(meaning, value),
        }
    }

    /// A self-describing item, for display.
    pub fn item<'a>(&'a self, item: TypedItem<'a>) -> RenderedValue<'a> {
        RenderedValue {
            trace: self,
            content: ValueContent::Item(item),
        }
    }

    /// The named arguments of an event's kind: name and value for display; then
    /// the self-describing items. A kind outside the catalogue has none.
    pub fn arguments<'a>(
        &'a self,
        kind: &'a EventKind,
        event: &Event,
    ) -> impl Iterator<Item = (&'a str, RenderedValue<'a>)> {
        let items =
            (kind.extras == ExtrasLayout::Items).then(|| self.events.extras().items(event.index));
        let items = items.into_iter().flatten();
        let items = items.map(move |item| (item.item_type.name(), self.item(item)));
        let words = self.raw_arguments(kind, event);
        let words = words.map(move |(argument, value)| {
            let shown = self.value(argument.meaning, value);
            (argument.name.as_ref(), shown)
        });
        words.chain(items)
    }

    /// The named arguments of an event's kind with their recorded values,
    /// without self-describing items.
    pub fn raw_arguments<'a>(
        &'a self,
        kind: &'a EventKind,
        event: &Event,
    ) -> impl Iterator<Item = (&'a ArgumentDef, u64)> {
        let more = self.events.extras().words(event.index).iter();
        let more = more.copied().map(u64::from);
        let named = kind
            .all_arguments()
            .zip(event.arguments.into_iter().chain(more));
        named.filter_map(|(argument, value)| Some((argument?, value)))
    }

    /// An event's arguments as one line, `name=value` each; for a kind outside
    /// the catalogue as hexadecimal words.
    pub fn arguments_line<'a>(&'a self, event: &'a Event) -> ArgumentsLine<'a> {
        ArgumentsLine { trace: self, event }
    }
}

/// See [`Trace::arguments_line`].
pub struct ArgumentsLine<'a> {
    trace: &'a Trace,
    event: &'a Event,
}

impl fmt::Display for ArgumentsLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let Some(kind) = self.trace.catalogue.get(self.event.kind) else {
            for (position, value) in (1..).zip(self.event.arguments) {
                write!(f, "{separator}{}", UnknownArgument { position, value })?;
                separator = " ";
            }
            return Ok(());
        };
        for (name, value) in self.trace.arguments(kind, self.event) {
            write!(f, "{separator}{}{value}", ArgumentLabel(name))?;
            separator = " ";
        }
        Ok(())
    }
}

/// The name of an argument before its value in [`Trace::arguments_line`].
pub struct ArgumentLabel<'a>(pub &'a str);

impl fmt::Display for ArgumentLabel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for word in self.0.split(' ') {
            f.write_str(separator)?;
            f.write_str(word)?;
            separator = "_";
        }
        f.write_str("=")
    }
}

/// An argument of a kind outside the catalogue in [`Trace::arguments_line`].
pub struct UnknownArgument {
    /// Its position, from 1.
    pub position: u8,
    /// Its value.
    pub value: u64,
}

impl fmt::Display for UnknownArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "info{}={:#x}", self.position, self.value)
    }
}

impl fmt::Display for RenderedValue<'_> {
    /// Names of objects are in quotation marks, except in the alternate form
    /// (`{:#}`), for values that stand alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (meaning, value) = match self.content {
            ValueContent::Word(meaning, value) => (meaning, value),
            ValueContent::Item(item) => return self.write_item(f, &item),
        };
        match meaning {
            Meaning::Object(class) => self.write_object(f, value, Some(class)),
            Meaning::AnyObject => self.write_object(f, value, None),
            Meaning::ContextName if value == 0 => f.write_str(IDLE_NAME),
            Meaning::ContextName => self.write_object(f, value, Some(ObjectClass::Thread)),
            Meaning::EventPool => match value.checked_sub(1) {
                None => f.write_str("static"),
                Some(pool) => self.write_object(f, pool, Some(ObjectClass::EventPool)),
            },
            Meaning::Code => self.trace.code_locations.display(Address(value)).fmt(f),
            Meaning::Text => self.write_text(f, self.trace.events.extras().text(value)),
            Meaning::Named(names) => write_named(f, names, value),
            Meaning::Count
            | Meaning::Number
            | Meaning::Priority
            | Meaning::IsrNumber
            | Meaning::SystemState
            | Meaning::Port => write!(f, "{value}"),
            Meaning::Bytes => write!(f, "{value} bytes"),
            Meaning::Ticks => write_ticks(f, value),
            Meaning::Signed => match u32::try_from(value) {
                Ok(value) => write!(f, "{}", value.cast_signed()),
                Err(_) => write!(f, "{}", value.cast_signed()),
            },
            Meaning::Ipv4 => match u32::try_from(value) {
                Ok(value) => write!(f, "{}", Ipv4Addr::from(value)),
                Err(_) => write!(f, "{value:#x}"),
            },
            Meaning::Address | Meaning::StackPointer | Meaning::Flags | Meaning::Hex => {
                write!(f, "{value:#x}")
            }
        }
    }
}

impl RenderedValue<'_> {
    /// By name if an object is at the address; the null pointer as `none`.
    fn write_object(
        &self,
        f: &mut fmt::Formatter<'_>,
        value: u64,
        class: Option<ObjectClass>,
    ) -> fmt::Result {
        let address = Address(value);
        let is_number = class.is_some_and(ObjectClass::is_numbered);
        if value == 0 && !is_number {
            return f.write_str("none");
        }
        let object = match class {
            Some(class) => self.trace.objects.find_as(address, class),
            None => self.trace.objects.find(address, None),
        };
        let name = match (object, class) {
            (Some(object), _) => Some(&object.name),
            (None, Some(ObjectClass::Thread)) => self.trace.contexts.name_at(address),
            (None, _) => None,
        };
        match name.filter(|name| !name.is_empty()) {
            Some(name) if f.alternate() => write!(f, "{name}"),
            Some(name) => write!(f, "\"{name}\""),
            None if is_number => write!(f, "{value}"),
            None => write!(f, "{address}"),
        }
    }

    /// In quotation marks, like names.
    fn write_text(&self, f: &mut fmt::Formatter<'_>, text: &[u8]) -> fmt::Result {
        let text = Name::new(text);
        if f.alternate() {
            write!(f, "{text}")
        } else {
            write!(f, "\"{text}\"")
        }
    }

    /// Numbers with leading zeros up to their width, as the target requested.
    fn write_item(&self, f: &mut fmt::Formatter<'_>, item: &TypedItem<'_>) -> fmt::Result {
        let width = usize::from(item.width);
        match item.value {
            ItemValue::Signed(number) => write!(f, "{number:0width$}"),
            ItemValue::Text(text) => self.write_text(f, text),
            ItemValue::Memory(block) => {
                f.write_str("[")?;
                for (byte, separator) in block.iter().zip(iter::once("").chain(iter::repeat(" "))) {
                    write!(f, "{separator}{byte:02x}")?;
                }
                f.write_str("]")
            }
            ItemValue::Number(number) => match item.item_type {
                ItemType::X32 => write!(f, "{number:#0width$x}", width = width + "0x".len()),
                ItemType::Object => self.write_object(f, number.into(), None),
                ItemType::Function => {
                    self.write_object(f, number.into(), Some(ObjectClass::Function))
                }
                ItemType::Signal => self.write_object(f, number.into(), Some(ObjectClass::Signal)),
                _ => write!(f, "{number:0width$}"),
            },
        }
    }
}

fn write_ticks(f: &mut fmt::Formatter<'_>, value: u64) -> fmt::Result {
    let plural = if value == 1 { "" } else { "s" };
    write!(f, "{value} tick{plural}")
}

fn write_named(f: &mut fmt::Formatter<'_>, names: &NamedValues, value: u64) -> fmt::Result {
    let exactly = names.values.iter().find(|(named, _)| *named == value);
    if let Some((_, name)) = exactly {
        return f.write_str(name);
    }
    if names.bits && value != 0 {
        return write_bits(f, names, value);
    }
    match names.unnamed {
        UnnamedFormat::Number => write!(f, "{value}"),
        UnnamedFormat::Ticks => write_ticks(f, value),
        UnnamedFormat::Hex => write!(f, "{value:#x}"),
    }
}

fn write_bits(f: &mut fmt::Formatter<'_>, names: &NamedValues, value: u64) -> fmt::Result {
    let mut rest = value;
    let mut separator = "";
    for (bits, name) in names.values {
        if *bits != 0 && rest & bits == *bits {
            write!(f, "{separator}{name}")?;
            separator = "|";
            rest &= !bits;
        }
    }
    if rest != 0 {
        write!(f, "{separator}{rest:#x}")?;
    }
    Ok(())
}
