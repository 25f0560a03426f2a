//! The table `arguments`: one row per argument of an event.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{ListContent, RowList};
use crate::row_context::RowContext;
use crate::{ColumnData, ColumnValues, StringTable};
use rtoscope_trace::catalogue::{ArgumentDef, ExtrasLayout};
use rtoscope_trace::render::RenderedValue;
use rtoscope_trace::{Event, EventIndex, EventKindId, Ticks, Trace};
use std::ops::Range;
use std::sync::OnceLock;

pub(crate) struct ArgumentRow<'a> {
    event: EventIndex,
    time: Ticks,
    kind: EventKindId,
    /// The index among the arguments of the event.
    index: u8,
    name: Label,
    type_name: &'static str,
    value: Option<u64>,
    shown: RenderedValue<'a>,
}

columns! {
    COLUMNS: ArgumentRow<'_>;
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
    text: Text = |_, it| format!("{:#}", it.shown),
        "formatted value: an object by its name";
}

/// Events per entry of [`ArgumentList::counts`].
const BLOCK_EVENTS: usize = 16;

/// The index of the column `text`, the last one.
const TEXT: usize = 8;

/// Values whose text is remembered while a batch is computed.
const RECENT_VALUES: usize = 1 << 12;

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

impl<'a> RowList for ArgumentList<'a> {
    type Row = ArgumentRow<'a>;

    fn len(&self) -> usize {
        self.counts().last().copied().unwrap_or_default()
    }

    fn visit(&self, rows: Range<usize>, mut visit_row: impl FnMut(&ArgumentRow<'a>)) {
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
fn for_each_argument<'a>(trace: &'a Trace, event: &Event, mut visit: impl FnMut(ArgumentRow<'a>)) {
    let Some(kind) = trace.catalogue.get(event.kind) else {
        return;
    };
    let row = |index, name, type_name, value, shown| ArgumentRow {
        event: event.index,
        time: event.time,
        kind: event.kind,
        index,
        name,
        type_name,
        value,
        shown,
    };
    let mut words = 0;
    let mut indexes = 0_u8..;
    for (argument, value) in trace.raw_arguments(kind, event) {
        let ArgumentDef { meaning, .. } = argument;
        let index = indexes.next().unwrap_or(u8::MAX);
        let name = Label::Argument(event.kind, index);
        let shown = trace.value(*meaning, value);
        visit(row(index, name, meaning.name(), Some(value), shown));
        words += 1;
    }
    if kind.extras != ExtrasLayout::Items {
        return;
    }
    let items = trace.events.extras().items(event.index);
    for (item, (_, shown)) in items.zip(trace.arguments(kind, event).skip(words)) {
        let index = indexes.next().unwrap_or(u8::MAX);
        let name = item.item_type.name();
        visit(row(index, Label::Static(name), name, None, shown));
    }
}

/// The table. Most arguments have the value of a recent one, whose text is copied instead of
/// being formatted again.
struct ArgumentsContent<'a>(ListContent<'a, ArgumentList<'a>>);

impl ArgumentsContent<'_> {
    fn texts(&self, rows: Range<usize>) -> StringTable {
        let mut strings = StringTable::default();
        let mut recent = vec![None; RECENT_VALUES];
        self.0.list().visit(rows, |row| {
            let number = strings.len();
            if let Some(value) = row.value {
                let key = (row.kind, row.index, value);
                let slot = &mut recent[slot(key)];
                if let Some((known, number)) = *slot
                    && known == key
                {
                    strings.push_copy(number);
                    return;
                }
                *slot = Some((key, number));
            }
            strings.push_display(format_args!("{:#}", row.shown));
        });
        strings
    }
}

/// The place of a value of a kind's argument among the recent values.
fn slot((kind, index, value): (EventKindId, u8, u64)) -> usize {
    let argument = u64::from(kind.0) << 8 | u64::from(index);
    let hash = (value ^ argument.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash >> 32) as usize % RECENT_VALUES
}

impl<'a> TableContent<'a> for ArgumentsContent<'a> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn values(&self, column: usize, rows: Range<usize>) -> ColumnValues<'a> {
        match column {
            TEXT => ColumnData::Text(self.texts(rows)).into(),
            _ => self.0.values(column, rows),
        }
    }
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let trace = ctx.trace();
    let list = ArgumentList {
        trace,
        counts: OnceLock::new(),
    };
    Box::new(ArgumentsContent(ListContent::new(ctx, list)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_the_last_column() {
        // The first two are common to all tables.
        assert_eq!(COLUMNS[TEXT + 2].name, "text");
        assert_eq!(COLUMNS.len(), TEXT + 3);
    }
}
