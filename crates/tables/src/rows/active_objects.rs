//! Tables about active objects and their state machines.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{NestedRows, SliceRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::active::{
    Post, PostId, RtcStep, StateInterval, StepId, TimerEnding, TimerRun, Transition,
};
use rtoscope_trace::{ContextId, Ticks};

columns! {
    POSTS: &Post;
    event: event = |ctx, it| ctx.event_number(it.event),
        "event that recorded the post";
    time: time = |_, it| it.time,
        "time of the post, since the first event of the recording";
    object: Name = |_, it| Label::Context(it.to),
        "active object that received the event";
    context_id: U32 = |_, it| it.to.0,
        "its number in `contexts`";
    sender: optional Name = |_, it| Label::party(it.from),
        "sender, if recorded";
    signal: Name = |_, it| Label::Signal(it.signal),
        "signal of the event: its name, or `signal` and its number";
    number: U32 = |_, it| it.signal.0,
        "number of the signal";
    front: Bool = |_, it| it.front,
        "whether the event was put at the front of the queue";
    recalled: Bool = |_, it| it.recalled,
        "whether the event had been deferred and was recalled";
    queued: optional count = |_, it| it.queued.map(u64::from),
        "number of events in the queue after the post, if recorded";
    step_event: optional event = |ctx, it| step(ctx, it.step).map(|step| ctx.event_number(step.first)),
        "first event of the step that handled it; null if that is not certain";
}

pub(super) fn post_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    list_content(ctx, SliceRows(&ctx.recording.active.posts))
}

columns! {
    STEPS: &RtcStep;
    object: Name = |_, it| Label::Context(it.object),
        "active object that handled the event";
    context_id: U32 = |_, it| it.object.0,
        "its number in `contexts`";
    signal: optional Name = |_, it| it.signal.map(Label::Signal),
        "signal of the event; null for the initial transition and if not recorded";
    initial: Bool = |_, it| it.initial,
        "whether this is the initial step, which creates the state machine";
    start: time = |_, it| it.start,
        "start of the step, since the first event of the recording";
    end: time = |_, it| it.end,
        "end of the step, or its last record";
    duration: duration = |_, it| step_duration(it),
        "duration of the step, as far as it is known";
    ending: Dictionary = |_, it| Label::Static(it.ending.name()),
        "`processed`, `unhandled`, `guard-false`, `no-branch`, `unknown-state`, `too-deep`, `too-many-segments`; `lost` (events are missing), `unrecorded` (the outcome is not recorded), `open` (the trace ends first)";
    guards_false: U32 = |_, it| it.guards_false,
        "number of guards that evaluated to false";
    state_before: optional Name = |_, it| it.before.map(Label::Vertex),
        "state before the step, if known";
    state_after: optional Name = |_, it| it.after.map(Label::Vertex),
        "state after the step, if known";
    post_event: optional event = |ctx, it| post(ctx, it.post).map(|post| ctx.event_number(post.event)),
        "event that posted the handled event; null if that is not certain";
    first_event: event = |ctx, it| ctx.event_number(it.first),
        "first event of the step";
    last_event: event = |ctx, it| ctx.event_number(it.last),
        "last event of the step";
}

fn step_duration(step: &RtcStep) -> Ticks {
    Ticks(step.end.0.saturating_sub(step.start.0))
}

pub(super) fn step_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    list_content(ctx, SliceRows(&ctx.recording.active.steps))
}

pub(crate) struct StateIntervalRow {
    object: ContextId,
    interval: StateInterval,
}

columns! {
    STATE_INTERVALS: StateIntervalRow;
    object: Name = |_, it| Label::Context(it.object),
        "active object that runs the state machine";
    context_id: U32 = |_, it| it.object.0,
        "its number in `contexts`";
    state: Name = |_, it| Label::Vertex(it.interval.state),
        "the state, or its address if it has no name";
    start: time = |_, it| it.interval.start,
        "start of the interval, since the first event of the recording";
    end: time = |_, it| it.interval.end,
        "end of the interval, or the last time at which the state is known";
    duration: duration = |_, it| it.duration(),
        "duration of the interval";
    complete: Bool = |_, it| it.interval.complete,
        "whether the end is known; false if events are missing";
    event: event = |ctx, it| ctx.event_number(it.interval.first),
        "event that started the interval";
}

