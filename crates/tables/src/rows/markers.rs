//! The table `markers`.

use super::TableContent;
use super::column_getters::columns;
use super::label::{Label, context_number};
use super::row_list::{RowList, list_content, visit_blocks};
use crate::row_context::RowContext;
use rtoscope_analysis::markers::{MarkerId, MarkerInstant, MarkerSpan};
use rtoscope_trace::{ContextId, EventIndex, Ticks};
use std::ops::Range;

/// A span or an instant.
pub(super) struct MarkerRow {
    marker: MarkerId,
    value: u64,
    kind: &'static str,
    begin: Option<(EventIndex, Ticks)>,
    end: Option<(EventIndex, Ticks)>,
    ending: Option<&'static str>,
}

columns! {
    COLUMNS: MarkerRow;
    name: Name = |_, it| Label::Marker(it.marker),
        "name of the marker";
    value: U64 = |_, it| it.value,
        "value that the application gave it, which identifies a span among those of its name";
    kind: Dictionary = |_, it| Label::Static(it.kind),
        "`span` or `instant`";
    context_id: optional U32 = |ctx, it| context_number(it.context(ctx)),
        "number of the context in which it begins; of its end if the begin is not recorded";
    context: optional Name = |ctx, it| Label::context(it.context(ctx)),
        "name of that context";
    core: optional U8 = |ctx, it| ctx.trace().events.core(it.first_event()),
        "core of that event";
    start: optional time = |_, it| it.begin.map(|(_, time)| time),
        "time at which the span begins, or of the instant, since the first event of the recording; null if it is not recorded";
    end: optional time = |_, it| it.end.map(|(_, time)| time),
        "time at which the span ends, or of the instant; null if it is not recorded";
    duration: optional duration = |_, it| it.duration(),
        "duration of the span, 0 of an instant; null if begin or end is not recorded";
    ending: optional Dictionary = |_, it| it.ending.map(Label::Static),
        "of a span: `ended`, `open` (the trace ends first), `lost` (events are missing)";
    first_event: optional event = |ctx, it| it.begin.map(|(event, _)| ctx.event_number(event)),
        "event of the begin, or of the instant";
    last_event: optional event = |ctx, it| it.end.map(|(event, _)| ctx.event_number(event)),
        "event of the end, or of the instant";
}

impl MarkerRow {
    fn span(span: &MarkerSpan) -> Self {
        Self {
            marker: span.marker,
            value: span.value,
            kind: "span",
            begin: span.begin.map(|event| (event, span.start)),
            end: span.end.map(|event| (event, span.until)),
            ending: Some(span.ending.name()),
        }
    }

    fn instant(instant: &MarkerInstant) -> Self {
        let at = Some((instant.event, instant.time));
        Self {
            marker: instant.marker,
            value: instant.value,
            kind: "instant",
            begin: at,
            end: at,
            ending: None,
        }
    }

    fn first_event(&self) -> EventIndex {
        let first = self.begin.or(self.end);
        first.map_or(EventIndex::default(), |(event, _)| event)
    }

    fn context(&self, ctx: &RowContext<'_>) -> ContextId {
        ctx.context_of_event(self.first_event())
            .unwrap_or(ContextId::UNKNOWN)
    }

    fn duration(&self) -> Option<Ticks> {
        let (_, begin) = self.begin?;
        let (_, end) = self.end?;
        Some(Ticks(end.0.saturating_sub(begin.0)))
    }
}

/// The spans, then the instants.
struct MarkerRows<'a> {
    spans: &'a [MarkerSpan],
    instants: &'a [MarkerInstant],
}

impl RowList for MarkerRows<'_> {
    type Row = MarkerRow;

    fn len(&self) -> usize {
        self.spans.len() + self.instants.len()
    }

    fn visit(&self, rows: Range<usize>, visit: impl FnMut(&[MarkerRow])) {
        let row = |row: usize| match row.checked_sub(self.spans.len()) {
            None => self.spans.get(row).map(MarkerRow::span),
            Some(row) => self.instants.get(row).map(MarkerRow::instant),
        };
        visit_blocks(rows.filter_map(row), visit);
    }
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let markers = &ctx.recording.markers;
    list_content(
        ctx,
        MarkerRows {
            spans: &markers.spans,
            instants: &markers.instants,
        },
    )
}
