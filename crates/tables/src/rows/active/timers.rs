//! Timers from start to end.

use super::{Label, RowContext, SliceRows, TableContent, columns, list_content, post};
use rtoscope_analysis::active::{TimerEnding, TimerRun};
use rtoscope_trace::Ticks;

columns! {
    &TimerRun;
    timer: Word = |_, it| Label::Timer(it.timer),
        "the timer";
    object: Word = |_, it| Label::Context(it.object),
        "whom it sends to";
    context_id: U32 = |_, it| it.object.0,
        "its number in `contexts`";
    signal: optional Word = |_, it| it.signal.map(Label::Signal),
        "what it sends, if that is known";
    timer_ticks: U32 = |_, it| it.ticks,
        "how long it was to run, in ticks of the framework's timer";
    timer_period: U32 = |_, it| it.period,
        "the period that follows, in ticks of the framework's timer; 0 if none";
    periodic: Bool = |_, it| it.periodic,
        "whether it goes on from an expiry rather than from a start";
    start: ticks = |scene, it| scene.time(it.start),
        "from when on, since the first event of the recording";
    end: ticks = |scene, it| scene.time(it.end),
        "until when, or the last time at which it is known to have run";
    duration: ticks = |_, it| duration(it).0,
        "how long it ran, as far as is known";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.start),
        "`start` as time";
    end_ns: nanoseconds = |scene, it| scene.time_ns(it.end),
        "`end` as time";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(duration(it)),
        "`duration` as time";
    ending: Word = |_, it| Label::Static(ending_name(it.ending)),
        "`expired`, `stopped`, `restarted`, `running` (the trace ends), `lost` (events are missing)";
    timer_ticks_left: optional U32 = |_, it| ticks_left(it),
        "of one that was stopped, what was left in ticks of the framework's timer";
    first_event: event = |scene, it| scene.event_number(it.first),
        "the event with which it began";
    last_event: optional event = |scene, it| it.last.map(|event| scene.event_number(event)),
        "the event that tells how it ended, if one does";
    post_event: optional event = |scene, it| post(scene, it.post).map(|post| scene.event_number(post.event)),
        "the event that posted what it sent, if that is known";
}

fn duration(run: &TimerRun) -> Ticks {
    Ticks(run.end.0.saturating_sub(run.start.0))
}

fn ending_name(ending: TimerEnding) -> &'static str {
    match ending {
        TimerEnding::Expired => "expired",
        TimerEnding::Stopped { .. } => "stopped",
        TimerEnding::Restarted => "restarted",
        TimerEnding::Running => "running",
        TimerEnding::Lost => "lost",
    }
}

fn ticks_left(run: &TimerRun) -> Option<u32> {
    match run.ending {
        TimerEnding::Stopped { remaining: left } => Some(left),
        _ => None,
    }
}

pub(in crate::rows) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let all = scene.source.view.active.timer_runs.as_slice();
    list_content(
        scene,
        SliceRows {
            all,
            make_row: |_, it| it,
        },
    )
}
