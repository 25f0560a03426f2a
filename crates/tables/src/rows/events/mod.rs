//! The table `events`.

mod arguments_text;

use super::TableContent;
use super::column_builder::{ColumnBuilder, collect_column, to_i64};
use super::column_getters::columns;
use super::dictionary::{CodeCache, Dictionary};
use super::kind_table::KindTable;
use super::label::{Label, context_number};
use crate::row_context::RowContext;
use crate::{ColumnData, ColumnValues, StringTable};
use arguments_text::arguments_text;
use rtoscope_trace::{ContextId, EventKindId, Events, Ticks};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use zerocopy::{FromBytes as _, IntoBytes as _};

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
    Object object: optional Name,
        "first object among the arguments: its name, or its address if it has no name";
    Arguments arguments: Text,
        "formatted arguments with their names";
}

/// The rows of the table `events`.
struct EventRows<'a> {
    ctx: RowContext<'a>,
    contexts: OnceLock<Arc<StringTable>>,
    kinds: OnceLock<KindTable<'a>>,
    objects: OnceLock<Dictionary>,
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    Box::new(EventRows {
        ctx,
        contexts: OnceLock::new(),
        kinds: OnceLock::new(),
        objects: OnceLock::new(),
    })
}

impl<'a> TableContent<'a> for EventRows<'a> {
    fn len(&self) -> usize {
        self.events().len()
    }

    fn values(&self, column: usize, rows: Range<usize>) -> ColumnValues<'a> {
        let events = self.events();
        let Some(event_column) = EventColumn::ALL.get(column) else {
            return ColumnData::Bool(Vec::new()).into();
        };
        match event_column {
            EventColumn::Event => event_numbers(self.ctx.trace().origin.event, rows),
            EventColumn::Time => self.times(rows),
            EventColumn::TimeNs => self.times_ns(rows),
            EventColumn::Timestamp => timestamps(events, rows),
            EventColumn::Core => cores(events, rows),
            EventColumn::ContextId => {
                let contexts = events.contexts_of(rows);
                let ids = contexts.iter().map(|context| context_number(*context));
                collect_column(ids, |ids| ColumnData::U32(Cow::Owned(ids)))
            }
            EventColumn::Context => {
                let contexts = events.contexts_of(rows);
                self.context_names(contexts.iter().copied().map(Some))
            }
            EventColumn::Kind => self.by_kind(rows, KindTable::name_strings),
            EventColumn::Number => {
                let kinds = events.kinds_of(rows);
                ColumnData::U32(kinds.iter().map(|kind| kind.0).collect()).into()
            }
            EventColumn::Component => self.by_kind(rows, KindTable::component_strings),
            EventColumn::Priority => {
                let mut column = ColumnBuilder::new(rows.len());
                events.visit_headers(rows, |header| column.push(header.priority()));
                column.finish(|all| ColumnData::U16(Cow::Owned(all)))
            }
            EventColumn::Threshold => {
                let mut column = ColumnBuilder::new(rows.len());
                events.visit_headers(rows, |header| column.push(header.threshold()));
                column.finish(|all| ColumnData::U16(Cow::Owned(all)))
            }
            EventColumn::Interrupted => {
                let mut interrupted = Vec::with_capacity(rows.len());
                events.visit_headers(rows, |header| interrupted.push(header.interrupted()));
                self.context_names(interrupted.into_iter())
            }
            EventColumn::Info1 => self.argument(rows, 0),
            EventColumn::Info2 => self.argument(rows, 1),
            EventColumn::Info3 => self.argument(rows, 2),
            EventColumn::Info4 => self.argument(rows, 3),
            EventColumn::Object => self.first_objects(rows),
            EventColumn::Arguments => {
                ColumnData::Text(arguments_text(self.ctx.trace(), rows)).into()
            }
        }
    }
}

