//! The table `steps`.

use super::{Label, RowContext, SliceRows, TableContent, columns, list_content, post};
use rtoscope_analysis::active::{RtcStep, StepEnding};
use rtoscope_trace::Ticks;
use rtoscope_trace::active_object::StepOutcome;

columns! {
    &RtcStep;
    object: Word = |_, it| Label::Context(it.object),
        "active object that handled the event";
    context_id: U32 = |_, it| it.object.0,
        "its number in `contexts`";
    signal: optional Word = |_, it| it.signal.map(Label::Signal),
        "signal of the event; null for the initial transition and if not recorded";
    initial: Bool = |_, it| it.initial,
        "whether this is the initial step, which creates the state machine";
    start: ticks = |scene, it| scene.time(it.start),
        "start of the step, since the first event of the recording";
    end: ticks = |scene, it| scene.time(it.end),
        "end of the step, or its last record";
    duration: ticks = |_, it| duration(it).0,
        "duration of the step, as far as it is known";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.start),
        "`start` in nanoseconds";
    end_ns: nanoseconds = |scene, it| scene.time_ns(it.end),
        "`end` in nanoseconds";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(duration(it)),
        "`duration` in nanoseconds";
    ending: Word = |_, it| Label::Static(ending_name(it.ending)),
        "`processed`, `unhandled`, `guard-false`, `no-branch`, `unknown-state`, `too-deep`, `too-many-segments`; `lost` (events are missing), `unrecorded` (the outcome is not recorded), `open` (the trace ends first)";
    guards_false: U32 = |_, it| it.guards_false,
        "number of guards that evaluated to false";
    state_before: optional Word = |_, it| it.before.map(Label::Vertex),
        "state before the step, if known";
    state_after: optional Word = |_, it| it.after.map(Label::Vertex),
        "state after the step, if known";
    post_event: optional event = |scene, it| post(scene, it.post).map(|post| scene.event_number(post.event)),
        "event that posted the handled event; null if that is not certain";
    first_event: event = |scene, it| scene.event_number(it.first),
        "first event of the step";
    last_event: event = |scene, it| scene.event_number(it.last),
        "last event of the step";
}

fn duration(step: &RtcStep) -> Ticks {
    Ticks(step.end.0.saturating_sub(step.start.0))
}

fn ending_name(ending: StepEnding) -> &'static str {
    match ending {
        StepEnding::Recorded(StepOutcome::Processed) => "processed",
        StepEnding::Recorded(StepOutcome::Unhandled) => "unhandled",
        StepEnding::Recorded(StepOutcome::GuardFalse) => "guard-false",
        StepEnding::Recorded(StepOutcome::NoBranch) => "no-branch",
        StepEnding::Recorded(StepOutcome::UnknownState) => "unknown-state",
        StepEnding::Recorded(StepOutcome::TooDeep) => "too-deep",
        StepEnding::Recorded(StepOutcome::TooManySegments) => "too-many-segments",
        StepEnding::Lost => "lost",
        StepEnding::Unrecorded => "untold",
        StepEnding::Open => "open",
    }
}

pub(in crate::rows) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let all = scene.source.view.active.steps.as_slice();
    list_content(
        scene,
        SliceRows {
            all,
            make_row: |_, it| it,
        },
    )
}
