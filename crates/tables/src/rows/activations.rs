//! Activations of threads.

use super::TableContent;
use super::field::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::report::latency::{MeasuredDuration, ThreadActivation, activations};
use rtoscope_trace::Ticks;

columns! {
    ThreadActivation;
    context_id: U32 = |_, it| it.thread.0,
        "the thread";
    context: Word = |_, it| Label::Context(it.thread),
        "its name";
    start: ticks = |scene, it| scene.time(it.start),
        "when it was resumed, since the first event of the recording";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.start),
        "`start` as time";
    event: event = |scene, it| scene.event_number(it.event),
        "the event that resumed it";
    by_interrupt: Bool = |_, it| it.by_interrupt,
        "whether an interrupt did";
    wake: optional ticks = |_, it| measured_ticks(it.wake_up),
        "wake-up latency: from there until it executed; missing where that was not recorded";
    wake_ns: nanoseconds = |scene, it| measured_ns(scene, it.wake_up),
        "`wake` as time";
    response: optional ticks = |_, it| measured_ticks(it.response),
        "response time: from there until its next suspension";
    response_ns: nanoseconds = |scene, it| measured_ns(scene, it.response),
        "`response` as time";
    period: optional ticks = |_, it| measured_ticks(it.period),
        "from the activation before; missing where another one can have been missed";
    period_ns: nanoseconds = |scene, it| measured_ns(scene, it.period),
        "`period` as time";
    jitter: optional ticks = |_, it| measured_ticks(it.jitter),
        "by how much the period differs from the one before";
    jitter_ns: nanoseconds = |scene, it| measured_ns(scene, it.jitter),
        "`jitter` as time";
    execute_event: optional event = |scene, it| it.wake_up.map(|it| scene.event_number(it.event)),
        "the last event before it executed";
    suspend_event: optional event = |scene, it| it.response.map(|it| scene.event_number(it.event)),
        "the event of its next suspension";
}

fn measured_ticks(measured: Option<MeasuredDuration>) -> Option<u64> {
    measured.map(|measured| measured.ticks.0)
}

fn measured_ns(scene: &RowContext<'_>, measured: Option<MeasuredDuration>) -> Option<i64> {
    scene.nanoseconds(Ticks(measured_ticks(measured)?))
}

pub(super) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    list_content(scene, OwnedRows(activations(&scene.source.view)))
}
