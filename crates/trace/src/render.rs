//! Argument values as people want to read them.

use crate::catalogue::{Meaning, Names, Otherwise};
use crate::{Address, Event, Kind, ObjectClass, Trace};
use std::fmt;
use std::net::Ipv4Addr;

/// An argument's value, to be shown by its meaning: objects by name, states
/// and options by the kernel's names, addresses in hexadecimal, amounts in
/// decimal.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    trace: &'a Trace,
    meaning: Meaning,
    value: u64,
}

impl Trace {
    /// A value of the given meaning, to be shown in words.
    pub fn value(&self, meaning: Meaning, value: u64) -> Value<'_> {
        Value {
            trace: self,
            meaning,
            value,
        }
    }

    /// The arguments of an event that its kind names: name, value to show.
    /// Kinds that the catalogue does not know have none.
    pub fn arguments<'a>(
        &'a self,
        kind: &'a Kind,
        event: &Event,
    ) -> impl Iterator<Item = (&'a str, Value<'a>)> {
        let named = kind.arguments.iter().zip(event.arguments);
        named.filter_map(|(argument, value)| {
            let argument = argument.as_ref()?;
            Some((argument.name.as_ref(), self.value(argument.meaning, value)))
        })
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
            f.write_str(separator)?;
            for letter in name.chars() {
                fmt::Write::write_char(f, if letter == ' ' { '_' } else { letter })?;
            }
            write!(f, "={value}")?;
            separator = " ";
        }
        Ok(())
    }
}

impl fmt::Display for Value<'_> {
    /// Names of objects stand in quotation marks, but not in the alternate
    /// form (`{:#}`), which is for values that stand alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value;
        match self.meaning {
            Meaning::Object(class) => self.object(f, Some(class)),
            Meaning::AnyObject => self.object(f, None),
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
    fn object(&self, f: &mut fmt::Formatter<'_>, class: Option<ObjectClass>) -> fmt::Result {
        let address = Address(self.value);
        if self.value == 0 {
            return f.write_str("none");
        }
        let object = match class {
            Some(class) => self.trace.objects.find_class(address, class),
            None => self.trace.objects.find(address, None),
        };
        match object {
            Some(object) if !object.name.is_empty() && f.alternate() => {
                write!(f, "{}", object.name)
            }
            Some(object) if !object.name.is_empty() => write!(f, "\"{}\"", object.name),
            _ => write!(f, "{address}"),
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