impl<'a> EventRows<'a> {
    fn events(&self) -> &'a Events {
        &self.ctx.trace().events
    }

    fn times(&self, rows: Range<usize>) -> ColumnValues<'a> {
        let times = self.events().times_of(rows);
        let is_whole = self.ctx.time(Ticks(0)) == 0;
        let borrowed = match times {
            Cow::Borrowed(times) if is_whole => as_signed(times),
            _ => None,
        };
        let shifted = || {
            let times = times.iter().map(|time| self.ctx.time(Ticks(*time)));
            Cow::Owned(times.map(to_i64).collect())
        };
        ColumnData::I64(borrowed.map_or_else(shifted, Cow::Borrowed)).into()
    }

    fn times_ns(&self, rows: Range<usize>) -> ColumnValues<'a> {
        let times = self.events().times_of(rows);
        let times = times.iter().map(|time| self.ctx.time_ns(Ticks(*time)));
        collect_column(times, |all| ColumnData::I64(Cow::Owned(all)))
    }

    fn context_names(
        &self,
        contexts: impl ExactSizeIterator<Item = Option<ContextId>>,
    ) -> ColumnValues<'a> {
        let trace = self.ctx.trace();
        let strings = self.contexts.get_or_init(|| {
            let names = trace.contexts.iter();
            Arc::new(
                names
                    .map(|context| trace.context_name(context.id))
                    .collect(),
            )
        });
        let count = strings.len();
        let codes = contexts.map(|context| {
            let context = context.filter(|context| context.index() < count);
            context.map(|context| context.0)
        });
        collect_column(codes, |codes| ColumnData::Dictionary {
            strings: Arc::clone(strings),
            codes,
        })
    }

    fn kinds(&self) -> &KindTable<'a> {
        let build = || KindTable::new(&self.ctx.trace().catalogue, self.events());
        self.kinds.get_or_init(build)
    }

    /// A dictionary column with one string per kind.
    fn by_kind(
        &self,
        rows: Range<usize>,
        dictionary: for<'k> fn(&'k KindTable<'a>) -> (&'k Arc<StringTable>, &'k [u32]),
    ) -> ColumnValues<'a> {
        let kinds = self.kinds();
        let (strings, codes) = dictionary(kinds);
        let events = self.events().kinds_of(rows);
        let code = |kind: &EventKindId| codes.get(kinds.slot(*kind)).copied().unwrap_or_default();
        let codes = events.iter().map(code).collect();
        ColumnData::Dictionary {
            strings: Arc::clone(strings),
            codes,
        }
        .into()
    }

    fn argument(&self, rows: Range<usize>, position: usize) -> ColumnValues<'a> {
        let kinds = self.kinds();
        let mut values = Vec::with_capacity(rows.len());
        let mut valid = Vec::with_capacity(rows.len());
        self.events().visit(rows, |event| {
            values.push(event.arguments[position]);
            valid.push(kinds.has_argument(kinds.slot(event.kind), position));
        });
        ColumnValues {
            data: ColumnData::U64(Cow::Owned(values)),
            valid: valid.contains(&false).then_some(valid),
        }
    }

    fn first_objects(&self, rows: Range<usize>) -> ColumnValues<'a> {
        let dictionary = self.objects.get_or_init(|| {
            Dictionary::new(&self.ctx, |add| {
                self.visit_objects(0..self.len(), |label| label.into_iter().for_each(&mut *add));
            })
        });
        let mut column = ColumnBuilder::new(rows.len());
        let mut cache = CodeCache::new();
        self.visit_objects(rows, |label| {
            column.push(label.map(|label| dictionary.code(label, &mut cache)));
        });
        column.finish(|codes| ColumnData::Dictionary {
            strings: Arc::clone(&dictionary.strings),
            codes,
        })
    }

    /// Calls `visit` with the first object among the arguments of each event.
    fn visit_objects(&self, rows: Range<usize>, mut visit: impl FnMut(Option<Label>)) {
        let (kinds, events) = (self.kinds(), self.events());
        events.visit(rows, |event| {
            let arguments = event.arguments;
            visit(
                kinds.first_object(event.kind, |position| match arguments.get(position) {
                    Some(word) => Some(*word),
                    None => {
                        let more = events.extras().words(event.index);
                        more.get(position - arguments.len()).copied().map(u64::from)
                    }
                }),
            );
        });
    }
}

/// Times as signed integers without a copy, if all of them fit.
fn as_signed(times: &[u64]) -> Option<&[i64]> {
    let fits = times.iter().all(|time| i64::try_from(*time).is_ok());
    let times = <[i64]>::ref_from_bytes(times.as_bytes());
    times.ok().filter(|_| fits)
}

fn event_numbers<'a>(first: u64, rows: Range<usize>) -> ColumnValues<'a> {
    let numbers = rows.map(|row| first.saturating_add(row as u64));
    ColumnData::I64(numbers.map(to_i64).collect()).into()
}

fn timestamps(events: &Events, rows: Range<usize>) -> ColumnValues<'_> {
    let mut values = Vec::with_capacity(rows.len());
    events.visit(rows, |event| values.push(event.timestamp));
    ColumnData::U64(Cow::Owned(values)).into()
}

fn cores(events: &Events, rows: Range<usize>) -> ColumnValues<'_> {
    let mut values = Vec::with_capacity(rows.len());
    events.visit_headers(rows, |header| values.push(header.core));
    ColumnData::U8(Cow::Owned(values)).into()
}
