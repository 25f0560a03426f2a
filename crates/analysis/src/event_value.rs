//! Values that events have: an argument by its name or position.

use crate::report::View;
use rtoscope_trace::catalogue::{ArgumentDef, ExtrasLayout, Meaning};
use rtoscope_trace::extras::ItemValue;
use rtoscope_trace::filter::{Filter, argument_name};
use rtoscope_trace::{Event, EventIndex, EventKindId, Trace};
use std::collections::BTreeMap;

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

    /// The number in an event that identifies something, a signed one as its 64-bit word;
    /// `None` if the event has no such argument.
    pub(crate) fn of(&self, trace: &Trace, event: &Event) -> Option<u64> {
        let number = self.number(trace, event)?;
        let word = i64::try_from(number).map(i64::cast_unsigned);
        word.or_else(|_| u64::try_from(number)).ok()
    }

    /// The number in an event; `None` if it has no such argument.
    fn number(&self, trace: &Trace, event: &Event) -> Option<i128> {
        match self {
            Self::Word(index) => {
                let kind = trace.catalogue.get(event.kind);
                let is_number = kind.is_none_or(|kind| {
                    let argument = kind.arguments.get(*index);
                    let text = |it: &ArgumentDef| it.meaning == Meaning::Text;
                    let is_text = argument.and_then(Option::as_ref).is_some_and(text);
                    kind.extras != ExtrasLayout::Items && !is_text
                });
                let number = event.arguments.get(*index).filter(|_| is_number);
                number.map(|number| (*number).into())
            }
            Self::Item(index) => {
                let item = trace.events.extras().items(event.index).nth(*index)?;
                match item.value {
                    ItemValue::Number(number) => Some(number.into()),
                    ItemValue::Signed(number) => Some(number.into()),
                    ItemValue::Text(_) | ItemValue::Memory(_) => None,
                }
            }
            Self::Named(name) => {
                let kind = trace.catalogue.get(event.kind)?;
                let mut named = trace.raw_arguments(kind, event);
                let found = named.find(|(argument, _)| is_named(&argument.name, name));
                let found = found.filter(|(argument, _)| argument.meaning != Meaning::Text);
                found.map(|(_, value)| value.into())
            }
        }
    }

    /// The names of an event's arguments, `info1` to `info4` if its kind does not name
    /// them.
    pub(crate) fn names(trace: &Trace, event: &Event) -> Vec<String> {
        let kind = trace.catalogue.get(event.kind);
        let named = kind.into_iter().flat_map(|kind| {
            let named = trace.raw_arguments(kind, event);
            named.map(|(argument, _)| argument_name(&argument.name))
        });
        let items = trace.events.extras().items(event.index).zip(1..);
        let items = items.map(|(_, number)| format!("item{number}"));
        let all: Vec<_> = named.chain(items).collect();
        match all.is_empty() {
            true => (1..=4).map(|number| format!("info{number}")).collect(),
            false => all,
        }
    }
}

/// The events with a name, or those that a filter with a comparison selects, each with its number
/// in the argument `number`: `info1` to `info4`, `item1` and so on, or an argument by its name;
/// with [`OCCURRENCE`], its number among them.
///
/// # Errors
///
/// If the trace has no such kind of event, or the events have no such number.
pub(crate) fn events_with_number(
    trace: &Trace,
    events: &str,
    number: &str,
) -> Result<Vec<(Event, u64)>, String> {
    let filter = match events.contains("==") {
        true => Filter::parse(events),
        false => Filter::parse(&format!("kind == {}", quoted(events))),
    };
    let filter = filter.map_err(|error| error.to_string())?;
    let bound = filter.bind(trace).map_err(|error| error.to_string())?;
    let events_of = || bound.matching().filter_map(|event| trace.events.get(event));
    if number == OCCURRENCE {
        return Ok(events_of().zip(1..).collect());
    }
    let value = EventValue::parse(number);
    let mut found = Vec::new();
    let mut other = None;
    for event in events_of() {
        match value.of(trace, &event) {
            Some(number) => found.push((event, number)),
            None => other = Some(event),
        }
    }
    match other {
        Some(event) if found.is_empty() => Err(format!(
            "the event {events:?} has no number {number:?}; it has {}",
            EventValue::names(trace, &event).join(", ")
        )),
        _ => Ok(found),
    }
}

/// In place of the name of a number: the first event has number 1, the next one 2, and so on.
const OCCURRENCE: &str = "occurrence";

/// A text as the filter language quotes it.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}

/// The number that an argument has in each event of a kind in the scope: `info1` to
/// `info4`, `item1` and so on, or an argument by its name. Events without such a number are
/// not listed.
pub fn event_values(view: &View<'_>, kind: EventKindId, argument: &str) -> Vec<(EventIndex, i128)> {
    let value = EventValue::parse(argument);
    let events = &view.trace.events;
    let mut values = Vec::new();
    events.visit(0..events.len(), |event| {
        if event.kind == kind && view.contains(event.time) && view.scope.includes(&event) {
            let number = value.number(view.trace, &event);
            values.extend(number.map(|number| (event.index, number)));
        }
    });
    values
}

/// The kinds of events that the application defines, each with the names of those
/// arguments of its first event that are numbers.
pub fn user_event_arguments(trace: &Trace) -> Vec<(EventKindId, Vec<String>)> {
    if !trace.catalogue.has_user_numbers() {
        return Vec::new();
    }
    let mut first = BTreeMap::new();
    trace.events.visit_kinds(|kind, _, event| {
        if trace.catalogue.is_user_number(kind) {
            first.entry(kind).or_insert(event);
        }
    });
    let kinds = first.into_iter().filter_map(|(kind, index)| {
        let event = trace.events.get(index)?;
        let mut names = EventValue::names(trace, &event);
        names.retain(|name| EventValue::parse(name).number(trace, &event).is_some());
        (!names.is_empty()).then_some((kind, names))
    });
    kinds.collect()
}

/// Whether an argument has a name in filters, as [`argument_name`] of it.
fn is_named(argument: &str, name: &str) -> bool {
    let lower = argument.chars().flat_map(char::to_lowercase);
    let shown = lower.map(|letter| if letter == ' ' { '_' } else { letter });
    shown.eq(name.chars())
}
