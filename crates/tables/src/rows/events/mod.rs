//! The table `events`.

mod arguments_text;

use super::TableContent;
use super::arguments::ArgumentLayouts;
use super::column_filler::{
    ColumnFiller, RowBlocks, RowSource, column, dictionary_column, text_column, to_i64_column,
};
use super::column_getters::columns;
use super::kind_table::{KindTable, ObjectValue};
use super::label::context_number;
use crate::row_context::RowContext;
use crate::{ColumnData, StringTable};
use arguments_text::arguments_text;
use foldhash::HashMap;
use rtoscope_trace::{ContextId, Event};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

columns! {
    enum EventColumn;
    Event event: event,
        "number of the event in the recording, from 0";
    Time time: ticks,
        "time of the event, since the first event of the recording";
    TimeNs time_ns: nanoseconds,
        "`time` in nanoseconds";
    Timestamp timestamp: U64,
        "timestamp as recorded, not masked";
    Core core: U8,
        "core that logged the event";
    ContextId context_id: optional U32,
        "number of the running context";
    Context context: optional Name,
        "name of the running context: a thread or active object, `(interrupt)`, `(initialize)`, `(idle)`";
    Kind kind: Name,
        "kind of the event, such as `tx_queue_send`";
    Number number: U32,
        "number of the kind in the format";
    Component component: Dictionary,
        "component that the kind belongs to: `threadx`, `filex`, `user` …; for RKH the group";
    Priority priority: optional U16,
        "priority of the running thread; 0 is the highest";
    Threshold threshold: optional U16,
        "its preemption threshold, if recorded";
    Interrupted interrupted: optional Name,
        "in an interrupt, the interrupted thread or `(idle)`, if recorded";
    Info1 info1: optional U64,
        "information field 1 as recorded; null if the kind has none";
    Info2 info2: optional U64,
        "information field 2";
    Info3 info3: optional U64,
        "information field 3";
    Info4 info4: optional U64,
        "information field 4";
    Object object: optional TextName,
        "first object among the arguments: its name, or its address if it has no name";
    Arguments arguments: Text,
        "formatted arguments with their names";
}

/// The rows of the table `events`.
struct EventRows<'a> {
    ctx: RowContext<'a>,
    contexts: OnceLock<Arc<StringTable>>,
    layouts: OnceLock<ArgumentLayouts<'a>>,
}

/// An event and the slot of its kind in [`KindTable`].
struct EventRow {
    event: Event,
    kind_slot: usize,
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    Box::new(EventRows {
        ctx,
        contexts: OnceLock::new(),
        layouts: OnceLock::new(),
    })
}

impl RowSource for EventRows<'_> {
    type Row = EventRow;

    fn len(&self) -> usize {
        self.ctx.trace().events.len()
    }

    fn visit(&self, rows: Range<usize>, visit: impl FnMut(&[EventRow])) {
        let mut blocks = RowBlocks::new(visit);
        let kinds = self.kinds();
        self.ctx.trace().events.visit(rows, |event| {
            let kind_slot = kinds.slot(event.kind);
            blocks.push(EventRow { event, kind_slot });
        });
        blocks.finish();
    }

    fn filler(&self, number: usize, rows: usize) -> Option<Box<dyn ColumnFiller<EventRow> + '_>> {
        let ctx = &self.ctx;
        macro_rules! column {
            ($data:path, |$event:ident| $value:expr) => {
                column(
                    rows,
                    |EventRow { event: $event, .. }: &EventRow| $value,
                    $data,
                )
            };
        }
        Some(match EventColumn::ALL.get(number)? {
            EventColumn::Event => {
                column!(to_i64_column, |event| Some(ctx.event_number(event.index)))
            }
            EventColumn::Time => column!(to_i64_column, |event| Some(ctx.time(event.time))),
            EventColumn::TimeNs => column!(ColumnData::I64, |event| ctx.time_ns(event.time)),
            EventColumn::Timestamp => column!(ColumnData::U64, |event| Some(event.timestamp)),
            EventColumn::Core => column!(ColumnData::U8, |event| Some(event.core)),
            EventColumn::ContextId => {
                column!(ColumnData::U32, |event| context_number(event.context))
            }
            EventColumn::Context => self.contexts(rows, |event| Some(event.context)),
            EventColumn::Kind => self.by_kind(rows, self.kinds().name_strings()),
            EventColumn::Number => column!(ColumnData::U32, |event| Some(event.kind.0)),
            EventColumn::Component => self.by_kind(rows, self.kinds().component_strings()),
            EventColumn::Priority => column!(ColumnData::U16, |event| event.priority()),
            EventColumn::Threshold => column!(ColumnData::U16, |event| event.threshold()),
            EventColumn::Interrupted => self.contexts(rows, Event::interrupted),
            EventColumn::Info1 => self.argument(rows, 0),
            EventColumn::Info2 => self.argument(rows, 1),
            EventColumn::Info3 => self.argument(rows, 2),
            EventColumn::Info4 => self.argument(rows, 3),
            EventColumn::Object => {
                let trace = ctx.trace();
                let mut codes = HashMap::default();
                text_column(rows, move |row: &EventRow, texts| {
                    let object = self.first_object(row)?;
                    let code = || texts.code(|texts| object.write(trace, texts));
                    Some(*codes.entry(object).or_insert_with(code))
                })
            }
            EventColumn::Arguments => arguments_text(ctx.trace(), self.layouts(), rows),
        })
    }
}

impl<'a> EventRows<'a> {
    fn contexts<'f>(
        &'f self,
        rows: usize,
        context: impl Fn(&Event) -> Option<ContextId> + 'f,
    ) -> Box<dyn ColumnFiller<EventRow> + 'f> {
        let trace = self.ctx.trace();
        let strings = self.contexts.get_or_init(|| {
            let contexts = trace.contexts.iter();
            let names = contexts.map(|context| trace.context_name(context.id));
            Arc::new(names.collect())
        });
        let count = strings.len();
        let code = move |row: &EventRow| {
            let context = context(&row.event)?;
            (context.index() < count).then_some(context.0)
        };
        dictionary_column(rows, code, strings)
    }

    fn layouts(&self) -> &ArgumentLayouts<'a> {
        self.layouts
            .get_or_init(|| ArgumentLayouts::new(self.ctx.trace()))
    }

    fn kinds(&self) -> &KindTable<'a> {
        &self.layouts().kinds
    }

    /// A dictionary column with one string per kind.
    fn by_kind<'f>(
        &'f self,
        rows: usize,
        (strings, codes): (&'f Arc<StringTable>, &'f [u32]),
    ) -> Box<dyn ColumnFiller<EventRow> + 'f> {
        let code = |row: &EventRow| codes.get(row.kind_slot).copied();
        dictionary_column(rows, code, strings)
    }

    fn argument(&self, rows: usize, position: usize) -> Box<dyn ColumnFiller<EventRow> + '_> {
        let kinds = self.kinds();
        let value = move |row: &EventRow| {
            let presence = kinds.argument_presence(row.kind_slot);
            presence[position].then_some(row.event.arguments[position])
        };
        column(rows, value, ColumnData::U64)
    }

    /// The first object among the arguments of an event.
    fn first_object(&self, EventRow { event, kind_slot }: &EventRow) -> Option<ObjectValue> {
        let arguments = event.arguments;
        let argument = |position| match arguments.get(position) {
            Some(word) => Some(*word),
            None => {
                let more = self.ctx.trace().events.extras().words(event.index);
                more.get(position - arguments.len()).copied().map(u64::from)
            }
        };
        self.kinds().first_object(*kind_slot, argument)
    }
}
