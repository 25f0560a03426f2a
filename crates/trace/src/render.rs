//! Argument values as people want to read them.

use crate::catalogue::{Argument, Meaning, More, Names, Otherwise};
use crate::extras::{Form, Item, ItemValue};
use crate::{Address, Event, Kind, Name, ObjectClass, Trace};
use std::net::Ipv4Addr;
use std::{fmt, iter};

/// An argument's value, to be shown by its meaning: objects by name, states
/// and options by the kernel's names, addresses in hexadecimal, amounts in
/// decimal.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    trace: &'a Trace,
    content: Content<'a>,
}

#[derive(Clone, Copy)]
enum Content<'a> {
    Word(Meaning, u64),
    Item(Item<'a>),
}

impl Trace {
    /// A value of the given meaning, to be shown in words.
    pub fn value(&self, meaning: Meaning, value: u64) -> Value<'_> {
        Value {
            trace: self,
            content: Content::Word(meaning, value),
        }
    }

    /// The arguments of an event that its kind names: name, value to show; then
    /// the items that name themselves. Kinds that the catalogue does not know
    /// have none.
    pub fn arguments<'a>(
        &'a self,
        kind: &'a Kind,
        event: &Event,
    ) -> impl Iterator<Item = (&'a str, Value<'a>)> {
        let items = (kind.more == More::Items).then(|| self.events.extras.items(event.index));
        let items = items.into_iter().flatten().map(move |item| {
            let content = Content::Item(item);
            let trace = self;
            (item.form.name(), Value { trace, content })
        });
        let words = self.words(kind, event);
        let words = words.map(move |(argument, value)| {
            let shown = self.value(argument.meaning, value);
            (argument.name.as_ref(), shown)
        });
        words.chain(items)
    }

    /// The arguments of an event that its kind names, with their values as
    /// recorded, but for items that name themselves.
    pub fn words<'a>(
        &'a self,
        kind: &'a Kind,
        event: &Event,
    ) -> impl Iterator<Item = (&'a Argument, u64)> {
        let more = self.events.extras.words(event.index).iter();
        let more = more.copied().map(u64::from);
        let named = kind
            .all_arguments()
            .zip(event.arguments.into_iter().chain(more));
        named.filter_map(|(argument, value)| Some((argument?, value)))
    }

    /// An event's arguments as one line, `name=value` each; those of a kind
    /// that the catalogue does not know as hexadecimal words.
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
            for (number, value) in (1..).zip(self.event.arguments) {
                write!(f, "{separator}info{number}={value:#x}")?;
                separator = " ";
            }
            return Ok(());
        };
        for (name, value) in self.trace.arguments(kind, self.event) {
            for word in name.split(' ') {
                f.write_str(separator)?;
                f.write_str(word)?;
                separator = "_";
            }
            f.write_str("=")?;
            value.fmt(f)?;
            separator = " ";
        }
        Ok(())
    }
}

impl fmt::Display for Value<'_> {
    /// Names of objects stand in quotation marks, but not in the alternate
    /// form (`{:#}`), which is for values that stand alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (meaning, value) = match self.content {
            Content::Word(meaning, value) => (meaning, value),
            Content::Item(item) => return self.item(f, &item),
        };
        match meaning {
            Meaning::Object(class) => self.object(f, value, Some(class)),
            Meaning::AnyObject => self.object(f, value, None),
            Meaning::PoolOfEvent => match value.checked_sub(1) {
                None => f.write_str("static"),
                Some(pool) => self.object(f, pool, Some(ObjectClass::EventPool)),
            },
            Meaning::Code => self.trace.places.show(Address(value)).fmt(f),
            Meaning::Text => self.text(f, self.trace.events.extras.text(value)),
            Meaning::Named(names) => named(f, names, value),
            Meaning::Count
            | Meaning::Number
            | Meaning::Priority
            | Meaning::IsrNumber
            | Meaning::SystemState
            | Meaning::Port => write!(f, "{value}"),
            Meaning::Bytes => write!(f, "{value} bytes"),
            Meaning::Ticks => ticks(f, value),
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

impl Value<'_> {
    /// By name where the address is an object's; the null pointer as `none`.
    fn object(
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
        match object {
            Some(object) if !object.name.is_empty() && f.alternate() => {
                write!(f, "{}", object.name)
            }
            Some(object) if !object.name.is_empty() => write!(f, "\"{}\"", object.name),
            _ if is_number => write!(f, "{value}"),
            _ => write!(f, "{address}"),
        }
    }

    /// In quotation marks, as names.
    fn text(&self, f: &mut fmt::Formatter<'_>, text: &[u8]) -> fmt::Result {
        let text = Name::new(text);
        if f.alternate() {
            write!(f, "{text}")
        } else {
            write!(f, "\"{text}\"")
        }
    }

    /// Numbers with zeros in front up to their width, as the target asked.
    fn item(&self, f: &mut fmt::Formatter<'_>, item: &Item<'_>) -> fmt::Result {
        let width = usize::from(item.width);
        match item.value {
            ItemValue::Signed(number) => write!(f, "{number:0width$}"),
            ItemValue::Text(text) => self.text(f, text),
            ItemValue::Memory(block) => {
                f.write_str("[")?;
                for (byte, separator) in block.iter().zip(iter::once("").chain(iter::repeat(" "))) {
                    write!(f, "{separator}{byte:02x}")?;
                }
                f.write_str("]")
            }
            ItemValue::Number(number) => match item.form {
                Form::X32 => write!(f, "{number:#0width$x}", width = width + "0x".len()),
                Form::Object => self.object(f, number.into(), None),
                Form::Function => self.object(f, number.into(), Some(ObjectClass::Function)),
                Form::Signal => self.object(f, number.into(), Some(ObjectClass::Signal)),
                _ => write!(f, "{number:0width$}"),
            },
        }
    }
}

fn ticks(f: &mut fmt::Formatter<'_>, value: u64) -> fmt::Result {
    let plural = if value == 1 { "" } else { "s" };
    write!(f, "{value} tick{plural}")
}

fn named(f: &mut fmt::Formatter<'_>, names: &Names, value: u64) -> fmt::Result {
    let exactly = names.values.iter().find(|(named, _)| *named == value);
    if let Some((_, name)) = exactly {
        return f.write_str(name);
    }
    if names.bits && value != 0 {
        return bits(f, names, value);
    }
    match names.otherwise {
        Otherwise::Number => write!(f, "{value}"),
        Otherwise::Ticks => ticks(f, value),
        Otherwise::Hex => write!(f, "{value:#x}"),
    }
}

fn bits(f: &mut fmt::Formatter<'_>, names: &Names, value: u64) -> fmt::Result {
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
