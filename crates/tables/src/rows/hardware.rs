//! Tables of declared hardware and slots.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::markers::{MarkerId, SpanEnding};
use rtoscope_analysis::report::hardware::{BusySpan, SlotSpan, busy_spans, slot_spans};
use rtoscope_trace::Ticks;

columns! {
    HARDWARE_SPANS: BusySpan;
    hardware: Name = |_, it| Label::Marker(it.span.marker),
        "name of the hardware, as declared";
    start: time = |_, it| it.span.start,
        "time of the kick, since the first event of the recording";
    end: optional time = |_, it| end(it),
        "time of the signal that ended it; null if it is not recorded";
    busy: optional duration = |_, it| it.span.duration(),
        "from `start` to `end`";
    down: optional duration = |_, it| it.down,
        "down time before it: from the previous end to `start`; null if not known";
    cpu_worked: duration = |_, it| it.cpu_worked,
        "time of all cores in the span in which they ran threads, interrupts or the kernel";
    cpu_idle: duration = |_, it| it.cpu_idle,
        "time of all cores in the span in which they were idle";
    ending: Dictionary = |_, it| Label::Static(it.span.ending.name()),
        "`ended`, `open` (the trace ends first), `lost` (events are missing)";
    first_event: optional event = |ctx, it| it.span.begin.map(|event| ctx.event_number(event)),
        "event of the kick";
    last_event: optional event = |ctx, it| it.span.end.map(|event| ctx.event_number(event)),
        "event that signalled the end";
}

fn end(busy: &BusySpan) -> Option<Ticks> {
    (busy.span.ending == SpanEnding::Ended).then_some(busy.span.until)
}

pub(super) fn hardware_span_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let view = ctx.recording.view();
    let units = view.hardware.units.iter();
    let rows = units.flat_map(|unit| busy_spans(&view, unit));
    list_content(ctx, OwnedRows(rows.collect()))
}

/// A span in a slot.
pub(super) struct SlotSpanRow {
    schedule: String,
    subject: MarkerId,
    observed: SlotSpan,
}

columns! {
    SLOT_SPANS: SlotSpanRow;
    schedule: TextName = |_, it| it.schedule.clone(),
        "name of the schedule, as declared";
    subject: Name = |_, it| Label::Marker(it.subject),
        "hardware or marker that has the slot";
    start: time = |_, it| it.observed.span.start,
        "observed start, since the first event of the recording";
    end: time = |_, it| it.observed.span.until,
        "observed end";
    planned_start: optional time = |_, it| Some(it.observed.window?.start),
        "start of the slot; null before the first cycle";
    planned_end: optional time = |_, it| Some(it.observed.window?.end),
        "end of the slot; null before the first cycle";
    early: optional duration = |_, it| it.observed.early(),
        "by how much `start` is before the slot; 0 if it is not";
    late: optional duration = |_, it| it.observed.late(),
        "by how much `end` is after the slot; 0 if it is not";
    event: event = |ctx, it| ctx.event_number(it.observed.span.first_event()),
        "event of the observed start";
}

pub(super) fn slot_span_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let view = ctx.recording.view();
    let rows = view.hardware.slots.iter().flat_map(|slot| {
        let spans = slot_spans(&view, slot).into_iter();
        spans.map(|observed| SlotSpanRow {
            schedule: slot.schedule.clone(),
            subject: slot.subject,
            observed,
        })
    });
    list_content(ctx, OwnedRows(rows.collect()))
}
