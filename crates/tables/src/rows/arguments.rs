//! The table `arguments`: one row per argument of an event.

use super::TableContent;
use super::column_getters::columns;
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
    COLUMNS: ArgumentRow;
    event: event = |ctx, it| ctx.event_number(it.event),
        "the event";
    time: time = |_, it| it.time,
        "time of the event, since the first event of the recording";
    kind: Name = |_, it| Label::Kind(it.kind),
        "kind of the event, such as `tx_queue_send`";
    position: U8 = |_, it| it.index + 1,
        "position among the arguments of the event, from 1";
    name: Dictionary = |_, it| it.name,
        "name of the argument";
    type: Dictionary = |_, it| Label::Static(it.type_name),
        "meaning of the value: class of an object, `address`, `count`, `bytes`, `ticks`, `priority`, `flags` …";
    value: optional U64 = |_, it| it.value,
        "value as recorded; null if it is not a number";
    text: Text = |_, it| it.text.clone(),
        "formatted value: an object by its name";
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

    fn visit(&self, rows: Range<usize>, mut visit_row: impl FnMut(&ArgumentRow)) {
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
                for_each_argument(self.trace, &event, |argument| {
                    if rows.contains(&row) {
                        visit_row(&argument);
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
        ExtrasLayout::Items => trace.events.extras().items(event.index).count(),
        ExtrasLayout::Arguments(_) => 0,
    };
    trace.raw_arguments(kind, event).count() + items
}

/// Calls `visit` with each argument of an event.
fn for_each_argument(trace: &Trace, event: &Event, mut visit: impl FnMut(ArgumentRow)) {
    let Some(kind) = trace.catalogue.get(event.kind) else {
        return;
    };
    let row = |index, name, type_name, value, text| ArgumentRow {
        event: event.index,
        time: event.time,
        kind: event.kind,
        index,
        name,
        type_name,
        value,
        text,
    };
    let words = trace.raw_arguments(kind, event).count();
    let mut indexes = 0_u8..;
    for (argument, value) in trace.raw_arguments(kind, event) {
        let ArgumentDef { meaning, .. } = argument;
        let index = indexes.next().unwrap_or(u8::MAX);
        let name = Label::Argument(event.kind, index);
        let text = format!("{:#}", trace.value(*meaning, value));
        visit(row(index, name, meaning.name(), Some(value), text));
    }
    let items = trace.arguments(kind, event).skip(words);
    let items_of_event = trace.events.extras().items(event.index);
    for ((_, shown), item) in items.zip(items_of_event) {
        let index = indexes.next().unwrap_or(u8::MAX);
        let name = item.item_type.name();
        visit(row(
            index,
            Label::Static(name),
            name,
            None,
            format!("{shown:#}"),
        ));
    }
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let trace = ctx.trace();
    list_content(
        ctx,
        ArgumentList {
            trace,
            counts: OnceLock::new(),
        },
    )
}
