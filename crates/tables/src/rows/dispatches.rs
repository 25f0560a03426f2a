//! Threads that are given a core.

use super::Content;
use super::field::columns;
use super::key::Key;
use super::list::{Flat, listed};
use crate::scene::Scene;
use rtoscope_analysis::schedule::{Cause, Dispatch};

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
    context: Word = |_, it| Key::Context(it.thread),
        "its name";
    before: optional Word = |_, it| Key::context(it.before),
        "who executed before: a thread, `(idle)` or `(initialize)`; missing where that is not known";
    cause: Word = |_, it| Key::Word(cause(it.cause)),
        "why: `start` (of the scheduler), `idle` (nothing else was ready), `suspension` (of the one before), `solicited` (by a call of the one before), `interrupt`, `time-slice`, `yield`, `unknown`";
    is_switch: Bool = |_, it| it.is_switch(),
        "whether it is another thread than the last one on the core; idle in between does not matter";
    event: event = |scene, it| scene.event(it.event),
        "the event that caused it, or the last before it";
}

fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Start => "start",
        Cause::Idle => "idle",
        Cause::Suspension => "suspension",
        Cause::Solicited => "solicited",
        Cause::Interrupt => "interrupt",
        Cause::TimeSlice => "time-slice",
        Cause::Yield => "yield",
        Cause::Unknown => "unknown",
    }
}

pub(super) fn rows<'a>(scene: Scene<'a>) -> Box<dyn Content<'a> + 'a> {
    let all = scene.source.view.schedule.dispatches.as_slice();
    listed(
        scene,
        Flat {
            all,
            row: |_, it| it,
        },
    )
}
