//! The table `arguments`: one row per argument of an event.

mod layout;

use super::TableContent;
use super::column_filler::{
    ColumnFiller, RowBlocks, RowSource, column, dictionary_column, text_column, to_i64_column,
};
use super::column_getters::columns;
use crate::ColumnData;
use crate::row_context::RowContext;
use foldhash::HashMap;
pub(super) use layout::{Argument, ArgumentLayouts, Recorded};
use rtoscope_trace::{Event, EventIndex, EventKindId, Trace};
use std::ops::Range;
use std::sync::OnceLock;

columns! {
    enum ArgumentColumn;
    Event event: event,
        "the event";
    Time time: ticks,
        "time of the event, since the first event of the recording";
    TimeNs time_ns: nanoseconds,
        "`time` in nanoseconds";
    Kind kind: Name,
        "kind of the event, such as `tx_queue_send`";
    Position position: U8,
        "position among the arguments of the event, from 1";
    Name name: Dictionary,
        "name of the argument";
    Type type: Dictionary,
        "meaning of the value: class of an object, `address`, `count`, `bytes`, `ticks`, `priority`, `flags` …";
    Value value: optional U64,
        "value as recorded; null if it is not a number";
    Text text: Text,
        "formatted value: an object by its name";
}

/// What decides on the text of an argument in a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ArgumentKey {
    pub(super) value: u64,
    pub(super) kind: EventKindId,
    pub(super) position: u8,
}

/// Events per entry of [`ArgumentRows::counts`].
const BLOCK_EVENTS: usize = 16;

/// The arguments of all events.
struct ArgumentRows<'a> {
    ctx: RowContext<'a>,
    layouts: OnceLock<ArgumentLayouts<'a>>,
    /// The number of rows before each block of events, and the total.
    counts: OnceLock<Vec<usize>>,
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    Box::new(ArgumentRows {
        ctx,
        layouts: OnceLock::new(),
        counts: OnceLock::new(),
    })
}

/// An argument and its event.
struct ArgumentRow<'a> {
    event: Event,
    argument: Argument<'a>,
}

impl<'a> RowSource for ArgumentRows<'a> {
    type Row = ArgumentRow<'a>;

    fn len(&self) -> usize {
        self.counts().last().copied().unwrap_or_default()
    }

    fn visit(&self, rows: Range<usize>, visit: impl FnMut(&[ArgumentRow<'a>])) {
        let mut blocks = RowBlocks::new(visit);
        let (extras, layouts) = (self.trace().events.extras(), self.layouts());
        self.visit_events(&rows, |event, part| {
            let layout = layouts.of_kind(event.kind);
            let mut number = 0;
            layouts.visit(layout, extras, &event, |argument| {
                if part.contains(&number) {
                    blocks.push(ArgumentRow { event, argument });
                }
                number += 1;
            });
        });
        blocks.finish();
    }

    fn filler(
        &self,
        number: usize,
        rows: usize,
    ) -> Option<Box<dyn ColumnFiller<ArgumentRow<'a>> + '_>> {
        let (ctx, layouts) = (&self.ctx, self.layouts());
        Some(match ArgumentColumn::ALL.get(number)? {
            ArgumentColumn::Event => {
                let event = |row: &ArgumentRow<'a>| Some(ctx.event_number(row.event.index));
                column(rows, event, to_i64_column)
            }
            ArgumentColumn::Time => {
                let time = |row: &ArgumentRow<'a>| Some(ctx.time(row.event.time));
                column(rows, time, to_i64_column)
            }
            ArgumentColumn::TimeNs => {
                let time = |row: &ArgumentRow<'a>| ctx.time_ns(row.event.time);
                column(rows, time, ColumnData::I64)
            }
            ArgumentColumn::Kind => {
                let (strings, codes) = layouts.kinds.name_strings();
                let code = |row: &ArgumentRow<'a>| {
                    let slot = layouts.kinds.slot(row.event.kind);
                    codes.get(slot).copied()
                };
                dictionary_column(rows, code, strings)
            }
            ArgumentColumn::Position => {
                let position = |row: &ArgumentRow<'a>| Some(row.argument.position);
                column(rows, position, ColumnData::U8)
            }
            ArgumentColumn::Name => {
                let name = |row: &ArgumentRow<'a>| Some(row.argument.name);
                dictionary_column(rows, name, &layouts.names)
            }
            ArgumentColumn::Type => {
                let type_name = |row: &ArgumentRow<'a>| Some(row.argument.type_name);
                dictionary_column(rows, type_name, &layouts.type_names)
            }
            ArgumentColumn::Value => {
                let value = |row: &ArgumentRow<'a>| match row.argument.recorded {
                    Recorded::Word(_, value) => Some(value),
                    Recorded::Item(_) => None,
                };
                column(rows, value, ColumnData::U64)
            }
            ArgumentColumn::Text => self.texts(rows),
        })
    }
}

impl<'a> ArgumentRows<'a> {
    fn trace(&self) -> &'a Trace {
        self.ctx.trace()
    }

    fn layouts(&self) -> &ArgumentLayouts<'a> {
        self.layouts
            .get_or_init(|| ArgumentLayouts::new(self.trace()))
    }

    fn counts(&self) -> &[usize] {
        self.counts.get_or_init(|| {
            let events = &self.trace().events;
            let layouts = self.layouts();
            let mut counts = Vec::with_capacity(events.len() / BLOCK_EVENTS + 2);
            let mut count = 0;
            for (kind, index) in events.kinds().zip((0..).map(EventIndex)) {
                if index.index() % BLOCK_EVENTS == 0 {
                    counts.push(count);
                }
                count += layouts.of_kind(kind).count(events.extras(), index);
            }
            counts.push(count);
            counts
        })
    }

    /// Calls `visit` with each event of these rows, and which of its arguments are in them.
    fn visit_events(&self, rows: &Range<usize>, mut visit: impl FnMut(Event, Range<usize>)) {
        let counts = self.counts();
        let blocks = counts.len() - 1;
        let first = counts.partition_point(|count| *count <= rows.start);
        let first = first.saturating_sub(1).min(blocks);
        let end = counts.partition_point(|count| *count < rows.end);
        let mut row = counts.get(first).copied().unwrap_or_default();
        let (events, layouts) = (&self.trace().events, self.layouts());
        events.visit(first * BLOCK_EVENTS..end * BLOCK_EVENTS, |event| {
            let next = row
                + layouts
                    .of_kind(event.kind)
                    .count(events.extras(), event.index);
            let part = row.max(rows.start)..next.min(rows.end);
            if !part.is_empty() {
                visit(event, part.start - row..part.end - row);
            }
            row = next;
        });
    }

    /// The column `text`.
    fn texts(&self, rows: usize) -> Box<dyn ColumnFiller<ArgumentRow<'a>> + '_> {
        let trace = self.trace();
        let mut codes = HashMap::default();
        text_column(rows, move |row: &ArgumentRow<'a>, texts| {
            let Argument {
                recorded, position, ..
            } = row.argument;
            Some(match recorded {
                Recorded::Item(item) => {
                    texts.code(|texts| texts.write_display(format_args!("{:#}", trace.item(item))))
                }
                Recorded::Word(meaning, value) => {
                    let kind = row.event.kind;
                    let argument = ArgumentKey {
                        value,
                        kind,
                        position,
                    };
                    *codes.entry(argument).or_insert_with(|| {
                        let shown = trace.value(*meaning, value);
                        texts.code(|texts| texts.write_display(format_args!("{shown:#}")))
                    })
                }
            })
        })
    }
}
