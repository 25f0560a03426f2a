//! The table `transitions`.

use super::{Label, RowContext, SliceRows, TableContent, columns, list_content, step};
use rtoscope_analysis::active::Transition;

columns! {
    &Transition;
    event: event = |scene, it| scene.event_number(it.event),
        "event that recorded the transition";
    time: ticks = |scene, it| scene.time(it.time),
        "time of the transition, since the first event of the recording";
    time_ns: nanoseconds = |scene, it| scene.time_ns(it.time),
        "`time` in nanoseconds";
    object: Word = |_, it| Label::Context(it.object),
        "active object that runs the state machine";
    context_id: U32 = |_, it| it.object.0,
        "its number in `contexts`";
    trigger: optional Word = |_, it| it.trigger.map(Label::Signal),
        "signal that triggered the transition; null for the initial transition and if unknown";
    initial: Bool = |_, it| it.initial,
        "whether this is the initial transition, which creates the state machine";
    source: Word = |_, it| Label::Vertex(it.source),
        "source of the transition";
    target: optional Word = |_, it| it.target.map(Label::Vertex),
        "target of the transition, which can be a pseudostate; null for an internal transition";
    resulting_state: optional Word = |_, it| it.settled.map(Label::Vertex),
        "state of the machine after the transition, if known";
    step_event: optional event = |scene, it| step(scene, it.step).map(|step| scene.event_number(step.first)),
        "first event of the step, if known";
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
