//! Activations of threads.

use super::Content;
use super::field::columns;
use super::key::Key;
use super::list::{Made, listed};
use crate::scene::Scene;
use rtoscope_analysis::report::latency::{Activation, Measured, activations};
use rtoscope_trace::Ticks;

columns! {
    Activation;
    context_id: U32 = |_, it| it.thread.0,
        "the thread";
    context: Word = |_, it| Key::Context(it.thread),
        "its name";
    start: ticks = |scene, it| scene.time(it.start),
        "when it was resumed, since the first event of the recording";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.start),
        "`start` as time";
    event: event = |scene, it| scene.event(it.event),
        "the event that resumed it";
    by_interrupt: Bool = |_, it| it.by_interrupt,
        "whether an interrupt did";
    wake: optional ticks = |_, it| ticks(it.wake_up),
        "wake-up latency: from there until it executed; missing where that was not recorded";
    wake_ns: nanoseconds = |scene, it| nanoseconds(scene, it.wake_up),
        "`wake` as time";
    response: optional ticks = |_, it| ticks(it.response),
        "response time: from there until its next suspension";
    response_ns: nanoseconds = |scene, it| nanoseconds(scene, it.response),
        "`response` as time";
    period: optional ticks = |_, it| ticks(it.period),
        "from the activation before; missing where another one can have been missed";
    period_ns: nanoseconds = |scene, it| nanoseconds(scene, it.period),
        "`period` as time";
    jitter: optional ticks = |_, it| ticks(it.jitter),
        "by how much the period differs from the one before";
    jitter_ns: nanoseconds = |scene, it| nanoseconds(scene, it.jitter),
        "`jitter` as time";
    execute_event: optional event = |scene, it| it.wake_up.map(|it| scene.event(it.event)),
        "the last event before it executed";
    suspend_event: optional event = |scene, it| it.response.map(|it| scene.event(it.event)),
        "the event of its next suspension";
}

fn ticks(measured: Option<Measured>) -> Option<u64> {
    measured.map(|measured| measured.ticks.0)
}

fn nanoseconds(scene: &Scene<'_>, measured: Option<Measured>) -> Option<i64> {
    scene.nanoseconds(Ticks(ticks(measured)?))
}

pub(super) fn rows<'a>(scene: Scene<'a>) -> Box<dyn Content<'a> + 'a> {
    listed(scene, Made(activations(&scene.source.view)))
}
