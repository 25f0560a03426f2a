//! Threads that are given a core.

use super::TableContent;
use super::field::columns;
use super::label::Label;
use super::row_list::{SliceRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::schedule::{Dispatch, SwitchCause};

columns! {
    &Dispatch;
    core: U8 = |_, it| it.core,
        "the core";
    time: ticks = |scene, it| scene.time(it.time),
        "when, since the first event of the recording";
    time_ns: nanoseconds = |scene, it| scene.time_ns(it.time),
        "`time` as time";
    context_id: U32 = |_, it| it.thread.0,
        "the thread that begins to execute";
    context: Word = |_, it| Label::Context(it.thread),
        "its name";
    before: optional Word = |_, it| Label::context(it.previous),
        "who executed before: a thread, `(idle)` or `(initialize)`; missing where that is not known";
    cause: Word = |_, it| Label::Static(cause(it.cause)),
        "why: `start` (of the scheduler), `idle` (nothing else was ready), `suspension` (of the one before), `solicited` (by a call of the one before), `interrupt`, `time-slice`, `yield`, `unknown`";
    is_switch: Bool = |_, it| it.is_switch(),
        "whether it is another thread than the last one on the core; idle in between does not matter";
    event: event = |scene, it| scene.event_number(it.event),
        "the event that caused it, or the last before it";
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

pub(super) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let all = scene.source.view.schedule.dispatches.as_slice();
    list_content(
        scene,
        SliceRows {
            all,
            make_row: |_, it| it,
        },
    )
}