impl StateIntervalRow {
    fn duration(&self) -> Ticks {
        Ticks(self.interval.end.0.saturating_sub(self.interval.start.0))
    }
}

pub(super) fn state_interval_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let intervals = &ctx.recording.active.state_intervals;
    let row = |object: usize, at: usize| {
        Some(StateIntervalRow {
            object: ContextId(object as u32),
            interval: *intervals.get(object)?.get(at)?,
        })
    };
    let lengths = intervals.iter().map(Vec::len);
    list_content(ctx, NestedRows::new(lengths, row))
}

columns! {
    TRANSITIONS: &Transition;
    event: event = |ctx, it| ctx.event_number(it.event),
        "event that recorded the transition";
    time: time = |_, it| it.time,
        "time of the transition, since the first event of the recording";
    object: Name = |_, it| Label::Context(it.object),
        "active object that runs the state machine";
    context_id: U32 = |_, it| it.object.0,
        "its number in `contexts`";
    trigger: optional Name = |_, it| it.trigger.map(Label::Signal),
        "signal that triggered the transition; null for the initial transition and if unknown";
    initial: Bool = |_, it| it.initial,
        "whether this is the initial transition, which creates the state machine";
    source: Name = |_, it| Label::Vertex(it.source),
        "source of the transition";
    target: optional Name = |_, it| it.target.map(Label::Vertex),
        "target of the transition, which can be a pseudostate; null for an internal transition";
    resulting_state: optional Name = |_, it| it.settled.map(Label::Vertex),
        "state of the machine after the transition, if known";
    step_event: optional event = |ctx, it| step(ctx, it.step).map(|step| ctx.event_number(step.first)),
        "first event of the step, if known";
}

pub(super) fn transition_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    list_content(ctx, SliceRows(&ctx.recording.active.transitions))
}

columns! {
    TIMERS: &TimerRun;
    timer: Name = |_, it| Label::Timer(it.timer),
        "the timer";
    object: Name = |_, it| Label::Context(it.object),
        "active object that receives the timer's event";
    context_id: U32 = |_, it| it.object.0,
        "its number in `contexts`";
    signal: optional Name = |_, it| it.signal.map(Label::Signal),
        "signal that the timer posts, if known";
    timer_ticks: U32 = |_, it| it.ticks,
        "programmed time, in ticks of the framework's timer";
    timer_period: U32 = |_, it| it.period,
        "programmed period, in ticks of the framework's timer; 0 for a one-shot timer";
    periodic: Bool = |_, it| it.periodic,
        "whether this run began with an expiry instead of a start";
    start: time = |_, it| it.start,
        "start of the run, since the first event of the recording";
    end: time = |_, it| it.end,
        "end of the run, or the last time at which the timer is known to run";
    duration: duration = |_, it| timer_duration(it),
        "duration of the run, as far as it is known";
    ending: Dictionary = |_, it| Label::Static(it.ending.name()),
        "`expired`, `stopped`, `restarted`, `running` (the trace ends first), `lost` (events are missing)";
    timer_ticks_left: optional U32 = |_, it| ticks_left(it),
        "remaining time of a stopped timer, in ticks of the framework's timer";
    first_event: event = |ctx, it| ctx.event_number(it.first),
        "event that started the run";
    last_event: optional event = |ctx, it| it.last.map(|event| ctx.event_number(event)),
        "event that ended the run, if recorded";
    post_event: optional event = |ctx, it| post(ctx, it.post).map(|post| ctx.event_number(post.event)),
        "event that posted the timer's event, if known";
}

fn timer_duration(run: &TimerRun) -> Ticks {
    Ticks(run.end.0.saturating_sub(run.start.0))
}

fn ticks_left(run: &TimerRun) -> Option<u32> {
    match run.ending {
        TimerEnding::Stopped { remaining: left } => Some(left),
        _ => None,
    }
}

pub(super) fn timer_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    list_content(ctx, SliceRows(&ctx.recording.active.timer_runs))
}

fn step<'a>(ctx: &RowContext<'a>, step: Option<StepId>) -> Option<&'a RtcStep> {
    ctx.recording.active.steps.get(step?.index())
}

fn post<'a>(ctx: &RowContext<'a>, post: Option<PostId>) -> Option<&'a Post> {
    ctx.recording.active.posts.get(post?.index())
}
