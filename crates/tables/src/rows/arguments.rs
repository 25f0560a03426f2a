//! The table `arguments`: one row per argument of an event.

use super::TableContent;
use super::field::columns;
use super::label::Label;
use super::row_list::{RowList, list_content};
use crate::row_context::RowContext;
use rtoscope_trace::catalogue::{ArgumentDef, ExtrasLayout};
use rtoscope_trace::{Event, EventIndex, EventKindId, Ticks, Trace};
use std::ops::Range;
use std::sync::OnceLock;

pub(crate) struct ArgumentRow {
    event: EventIndex,
    time: Ticks,
    kind: EventKindId,
    /// The index among the arguments of the event.
    index: u8,
    name: Label,
    type_name: &'static str,
    value: Option<u64>,
    text: String,
}

columns! {
    ArgumentRow;
    event: event = |scene, it| scene.event_number(it.event),
        "formatted value: an object by its name";
    time: ticks = |scene, it| scene.time(it.time),
        "when it happened, since the first event of the recording";
    time_ns: nanoseconds = |scene, it| scene.time_ns(it.time),
        "`time` in nanoseconds";
    kind: Word = |_, it| Label::Kind(it.kind),
        "its kind, such as `tx_queue_send`";
    position: U8 = |_, it| it.index + 1,
        "position among the arguments of the event, from 1";
    name: Word = |_, it| it.name,
        "the argument's name";
    type: Word = |_, it| Label::Static(it.type_name),
        "meaning of the value: class of an object, `address`, `count`, `bytes`, `ticks`, `priority`, `flags` …";
    value: optional U64 = |_, it| it.value,
        "its value as recorded; missing where it is no number";
    text: Text = |_, it| it.text.clone(),
        "its value in words: an object by its name";
}

/// Events per entry of [`ArgumentList::counts`].
const BLOCK_EVENTS: usize = 16;

/// The arguments of all events.
struct ArgumentList<'a> {
    trace: &'a Trace,
    /// The number of rows before each block of events, and the total.
    counts: OnceLock<Vec<usize>>,
}

impl ArgumentList<'_> {
    fn counts(&self) -> &[usize] {
        self.counts.get_or_init(|| {
            let events = self.trace.events.len();
            let mut counts = vec![0];
            let mut count = 0;
            for start in (0..events).step_by(BLOCK_EVENTS) {
                let block = start..events.min(start + BLOCK_EVENTS);
                self.trace
                    .events
                    .visit(block, |event| count += argument_count(self.trace, &event));
                counts.push(count);
            }
            counts
        })
    }
}

impl RowList for ArgumentList<'_> {
    type Row = ArgumentRow;

    fn len(&self) -> usize {
        self.counts().last().copied().unwrap_or_default()
    }

    fn visit(&self, rows: Range<usize>, mut see: impl FnMut(&ArgumentRow)) {
        let counts = self.counts();
        let blocks = counts.len() - 1;
        let first = counts.partition_point(|count| *count <= rows.start);
        let first = first.saturating_sub(1);
        let end = counts.partition_point(|count| *count < rows.end);
        let mut row = counts.get(first).copied().unwrap_or_default();
        let events =
            first * BLOCK_EVENTS..(end.min(blocks) * BLOCK_EVENTS).min(self.trace.events.len());
        self.trace.events.visit(events, |event| {
            let count = argument_count(self.trace, &event);
            if row < rows.end && rows.start < row + count {
                for_each_argument(self.trace, &event, |said| {
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

/// The number of arguments of an event.
fn argument_count(trace: &Trace, event: &Event) -> usize {
    let Some(kind) = trace.catalogue.get(event.kind) else {
        return 0;
    };
    let items = match kind.extras {
        ExtrasLayout::Items => trace.events.extras.items(event.index).count(),
        ExtrasLayout::Arguments(_) => 0,
    };
    trace.raw_arguments(kind, event).count() + items
}

/// Calls `visit` with each argument of an event.
fn for_each_argument(trace: &Trace, event: &Event, mut see: impl FnMut(ArgumentRow)) {
    let Some(kind) = trace.catalogue.get(event.kind) else {
        return;
    };
    let said = |place, name, meaning, value, shown| ArgumentRow {
        event: event.index,
        time: event.time,
        kind: event.kind,
        index: place,
        name,
        type_name: meaning,
        value,
        text: shown,
    };
    let words = trace.raw_arguments(kind, event).count();
    let mut places = 0_u8..;
    for (argument, value) in trace.raw_arguments(kind, event) {
        let ArgumentDef { meaning, .. } = argument;
        let place = places.next().unwrap_or(u8::MAX);
        let name = Label::Argument(event.kind, place);
        let shown = format!("{:#}", trace.value(*meaning, value));
        see(said(place, name, meaning.name(), Some(value), shown));
    }
    let items = trace.arguments(kind, event).skip(words);
    let forms = trace.events.extras.items(event.index);
    for ((_, shown), item) in items.zip(forms) {
        let place = places.next().unwrap_or(u8::MAX);
        let name = item.item_type.name();
        see(said(
            place,
            Label::Static(name),
            name,
            None,
            format!("{shown:#}"),
        ));
    }
}

pub(super) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let trace = scene.trace();
    list_content(
        scene,
        ArgumentList {
            trace,
            counts: OnceLock::new(),
        },
    )
}
