//! The table `interrupts_off`.

use super::TableContent;
use super::column_getters::columns;
use super::label::{Label, context_number};
use super::row_list::{PackedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::schedule::InterruptsOffSection;

columns! {
    COLUMNS: InterruptsOffSection;
    core: U8 = |_, it| it.core,
        "the core";
    context_id: optional U32 = |_, it| context_number(it.context),
        "number of the context that disabled interrupts";
    context: optional Name = |_, it| Label::context(it.context),
        "name of that context";
    isr_id: optional U32 = |_, it| it.activation.map(|isr| isr.0),
        "activation in `isrs` that disabled interrupts, if any";
    isr: optional Name = |ctx, it| isr_label(ctx, it),
        "interrupt service routine of that activation";
    start: time = |_, it| it.start,
        "time at which interrupts were disabled, or the first time at which they are known to be, since the first event of the recording";
    end: time = |_, it| it.end,
        "time at which they were enabled again, or the last time at which they are known to be disabled";
    duration: duration = |_, it| it.duration(),
        "duration of the section; a lower bound if `complete` is false";
    nested: U32 = |_, it| it.nested,
        "number of times that interrupts were disabled again within the section";
    complete: Bool = |_, it| it.is_complete(),
        "whether both ends were recorded";
    start_known: Bool = |_, it| it.start_known,
        "whether the start was recorded";
    ending: Dictionary = |_, it| Label::Static(it.ending.name()),
        "`restored`, `switched` (the core switched to another context), `unrecorded`, `lost` (events are missing), `open` (the trace ends first)";
    first_event: event = |ctx, it| ctx.event_number(it.first),
        "first event of the section";
    last_event: event = |ctx, it| ctx.event_number(it.last),
        "last event of the section";
}

fn isr_label(ctx: &RowContext<'_>, masked: &InterruptsOffSection) -> Option<Label> {
    let activations = &ctx.recording.schedule.activations;
    let activation = activations.get(masked.activation?.index())?;
    Some(Label::Routine(activation.number))
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let all = &ctx.recording.schedule.interrupts_off;
    list_content(
        ctx,
        PackedRows {
            all,
            make_row: |_, it| it,
        },
    )
}
