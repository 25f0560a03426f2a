//! The table `posts`.

use super::{Label, RowContext, SliceRows, TableContent, columns, list_content, step};
use rtoscope_analysis::active::Post;

columns! {
    &Post;
    event: event = |scene, it| scene.event_number(it.event),
        "event that recorded the post";
    time: ticks = |scene, it| scene.time(it.time),
        "time of the post, since the first event of the recording";
    time_ns: nanoseconds = |scene, it| scene.time_ns(it.time),
        "`time` in nanoseconds";
    object: Word = |_, it| Label::Context(it.to),
        "active object that received the event";
    context_id: U32 = |_, it| it.to.0,
        "its number in `contexts`";
    sender: optional Word = |_, it| Label::party(it.from),
        "sender, if recorded";
    signal: Word = |_, it| Label::Signal(it.signal),
        "signal of the event: its name, or `signal` and its number";
    number: U32 = |_, it| it.signal.0,
        "number of the signal";
    front: Bool = |_, it| it.front,
        "whether the event was put at the front of the queue";
    recalled: Bool = |_, it| it.recalled,
        "whether the event had been deferred and was recalled";
    queued: optional count = |_, it| it.queued.map(u64::from),
        "number of events in the queue after the post, if recorded";
    step_event: optional event = |scene, it| step(scene, it.step).map(|step| scene.event_number(step.first)),
        "first event of the step that handled it; null if that is not certain";
}

pub(in crate::rows) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let all = scene.source.view.active.posts.as_slice();
    list_content(
        scene,
        SliceRows {
            all,
            make_row: |_, it| it,
        },
    )
}
