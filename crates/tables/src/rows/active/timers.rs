//! The table `timers`.

use super::{Label, RowContext, SliceRows, TableContent, columns, list_content, post};
use rtoscope_analysis::active::{TimerEnding, TimerRun};
use rtoscope_trace::Ticks;

columns! {
    &TimerRun;
    timer: Word = |_, it| Label::Timer(it.timer),
        "the timer";
    object: Word = |_, it| Label::Context(it.object),
        "active object that receives the timer's event";
    context_id: U32 = |_, it| it.object.0,
        "its number in `contexts`";
    signal: optional Word = |_, it| it.signal.map(Label::Signal),
        "signal that the timer posts, if known";
    timer_ticks: U32 = |_, it| it.ticks,
        "programmed time, in ticks of the framework's timer";
    timer_period: U32 = |_, it| it.period,
        "programmed period, in ticks of the framework's timer; 0 for a one-shot timer";
    periodic: Bool = |_, it| it.periodic,
        "whether this run began with an expiry instead of a start";
    start: ticks = |scene, it| scene.time(it.start),
        "start of the run, since the first event of the recording";
    end: ticks = |scene, it| scene.time(it.end),
        "end of the run, or the last time at which the timer is known to run";
    duration: ticks = |_, it| duration(it).0,
        "duration of the run, as far as it is known";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.start),
        "`start` in nanoseconds";
    end_ns: nanoseconds = |scene, it| scene.time_ns(it.end),
        "`end` in nanoseconds";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(duration(it)),
        "`duration` in nanoseconds";
    ending: Word = |_, it| Label::Static(ending_name(it.ending)),
        "`expired`, `stopped`, `restarted`, `running` (the trace ends first), `lost` (events are missing)";
    timer_ticks_left: optional U32 = |_, it| ticks_left(it),
        "remaining time of a stopped timer, in ticks of the framework's timer";
    first_event: event = |scene, it| scene.event_number(it.first),
        "event that started the run";
    last_event: optional event = |scene, it| it.last.map(|event| scene.event_number(event)),
        "event that ended the run, if recorded";
    post_event: optional event = |scene, it| post(scene, it.post).map(|post| scene.event_number(post.event)),
        "event that posted the timer's event, if known";
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
