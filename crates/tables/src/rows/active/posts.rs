//! Events on their way to active objects.

use super::{Label, RowContext, SliceRows, TableContent, columns, list_content, step};
use rtoscope_analysis::active::Post;

columns! {
    &Post;
    event: event = |scene, it| scene.event_number(it.event),
        "the event that tells";
    time: ticks = |scene, it| scene.time(it.time),
        "when, since the first event of the recording";
    time_ns: nanoseconds = |scene, it| scene.time_ns(it.time),
        "`time` as time";
    object: Word = |_, it| Label::Context(it.to),
        "whose queue";
    context_id: U32 = |_, it| it.to.0,
        "its number in `contexts`";
    sender: optional Word = |_, it| Label::party(it.from),
        "who posted it, if that is recorded";
    signal: Word = |_, it| Label::Signal(it.signal),
        "what for: the signal's name, or `signal` and its number";
    number: U32 = |_, it| it.signal.0,
        "the signal's number";
    front: Bool = |_, it| it.front,
        "whether it was put at the front of the queue";
    recalled: Bool = |_, it| it.recalled,
        "whether it is a deferred event that came back";
    queued: optional count = |_, it| it.queued.map(u64::from),
        "how many events the queue held then, where that is recorded";
    step_event: optional event = |scene, it| step(scene, it.step).map(|step| scene.event_number(step.first)),
        "the first event of the step that took it, if that is certain";
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
