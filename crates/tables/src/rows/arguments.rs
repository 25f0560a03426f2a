//! What events say, an argument a row.

use super::Content;
use super::field::columns;
use super::key::Key;
use super::list::{List, listed};
use crate::scene::Scene;
use rtoscope_trace::catalogue::{Argument, More};
use rtoscope_trace::{Event, EventIndex, KindId, Ticks, Trace};
use std::ops::Range;
use std::sync::OnceLock;

pub(crate) struct Said {
    event: EventIndex,
    time: Ticks,
    kind: KindId,
    /// Its place among those of the event.
    place: u8,
    name: Key,
    meaning: &'static str,
    value: Option<u64>,
    shown: String,
}

columns! {
    Said;
    event: event = |scene, it| scene.event(it.event),
        "the event";
    time: ticks = |scene, it| scene.time(it.time),
        "when it happened, since the first event of the recording";
    time_ns: nanoseconds = |scene, it| scene.time_ns(it.time),
        "`time` as time";
    kind: Word = |_, it| Key::Kind(it.kind),
        "its kind, such as `tx_queue_send`";
    position: U8 = |_, it| it.place + 1,
        "the argument's place among those of the event, from 1";
    name: Word = |_, it| it.name,
        "the argument's name";
    type: Word = |_, it| Key::Word(it.meaning),
        "what its value means: the class of an object, `address`, `count`, `bytes`, `ticks`, `priority`, `flags` …";
    value: optional U64 = |_, it| it.value,
        "its value as recorded; missing where it is no number";
    text: Text = |_, it| it.shown.clone(),
        "its value in words: an object by its name";
}

/// Events after which the rows before them are counted.
const BLOCK: usize = 16;

/// The arguments of all events.
struct Arguments<'a> {
    trace: &'a Trace,
    /// How many there are before each block of events, and in all.
    counts: OnceLock<Vec<usize>>,
}

impl Arguments<'_> {
    fn counts(&self) -> &[usize] {
        self.counts.get_or_init(|| {
            let events = self.trace.events.len();
            let mut counts = vec![0];
            let mut count = 0;
            for start in (0..events).step_by(BLOCK) {
                let block = start..events.min(start + BLOCK);
                self.trace
                    .events
                    .visit(block, |event| count += number(self.trace, &event));
                counts.push(count);
            }
            counts
        })
    }
}

impl List for Arguments<'_> {
    type Row = Said;

    fn len(&self) -> usize {
        self.counts().last().copied().unwrap_or_default()
    }

    fn visit(&self, rows: Range<usize>, mut see: impl FnMut(&Said)) {
        let counts = self.counts();
        let blocks = counts.len() - 1;
        let first = counts.partition_point(|count| *count <= rows.start);
        let first = first.saturating_sub(1);
        let end = counts.partition_point(|count| *count < rows.end);
        let mut row = counts.get(first).copied().unwrap_or_default();
        let events = first * BLOCK..(end.min(blocks) * BLOCK).min(self.trace.events.len());
        self.trace.events.visit(events, |event| {
            let count = number(self.trace, &event);
            if row < rows.end && rows.start < row + count {
                each(self.trace, &event, |said| {
                    if rows.contains(&row) {
                        see(&said);
                    }
                    row += 1;
                });
            } else {
                row += count;
            }
        });
    }
}

/// How many arguments an event has.
fn number(trace: &Trace, event: &Event) -> usize {
    let Some(kind) = trace.catalogue.get(event.kind) else {
        return 0;
    };
    let items = match kind.more {
        More::Items => trace.events.extras.items(event.index).count(),
        More::Arguments(_) => 0,
    };
    trace.words(kind, event).count() + items
}

/// Calls `see` with each of them.
fn each(trace: &Trace, event: &Event, mut see: impl FnMut(Said)) {
    let Some(kind) = trace.catalogue.get(event.kind) else {
        return;
    };
    let said = |place, name, meaning, value, shown| Said {
        event: event.index,
        time: event.time,
        kind: event.kind,
        place,
        name,
        meaning,
        value,
        shown,
    };
    let words = trace.words(kind, event).count();
    let mut places = 0_u8..;
    for (argument, value) in trace.words(kind, event) {
        let Argument { meaning, .. } = argument;
        let place = places.next().unwrap_or(u8::MAX);
        let name = Key::Argument(event.kind, place);
        let shown = format!("{:#}", trace.value(*meaning, value));
        see(said(place, name, meaning.name(), Some(value), shown));
    }
    let items = trace.arguments(kind, event).skip(words);
    let forms = trace.events.extras.items(event.index);
    for ((_, shown), item) in items.zip(forms) {
        let place = places.next().unwrap_or(u8::MAX);
        let name = item.form.name();
        see(said(
            place,
            Key::Word(name),
            name,
            None,
            format!("{shown:#}"),
        ));
    }
}

pub(super) fn rows<'a>(scene: Scene<'a>) -> Box<dyn Content<'a> + 'a> {
    let trace = scene.trace();
    listed(
        scene,
        Arguments {
            trace,
            counts: OnceLock::new(),
        },
    )
}
