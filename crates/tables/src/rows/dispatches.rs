//! The table `dispatches`.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{PackedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::schedule::{Dispatch, SwitchCause};

columns! {
    COLUMNS: Dispatch;
    core: U8 = |_, it| it.core,
        "the core";
    time: time = |_, it| it.time,
        "time of the dispatch, since the first event of the recording";
    context_id: U32 = |_, it| it.thread.0,
        "number of the dispatched thread";
    context: Name = |_, it| Label::Context(it.thread),
        "name of the dispatched thread";
    previous: optional Name = |_, it| Label::context(it.previous),
        "previous context on the core: a thread, `(idle)` or `(initialize)`; null if unknown";
    cause: Dictionary = |_, it| Label::Static(cause(it.cause)),
        "`start` (of the scheduler), `idle` (the core was idle), `suspension` (of the previous thread), `solicited` (by a call of the previous thread), `interrupt`, `time-slice`, `yield`, `unknown`";
    is_switch: Bool = |_, it| it.is_switch(),
        "whether the thread differs from the last thread on the core, ignoring idle in between";
    event: event = |ctx, it| ctx.event_number(it.event),
        "event that caused the dispatch, or the last one before it";
}

fn cause(cause: SwitchCause) -> &'static str {
    match cause {
        SwitchCause::Start => "start",
        SwitchCause::Idle => "idle",
        SwitchCause::Suspension => "suspension",
        SwitchCause::Solicited => "solicited",
        SwitchCause::Interrupt => "interrupt",
        SwitchCause::TimeSlice => "time-slice",
        SwitchCause::Yield => "yield",
        SwitchCause::Unknown => "unknown",
    }
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let all = &ctx.recording.schedule.dispatches;
    list_content(
        ctx,
        PackedRows {
            all,
            make_row: |_, it| it,
        },
    )
}
