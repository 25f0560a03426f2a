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
    hardware: Dictionary = |_, it| Label::Marker(it.span.marker),
        "name of the hardware, as declared";
    start: ticks = |ctx, it| ctx.time(it.span.start),
        "time of the kick, since the first event of the recording";
    end: optional ticks = |ctx, it| end(it).map(|end| ctx.time(end)),
        "time of the signal that ended it; null if it is not recorded";
    busy: optional ticks = |_, it| it.span.duration().map(|ticks| ticks.0),
        "from `start` to `end`";
    down: optional ticks = |_, it| it.down.map(|ticks| ticks.0),
        "down time before it: from the previous end to `start`; null if not known";
    cpu_worked: ticks = |_, it| it.cpu_worked.0,
        "time of all cores in the span in which they ran threads, interrupts or the kernel";
    cpu_idle: ticks = |_, it| it.cpu_idle.0,
        "time of all cores in the span in which they were idle";
    start_ns: nanoseconds = |ctx, it| ctx.time_ns(it.span.start),
        "`start` in nanoseconds";
    end_ns: nanoseconds = |ctx, it| ctx.time_ns(end(it)?),
        "`end` in nanoseconds";
    busy_ns: nanoseconds = |ctx, it| ctx.nanoseconds(it.span.duration()?),
        "`busy` in nanoseconds";
    down_ns: nanoseconds = |ctx, it| ctx.nanoseconds(it.down?),
        "`down` in nanoseconds";
    cpu_worked_ns: nanoseconds = |ctx, it| ctx.nanoseconds(it.cpu_worked),
        "`cpu_worked` in nanoseconds";
    cpu_idle_ns: nanoseconds = |ctx, it| ctx.nanoseconds(it.cpu_idle),
        "`cpu_idle` in nanoseconds";
    ending: Dictionary = |_, it| Label::Static(it.span.ending.name()),
        "`ended`, `open` (the trace ends first), `lost` (events are missing)";
    kick_event: optional event = |ctx, it| it.span.begin.map(|event| ctx.event_number(event)),
        "event of the kick";
    end_event: optional event = |ctx, it| it.span.end.map(|event| ctx.event_number(event)),
        "event that signalled the end";
}

fn end(busy: &BusySpan) -> Option<Ticks> {
    (busy.span.ending == SpanEnding::Ended).then_some(busy.span.until)
}

pub(super) fn hardware_span_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
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
    schedule: Text = |_, it| it.schedule.clone(),
        "name of the schedule, as declared";
    subject: Dictionary = |_, it| Label::Marker(it.subject),
        "hardware or marker that has the slot";
    start: ticks = |ctx, it| ctx.time(it.observed.span.start),
        "observed start, since the first event of the recording";
    end: ticks = |ctx, it| ctx.time(it.observed.span.until),
        "observed end";
    planned_start: optional ticks = |ctx, it| it.observed.window.map(|window| ctx.time(window.start)),
        "start of the slot; null before the first cycle";
    planned_end: optional ticks = |ctx, it| it.observed.window.map(|window| ctx.time(window.end)),
        "end of the slot; null before the first cycle";
    early: optional ticks = |_, it| it.observed.early().map(|ticks| ticks.0),
        "by how much `start` is before the slot; 0 if it is not";
    late: optional ticks = |_, it| it.observed.late().map(|ticks| ticks.0),
        "by how much `end` is after the slot; 0 if it is not";
    start_ns: nanoseconds = |ctx, it| ctx.time_ns(it.observed.span.start),
        "`start` in nanoseconds";
    end_ns: nanoseconds = |ctx, it| ctx.time_ns(it.observed.span.until),
        "`end` in nanoseconds";
    planned_start_ns: nanoseconds = |ctx, it| ctx.time_ns(it.observed.window?.start),
        "`planned_start` in nanoseconds";
    planned_end_ns: nanoseconds = |ctx, it| ctx.time_ns(it.observed.window?.end),
        "`planned_end` in nanoseconds";
    early_ns: nanoseconds = |ctx, it| ctx.nanoseconds(it.observed.early()?),
        "`early` in nanoseconds";
    late_ns: nanoseconds = |ctx, it| ctx.nanoseconds(it.observed.late()?),
        "`late` in nanoseconds";
    event: event = |ctx, it| ctx.event_number(it.observed.span.first_event()),
        "event of the observed start";
}

pub(super) fn slot_span_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
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
