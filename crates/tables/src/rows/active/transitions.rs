//! Transitions that machines took.

use super::{Label, RowContext, SliceRows, TableContent, columns, list_content, step};
use rtoscope_analysis::active::Transition;

columns! {
    &Transition;
    event: event = |scene, it| scene.event_number(it.event),
        "the event that tells";
    time: ticks = |scene, it| scene.time(it.time),
        "when, since the first event of the recording";
    time_ns: nanoseconds = |scene, it| scene.time_ns(it.time),
        "`time` as time";
    object: Word = |_, it| Label::Context(it.object),
        "whose machine";
    context_id: U32 = |_, it| it.object.0,
        "its number in `contexts`";
    trigger: optional Word = |_, it| it.trigger.map(Label::Signal),
        "the signal that triggered it; missing of the initial one, and where it is not known";
    initial: Bool = |_, it| it.initial,
        "whether it is the machine's first, which creates it";
    source: Word = |_, it| Label::Vertex(it.source),
        "where it starts";
    target: optional Word = |_, it| it.target.map(Label::Vertex),
        "where it leads, which can be a pseudostate; missing of an internal one";
    settled: optional Word = |_, it| it.settled.map(Label::Vertex),
        "the state in which the machine stayed then, if that is known";
    step_event: optional event = |scene, it| step(scene, it.step).map(|step| scene.event_number(step.first)),
        "the first event of its step, if that is known";
}

pub(in crate::rows) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let all = scene.source.view.active.transitions.as_slice();
    list_content(
        scene,
        SliceRows {
            all,
            make_row: |_, it| it,
        },
    )
}
