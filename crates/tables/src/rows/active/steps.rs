//! Run-to-completion steps.

use super::{Label, RowContext, SliceRows, TableContent, columns, list_content, post};
use rtoscope_analysis::active::{RtcStep, StepEnding};
use rtoscope_trace::Ticks;
use rtoscope_trace::active_object::StepOutcome;

columns! {
    &RtcStep;
    object: Word = |_, it| Label::Context(it.object),
        "who handles the event";
    context_id: U32 = |_, it| it.object.0,
        "its number in `contexts`";
    signal: optional Word = |_, it| it.signal.map(Label::Signal),
        "what for; missing of the initial transition, and where it is not recorded";
    initial: Bool = |_, it| it.initial,
        "whether it is the machine's first, which creates it";
    start: ticks = |scene, it| scene.time(it.start),
        "when it began, since the first event of the recording";
    end: ticks = |scene, it| scene.time(it.end),
        "when it ended, or its last record";
    duration: ticks = |_, it| duration(it).0,
        "how long it took, as far as is known";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.start),
        "`start` as time";
    end_ns: nanoseconds = |scene, it| scene.time_ns(it.end),
        "`end` as time";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(duration(it)),
        "`duration` as time";
    ending: Word = |_, it| Label::Static(ending_name(it.ending)),
        "`processed`, `unhandled`, `guard-false`, `no-branch`, `unknown-state`, `too-deep`, `too-many-segments`; `lost` (events are missing), `untold` (not recorded), `open` (the trace ends)";
    guards_false: U32 = |_, it| it.guards_false,
        "guards that were false in it";
    before: optional Word = |_, it| it.before.map(Label::Vertex),
        "the state before, if it is known";
    after: optional Word = |_, it| it.after.map(Label::Vertex),
        "the state after, if it is known";
    post_event: optional event = |scene, it| post(scene, it.post).map(|post| scene.event_number(post.event)),
        "the event that posted what it handles, if that is certain";
    first_event: event = |scene, it| scene.event_number(it.first),
        "its first event";
    last_event: event = |scene, it| scene.event_number(it.last),
        "its last event";
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
