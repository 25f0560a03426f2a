//! The table `arguments`: one row per argument of an event.

mod layout;

use super::TableContent;
use super::column_builder::{ColumnBuilder, to_i64_column};
use super::column_getters::columns;
use crate::row_context::RowContext;
use crate::{ColumnData, ColumnValues, StringTable};
use layout::{Argument, ArgumentLayouts, Recorded};
use rtoscope_trace::{Event, EventIndex, EventKindId, Trace};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

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

/// Events per entry of [`ArgumentRows::counts`].
const BLOCK_EVENTS: usize = 16;

/// Values whose text is remembered while a batch is computed.
const RECENT_VALUES: usize = 1 << 12;

/// The arguments of all events.
struct ArgumentRows<'a> {
    ctx: RowContext<'a>,
    layouts: OnceLock<ArgumentLayouts<'a>>,
    /// The number of rows before each block of events, and the total.
    counts: OnceLock<Vec<usize>>,
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    Box::new(ArgumentRows {
        ctx,
        layouts: OnceLock::new(),
        counts: OnceLock::new(),
    })
}

impl<'a> TableContent<'a> for ArgumentRows<'a> {
    fn len(&self) -> usize {
        self.counts().last().copied().unwrap_or_default()
    }

    fn values(&self, column: usize, rows: Range<usize>) -> ColumnValues<'a> {
        let Some(column) = ArgumentColumn::ALL.get(column) else {
            return ColumnData::Bool(Vec::new()).into();
        };
        let ctx = &self.ctx;
        let dictionary = |strings: &Arc<StringTable>| {
            let strings = Arc::clone(strings);
            move |codes| ColumnData::Dictionary { strings, codes }
        };
        match column {
            ArgumentColumn::Event => {
                let number = |event: &Event| Some(ctx.event_number(event.index));
                self.by_event(rows, number, to_i64_column)
            }
            ArgumentColumn::Time => {
                self.by_event(rows, |event| Some(ctx.time(event.time)), to_i64_column)
            }
            ArgumentColumn::TimeNs => self.by_event(
                rows,
                |event| ctx.time_ns(event.time),
                |all| ColumnData::I64(Cow::Owned(all)),
            ),
            ArgumentColumn::Kind => {
                let (strings, codes) = self.layouts().kinds.name_strings();
                let code = |event: &Event| {
                    let slot = self.layouts().kinds.slot(event.kind);
                    codes.get(slot).copied()
                };
                self.by_event(rows, code, dictionary(strings))
            }
            ArgumentColumn::Position => self.by_argument(
                rows,
                |argument| Some(argument.position),
                |all| ColumnData::U8(Cow::Owned(all)),
            ),
            ArgumentColumn::Name => self.by_argument(
                rows,
                |argument| Some(argument.name),
                dictionary(&self.layouts().names),
            ),
            ArgumentColumn::Type => self.by_argument(
                rows,
                |argument| Some(argument.type_name),
                dictionary(&self.layouts().type_names),
            ),
            ArgumentColumn::Value => self.by_argument(
                rows,
                |argument| match argument.recorded {
                    Recorded::Word(_, value) => Some(value),
                    Recorded::Item(_) => None,
                },
                |all| ColumnData::U64(Cow::Owned(all)),
            ),
            ArgumentColumn::Text => ColumnData::Text(self.texts(rows)).into(),
        }
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
    fn visit_events(&self, rows: &Range<usize>, mut visit: impl FnMut(&Event, Range<usize>)) {
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
                visit(&event, part.start - row..part.end - row);
            }
            row = next;
        });
    }

    fn visit_arguments(&self, rows: &Range<usize>, mut visit: impl FnMut(&Event, &Argument<'a>)) {
        let (extras, layouts) = (self.trace().events.extras(), self.layouts());
        self.visit_events(rows, |event, part| {
            let arguments = layouts.arguments(extras, event);
            for argument in arguments.skip(part.start).take(part.len()) {
                visit(event, &argument);
            }
        });
    }

    /// A column that has one value in all rows of an event.
    fn by_event<V: Copy + Default>(
        &self,
        rows: Range<usize>,
        value: impl Fn(&Event) -> Option<V>,
        data: impl FnOnce(Vec<V>) -> ColumnData<'a>,
    ) -> ColumnValues<'a> {
        let mut column = ColumnBuilder::new(rows.len());
        self.visit_events(&rows, |event, part| {
            let value = value(event);
            part.for_each(|_| column.push(value));
        });
        column.finish(data)
    }

    fn by_argument<V: Default>(
        &self,
        rows: Range<usize>,
        value: impl Fn(&Argument<'a>) -> Option<V>,
        data: impl FnOnce(Vec<V>) -> ColumnData<'a>,
    ) -> ColumnValues<'a> {
        let mut column = ColumnBuilder::new(rows.len());
        self.visit_arguments(&rows, |_, argument| column.push(value(argument)));
        column.finish(data)
    }

    /// The column `text`. Most arguments have the value of a recent one, whose text is copied
    /// instead of being formatted again.
    fn texts(&self, rows: Range<usize>) -> StringTable {
        let trace = self.trace();
        let mut strings = StringTable::default();
        let mut recent = vec![None; RECENT_VALUES];
        self.visit_arguments(&rows, |event, argument| match argument.recorded {
            Recorded::Word(meaning, value) => {
                let key = (event.kind, argument.position, value);
                let number = strings.len();
                match recent[place(key)].replace((key, number)) {
                    Some((known, number)) if known == key => strings.push_copy(number),
                    _ => strings.push_display(format_args!("{:#}", trace.value(meaning, value))),
                }
            }
            Recorded::Item(item) => {
                strings.push_display(format_args!("{:#}", trace.item(item)));
            }
        });
        strings
    }
}

/// The place of a value of a kind's argument among the recent values.
fn place((kind, position, value): (EventKindId, u8, u64)) -> usize {
    let argument = u64::from(kind.0) << 8 | u64::from(position);
    let hash = (value ^ argument.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash >> 32) as usize % RECENT_VALUES
}
