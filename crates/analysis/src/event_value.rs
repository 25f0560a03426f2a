//! Values that events have: an argument by its name or position.

use rtoscope_trace::catalogue::{ArgumentDef, ExtrasLayout, Meaning};
use rtoscope_trace::extras::ItemValue;
use rtoscope_trace::filter::argument_name;
use rtoscope_trace::{Event, Trace};

/// Where a number is in an event.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum EventValue {
    /// One of the four information fields.
    Word(usize),
    /// One of the self-describing items of a record.
    Item(usize),
    /// The argument with this name, in the spelling of the filter language.
    Named(String),
}

impl EventValue {
    /// Parses `info1` to `info4`, `item1` and so on, or the name of an argument.
    pub(crate) fn parse(text: &str) -> Self {
        let numbered = |prefix| {
            let number: usize = text.strip_prefix(prefix)?.parse().ok()?;
            number.checked_sub(1)
        };
        match (numbered("info"), numbered("item")) {
            (Some(index), _) => Self::Word(index),
            (_, Some(index)) => Self::Item(index),
            (None, None) => {
                let name = text.strip_prefix("arg.").unwrap_or(text);
                Self::Named(argument_name(name))
            }
        }
    }

    /// The number in an event; `None` if it has no such argument.
    pub(crate) fn of(&self, trace: &Trace, event: &Event) -> Option<u64> {
        match self {
            Self::Word(index) => {
                let kind = trace.catalogue.get(event.kind);
                let is_number = kind.is_none_or(|kind| {
                    let argument = kind.arguments.get(*index);
                    let text = |it: &ArgumentDef| it.meaning == Meaning::Text;
                    let is_text = argument.and_then(Option::as_ref).is_some_and(text);
                    kind.extras != ExtrasLayout::Items && !is_text
                });
                event.arguments.get(*index).copied().filter(|_| is_number)
            }
            Self::Item(index) => {
                let item = trace.events.extras().items(event.index).nth(*index)?;
                match item.value {
                    ItemValue::Number(number) => Some(number.into()),
                    ItemValue::Signed(number) => Some(i64::from(number).cast_unsigned()),
                    ItemValue::Text(_) | ItemValue::Memory(_) => None,
                }
            }
            Self::Named(name) => {
                let kind = trace.catalogue.get(event.kind)?;
                let mut named = trace.raw_arguments(kind, event);
                let found = named.find(|(argument, _)| is_named(&argument.name, name));
                let found = found.filter(|(argument, _)| argument.meaning != Meaning::Text);
                found.map(|(_, value)| value)
            }
        }
    }

    /// The arguments of an event that can have a number.
    pub(crate) fn available(trace: &Trace, event: &Event) -> String {
        let kind = trace.catalogue.get(event.kind);
        let named = kind.into_iter().flat_map(|kind| {
            let named = trace.raw_arguments(kind, event);
            named.map(|(argument, _)| argument_name(&argument.name))
        });
        let items = trace.events.extras().items(event.index).zip(1..);
        let items = items.map(|(_, number)| format!("item{number}"));
        let all: Vec<_> = named.chain(items).collect();
        match all.is_empty() {
            true => "info1 to info4".to_owned(),
            false => all.join(", "),
        }
    }
}

/// Whether an argument has a name in filters, as [`argument_name`] of it.
fn is_named(argument: &str, name: &str) -> bool {
    let lower = argument.chars().flat_map(char::to_lowercase);
    let shown = lower.map(|letter| if letter == ' ' { '_' } else { letter });
    shown.eq(name.chars())
}
