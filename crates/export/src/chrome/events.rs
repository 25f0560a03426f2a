//! The events, with their arguments by name.

use super::flow_name;
use super::json::{ArgumentWriter, TraceEventWriter, string};
use super::tracks::{RecordingWriter, Track};
use crate::Progress;
use crate::naming::{is_quantity, numbered_name, signed};
use crate::signals::UniqueNames;
use rtoscope_analysis::timeline::EventFlows;
use rtoscope_trace::catalogue::{ExtrasLayout, Meaning};
use rtoscope_trace::extras::{ItemType, ItemValue};
use rtoscope_trace::{Event, EventIndex, EventKind, EventKindId, Trace, parallel};
use std::io::{self, Write};
use std::ops::Range;

/// Events that a thread writes before their text goes to the output.
const PART_EVENTS: usize = 1 << 13;

/// The key of the event number, among its arguments.
const EVENT_NUMBER_KEY: &str = "event";

/// Writes all events on their tracks, with the flows that start and end at them.
pub(super) fn write(
    to: &mut RecordingWriter<'_, '_, impl Write>,
    flows: &EventFlows,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let trace = to.view.trace;
    let kinds = EventKinds::new(trace);
    let (tracks, scale) = (&to.tracks, to.scale);
    let part = |part: Range<usize>| {
        let mut json = TraceEventWriter::part();
        let first = EventIndex(u32::try_from(part.start).unwrap_or(u32::MAX));
        let mut flows = flows.starting_at(first);
        let mut texts = ValueTexts::default();
        trace.events.visit(part, |event| {
            let track = tracks.of(event.context, event.core);
            let time = scale.written_time(event.time);
            kinds.write(&mut json, track, time, trace, &event, &mut texts);
            while let Some(point) = flows.next_at(event.index) {
                let name = flow_name(point.kind);
                if point.is_end {
                    json.flow_end(track, time, name, point.id);
                } else {
                    json.flow_start(track, time, name, point.id);
                }
            }
        });
        json
    };
    let count = trace.events.len();
    let step = PART_EVENTS * parallel::threads();
    for first in (0..count).step_by(step) {
        let end = count.min(first + step);
        let parts = (first..end).step_by(PART_EVENTS);
        let parts = parts.map(|first| first..end.min(first + PART_EVENTS));
        for part in parallel::map(parts.collect(), part) {
            to.json.append(&part)?;
        }
        progress((end - first) as u64);
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

    /// Writes an event.
    fn write(
        &self,
        json: &mut TraceEventWriter<io::Sink>,
        track: Track,
        time: u64,
        trace: &Trace,
        event: &Event,
        texts: &mut ValueTexts,
    ) {
        let number = trace.recording_event(event.index);
        let Some(kind) = self.get(event.kind) else {
            let category = format!("event,{}", trace.catalogue.component(event.kind));
            let name = trace.catalogue.name(event.kind);
            json.instant(track, time, &category, &name, |arguments| {
                arguments.number(EVENT_NUMBER_KEY, number);
                for (number, value) in (1..).zip(event.arguments) {
                    arguments.text(&format!("info{number}"), format_args!("{value:#x}"));
                }
            });
            return;
        };
        json.instant(track, time, &kind.category, kind.name, |arguments| {
            arguments.number(EVENT_NUMBER_KEY, number);
            kind.add_arguments(arguments, trace, event, texts);
        });
    }
}

impl KindFormat<'_> {
    fn add_arguments(
        &self,
        arguments: &mut ArgumentWriter<'_>,
        trace: &Trace,
        event: &Event,
        texts: &mut ValueTexts,
    ) {
        let words = trace.raw_arguments(self.kind, event);
        for ((argument, value), (key, place)) in words.zip(self.keys.iter().zip(0..)) {
            match argument.meaning {
                meaning if is_quantity(meaning) => arguments.number(key, value),
                Meaning::Signed => arguments.signed(key, signed(value)),
                meaning => {
                    let text = texts.text(trace, (event.kind, place, value), meaning);
                    arguments.escaped(key, text);
                }
            }
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

/// The kind of an event, the place of an argument, and its value.
type ValueKey = (EventKindId, u32, u64);

/// The escaped texts of recent values, by hash: most values recur soon.
struct ValueTexts(Vec<(Option<ValueKey>, Vec<u8>)>);

impl Default for ValueTexts {
    fn default() -> Self {
        Self(vec![Default::default(); 1 << Self::BITS])
    }
}

impl ValueTexts {
    const BITS: u32 = 10;

    fn text(&mut self, trace: &Trace, key: ValueKey, meaning: Meaning) -> &[u8] {
        let (kind, place, value) = key;
        // Fibonacci hashing spreads addresses, whose low bits vary little.
        let mixed = value ^ u64::from(kind.0) << 32 ^ u64::from(place) << 48;
        let slot = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - Self::BITS);
        let Some((known, text)) = self.0.get_mut(slot as usize) else {
            return &[];
        };
        if *known != Some(key) {
            *known = Some(key);
            text.clear();
            string(text, format_args!("{:#}", trace.value(meaning, value)));
        }
        text
    }
}

/// The keys of an event's arguments; the event number takes one of them.
fn event_keys() -> UniqueNames {
    let mut keys = UniqueNames::default();
    keys.make_unique(EVENT_NUMBER_KEY.to_owned(), numbered_name);
    keys
}
