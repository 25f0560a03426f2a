//! The events, with their arguments by name.

use super::flow_name;
use super::json::ArgumentWriter;
use super::tracks::RecordingWriter;
use crate::Progress;
use crate::naming::numbered_name;
use crate::signals::UniqueNames;
use rtoscope_analysis::timeline::EventFlows;
use rtoscope_trace::catalogue::{ExtrasLayout, Meaning};
use rtoscope_trace::extras::{ItemType, ItemValue};
use rtoscope_trace::{Event, EventKind, EventKindId, Trace};
use std::io::{self, Write};

/// Events per batch.
const EVENT_BATCH: usize = 256;

/// The key of the event number, among its arguments.
const EVENT_NUMBER_KEY: &str = "event";

/// Writes all events on their tracks, with the flows that start and end at them.
pub(super) fn write(
    to: &mut RecordingWriter<'_, '_, impl Write>,
    flows: &mut EventFlows,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let trace = to.view.trace;
    let kinds = EventKinds::new(trace);
    let count = trace.events.len();
    for first in (0..count).step_by(EVENT_BATCH) {
        let batch = first..count.min(first + EVENT_BATCH);
        let written = batch.len() as u64;
        trace.events.visit(batch, |event| {
            let track = to.event_track(&event.header());
            let time = to.time(event.time);
            let number = to.event_number(event.index);
            let json = &mut *to.json;
            match kinds.get(event.kind) {
                Some(kind) => json.instant(track, time, &kind.category, kind.name, |arguments| {
                    arguments.number(EVENT_NUMBER_KEY, number);
                    kind.add_arguments(arguments, trace, &event);
                }),
                None => {
                    let category = format!("event,{}", trace.catalogue.component(event.kind));
                    let name = trace.catalogue.name(event.kind);
                    json.instant(track, time, &category, &name, |arguments| {
                        arguments.number(EVENT_NUMBER_KEY, number);
                        for (number, value) in (1..).zip(event.arguments) {
                            arguments.text(&format!("info{number}"), format_args!("{value:#x}"));
                        }
                    });
                }
            }
            while let Some(point) = flows.next_at(event.index) {
                let name = flow_name(point.kind);
                if point.is_end {
                    json.flow_end(track, time, name, point.id);
                } else {
                    json.flow_start(track, time, name, point.id);
                }
            }
        });
        to.json.flush_if_full()?;
        progress(written);
    }
    Ok(())
}

/// The output formats of the trace's event kinds, by kind number.
struct EventKinds<'t>(Vec<KindFormat<'t>>);

/// The output format of an event kind.
struct KindFormat<'t> {
    kind: &'t EventKind,
    category: String,
    name: &'t str,
    /// Unique keys of its arguments.
    keys: Vec<String>,
}

impl<'t> EventKinds<'t> {
    fn new(trace: &'t Trace) -> Self {
        let written = |kind: &'t EventKind| {
            let named = kind.all_arguments().flatten();
            let mut keys = event_keys();
            KindFormat {
                kind,
                category: format!("event,{}", kind.component),
                name: &kind.name,
                keys: named
                    .map(|argument| keys.make_unique(argument.name.to_string(), numbered_name))
                    .collect(),
            }
        };
        Self(trace.catalogue.iter().map(written).collect())
    }

    fn get(&self, id: EventKindId) -> Option<&KindFormat<'t>> {
        let found = self.0.binary_search_by_key(&id, |written| written.kind.id);
        self.0.get(found.ok()?)
    }
}

impl KindFormat<'_> {
    fn add_arguments(&self, arguments: &mut ArgumentWriter<'_>, trace: &Trace, event: &Event) {
        let words = trace.raw_arguments(self.kind, event);
        for ((argument, value), key) in words.zip(&self.keys) {
            add_argument(arguments, trace, key, argument.meaning, value);
        }
        if self.kind.extras == ExtrasLayout::Items {
            self.add_items(arguments, trace, event);
        }
        if let Some(stack) = trace.call_stacks.get(event.index) {
            for (name, text) in stack.arguments() {
                arguments.text(&name, text);
            }
        }
    }

    fn add_items(&self, arguments: &mut ArgumentWriter<'_>, trace: &Trace, event: &Event) {
        let mut keys = event_keys();
        for key in &self.keys {
            keys.make_unique(key.clone(), numbered_name);
        }
        let words = trace.raw_arguments(self.kind, event).count();
        let shown = trace.arguments(self.kind, event).skip(words);
        for (item, (name, shown)) in trace.events.extras().items(event.index).zip(shown) {
            let key = keys.make_unique(name.to_string(), numbered_name);
            match (item.item_type, item.value) {
                (_, ItemValue::Signed(number)) => arguments.signed(&key, number.into()),
                (ItemType::U8 | ItemType::U16 | ItemType::U32, ItemValue::Number(number)) => {
                    arguments.number(&key, number.into());
                }
                _ => arguments.text(&key, format_args!("{shown:#}")),
            }
        }
    }
}

/// Writes quantities as numbers, and everything else as text.
fn add_argument(
    arguments: &mut ArgumentWriter<'_>,
    trace: &Trace,
    key: &str,
    meaning: Meaning,
    value: u64,
) {
    match meaning {
        Meaning::Count
        | Meaning::Bytes
        | Meaning::Ticks
        | Meaning::Priority
        | Meaning::IsrNumber
        | Meaning::SystemState
        | Meaning::Port
        | Meaning::Number => arguments.number(key, value),
        Meaning::Signed => {
            let narrow = u32::try_from(value).map(|value| value.cast_signed().into());
            arguments.signed(key, narrow.unwrap_or_else(|_| value.cast_signed()));
        }
        _ => arguments.text(key, format_args!("{:#}", trace.value(meaning, value))),
    }
}

/// The keys of an event's arguments; the event number takes one of them.
fn event_keys() -> UniqueNames {
    let mut keys = UniqueNames::default();
    keys.make_unique(EVENT_NUMBER_KEY.to_owned(), numbered_name);
    keys
}
