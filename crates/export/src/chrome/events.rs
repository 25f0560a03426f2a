//! The events themselves, with their arguments by name.

use super::flows::Flows;
use super::json::{Arguments, Json};
use super::tracks::{Recording, Tracks};
use crate::Progress;
use crate::naming::numbered;
use crate::signals::Unique;
use rtoscope_trace::catalogue::{Meaning, More};
use rtoscope_trace::extras::{Form, ItemValue};
use rtoscope_trace::{Event, Kind, KindId, Trace};
use std::io::{self, Write};

/// Events that are written at once.
const BATCH: usize = 256;

/// The key of an event's number, beside its arguments.
const NUMBER: &str = "event";

/// Writes all events where they happened, with the flows that start and end at
/// them.
pub(super) fn write(
    json: &mut Json<impl Write>,
    recording: &Recording<'_>,
    tracks: &Tracks,
    flows: &Flows,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let trace = recording.view.trace;
    let kinds = Kinds::of(trace);
    let mut marks = flows.marks().peekable();
    let count = trace.events.len();
    for first in (0..count).step_by(BATCH) {
        let batch = first..count.min(first + BATCH);
        let written = batch.len() as u64;
        trace.events.visit(batch, |event| {
            let track = tracks.of_event(&event.presence());
            let time = recording.time(event.time);
            let number = recording.number(event.index);
            match kinds.get(event.kind) {
                Some(kind) => json.instant(track, time, &kind.category, kind.name, |arguments| {
                    arguments.number(NUMBER, number);
                    kind.add(arguments, trace, &event);
                }),
                None => {
                    let category = format!("event,{}", trace.catalogue.component(event.kind));
                    let name = trace.catalogue.name(event.kind);
                    json.instant(track, time, &category, name, |arguments| {
                        arguments.number(NUMBER, number);
                        for (number, value) in (1..).zip(event.arguments) {
                            arguments.text(&format!("info{number}"), format_args!("{value:#x}"));
                        }
                    });
                }
            }
            while let Some(mark) = marks.next_if(|mark| mark.event() <= event.index) {
                mark.write(json, track, time);
            }
        });
        json.settle()?;
        progress(written);
    }
    Ok(())
}

/// How the events of the trace's kinds are written, by their number.
struct Kinds<'t>(Vec<Written<'t>>);

/// How events of a kind are written.
struct Written<'t> {
    kind: &'t Kind,
    category: String,
    name: &'t str,
    /// The keys of its arguments, none of them twice.
    keys: Vec<String>,
}

impl<'t> Kinds<'t> {
    fn of(trace: &'t Trace) -> Self {
        let written = |kind: &'t Kind| {
            let named = kind.all_arguments().flatten();
            let mut keys = keys();
            Written {
                kind,
                category: format!("event,{}", kind.component),
                name: &kind.name,
                keys: named
                    .map(|argument| keys.of(argument.name.to_string(), numbered))
                    .collect(),
            }
        };
        Self(trace.catalogue.iter().map(written).collect())
    }

    fn get(&self, id: KindId) -> Option<&Written<'t>> {
        let found = self.0.binary_search_by_key(&id, |written| written.kind.id);
        self.0.get(found.ok()?)
    }
}

impl Written<'_> {
    fn add(&self, arguments: &mut Arguments<'_>, trace: &Trace, event: &Event) {
        let words = trace.words(self.kind, event);
        for ((argument, value), key) in words.zip(&self.keys) {
            add_word(arguments, trace, key, argument.meaning, value);
        }
        if self.kind.more == More::Items {
            self.add_items(arguments, trace, event);
        }
    }

    fn add_items(&self, arguments: &mut Arguments<'_>, trace: &Trace, event: &Event) {
        let mut keys = keys();
        for key in &self.keys {
            keys.of(key.clone(), numbered);
        }
        let words = trace.words(self.kind, event).count();
        let shown = trace.arguments(self.kind, event).skip(words);
        for (item, (name, shown)) in trace.events.extras.items(event.index).zip(shown) {
            let key = keys.of(name.to_string(), numbered);
            match (item.form, item.value) {
                (_, ItemValue::Signed(number)) => arguments.signed(&key, number.into()),
                (Form::U8 | Form::U16 | Form::U32, ItemValue::Number(number)) => {
                    arguments.number(&key, number.into());
                }
                _ => arguments.text(&key, format_args!("{shown:#}")),
            }
        }
    }
}

/// Amounts as numbers, all else as people want to read it.
fn add_word(arguments: &mut Arguments<'_>, trace: &Trace, key: &str, meaning: Meaning, value: u64) {
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

/// The keys of an event, of which its number has one.
fn keys() -> Unique {
    let mut keys = Unique::default();
    keys.of(NUMBER.to_owned(), numbered);
    keys
}
