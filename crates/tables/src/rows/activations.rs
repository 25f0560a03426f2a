//! The table `activations`.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::report::latency::ThreadActivation;
use rtoscope_analysis::report::periods::thread_activations;

columns! {
    COLUMNS: ThreadActivation;
    context_id: U32 = |_, it| it.thread.0,
        "number of the thread";
    context: Name = |_, it| Label::Context(it.thread),
        "name of the thread";
    start: time = |_, it| it.start,
        "time at which the thread was resumed, since the first event of the recording; in a context-switch log, time at which it got a core";
    first_event: event = |ctx, it| ctx.event_number(it.event),
        "event that resumed the thread";
    by_interrupt: optional Bool = |_, it| it.by_interrupt,
        "whether an interrupt resumed it; null in a context-switch log";
    wake_up: optional duration = |_, it| it.wake_up.map(|it| it.duration),
        "wake-up latency: from `start` until the thread ran; null if not recorded";
    response: optional duration = |_, it| it.response.map(|it| it.duration),
        "response time: from `start` until the thread's next suspension; null if not recorded";
    period: optional duration = |_, it| it.period.map(|it| it.duration),
        "time since the previous activation; null if an activation in between may be missing";
    jitter: optional duration = |_, it| it.jitter.map(|it| it.duration),
        "difference between this period and the previous one";
    run_event: optional event = |ctx, it| it.wake_up.map(|it| ctx.event_number(it.event)),
        "last event before the thread ran";
    suspend_event: optional event = |ctx, it| it.response.map(|it| ctx.event_number(it.event)),
        "event of the next suspension";
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    list_content(ctx, OwnedRows(thread_activations(&ctx.recording.view())))
}
