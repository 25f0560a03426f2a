//! Details of an event.

mod active_objects;
mod links;
mod next_running;
mod thread_intervals;

use crate::object_references::item_values;
use crate::response::{EventArgument, EventDetails, SourceLine};
use crate::session::Session;
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Address, CodeLocation, ContextId, Event, EventIndex, ObjectId, Ticks};

impl Session {
    /// The details of the trace's event `number`, if it exists.
    pub(crate) fn event_details(&self, number: u32) -> Option<EventDetails> {
        let event = self.recording.trace.events.get(EventIndex(number))?;
        let time = |number: Option<u32>| {
            let time = self.recording.trace.events.time(EventIndex(number?));
            time.map(|time| time.0)
        };
        let since = |from: Option<u64>, to: Option<u64>| Some(to?.saturating_sub(from?));
        let now = Some(event.time.0);
        let kind = self.recording.trace.catalogue.get(event.kind);
        let next = self.running_after(&event);
        Some(EventDetails {
            event: self.event_number(number),
            time: self.recording_ticks(event.time.0),
            time_text: self.time_text(self.recording.trace.recording_time(event.time)),
            timestamp: event.timestamp.to_string(),
            core: event.core,
            context: self.context_id(event.context),
            priority: event.priority(),
            threshold: event.threshold(),
            interrupted: event
                .interrupted()
                .filter(|context| *context != ContextId::UNKNOWN)
                .map(|context| self.context_id(context)),
            kind: event.kind.0,
            name: self.recording.trace.catalogue.name(event.kind).into_owned(),
            symbol: kind.map_or_else(String::new, |kind| kind.symbol.to_string()),
            component: self
                .recording
                .trace
                .catalogue
                .component(event.kind)
                .to_owned(),
            arguments: {
                let mut arguments = self.arguments(&event);
                arguments.extend(self.call_stack(event.index));
                arguments
            },
            next_running: self.next_running_name(next),
            next_context: next.context().map(|context| self.context_id(context)),
            since_previous: since(time(number.checked_sub(1)), now),
            until_next: since(now, time(number.checked_add(1))),
            links: self.links(&event),
        })
    }

    /// The ticks with all digits, and the time if the clock's frequency is known.
    fn time_text(&self, ticks: Ticks) -> String {
        let text = pluralise(ticks.0, "tick", "ticks");
        match self.recording.trace.timescale().duration(ticks) {
            Some(time) => format!("{text} ({time})"),
            None => text,
        }
    }

    /// The decoded arguments, or the raw words if the catalogue does not define the
    /// kind.
    fn arguments(&self, event: &Event) -> Vec<EventArgument> {
        let raw = |value: u64| format!("{value:#x}");
        let Some(kind) = self.recording.trace.catalogue.get(event.kind) else {
            let words = (1..).zip(event.arguments);
            let word = |(number, value): (u32, u64)| EventArgument {
                name: format!("info{number}"),
                text: raw(value),
                raw: raw(value),
                object: None,
                source: None,
            };
            return words.map(word).collect();
        };
        let named = self.recording.trace.arguments(kind, event);
        let words = self.recording.trace.raw_arguments(kind, event);
        let words = words.map(|(argument, value)| Some((argument.meaning, value)));
        named
            .zip(words.chain(item_values(&self.recording.trace, kind, event)))
            .map(|((name, value), word)| {
                let text = format!("{value:#}");
                let object =
                    word.and_then(|(meaning, value)| self.referenced_object(meaning, value));
                EventArgument {
                    name: name.to_owned(),
                    raw: word.map_or_else(|| text.clone(), |(_, value)| raw(value)),
                    object: object.map(|object| self.object_id(object)),
                    source: word
                        .filter(|(meaning, _)| *meaning == Meaning::Code)
                        .and_then(|(_, value)| {
                            self.recording.trace.code_locations.get(Address(value))
                        })
                        .and_then(source_line),
                    text,
                }
            })
            .collect()
    }

    /// The frames of the event's call stack, innermost first, and why it ends.
    fn call_stack(&self, event: EventIndex) -> Vec<EventArgument> {
        let trace = &self.recording.trace;
        let Some(stack) = trace.call_stacks.get(event) else {
            return Vec::new();
        };
        let frames = stack
            .frames()
            .map(|frame| (frame.address.to_string(), source_line(frame)));
        let values = frames.chain([(stack.stop().name().to_owned(), None)]);
        let arguments = stack.arguments().zip(values);
        arguments
            .map(|((name, text), (raw, source))| EventArgument {
                name,
                text,
                raw,
                object: None,
                source,
            })
            .collect()
    }

    /// The object that a value refers to.
    fn referenced_object(&self, meaning: Meaning, value: u64) -> Option<ObjectId> {
        let objects = &self.recording.trace.objects;
        let found = match meaning.object_class()? {
            Some(class) => objects.find_as(Address(value), class),
            None => {
                let mut at = objects.at(Address(value));
                at.find(|object| value != 0 && !object.class.is_numbered())
            }
        };
        found.map(|object| object.id)
    }
}

/// The line of a location, if its file is known.
fn source_line(location: &CodeLocation) -> Option<SourceLine> {
    Some(SourceLine {
        file: location.file.as_ref()?.to_string(),
        line: location.line,
    })
}
