//! The table `flows`: from cause to effect.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::active::Post;
use rtoscope_analysis::schedule::{Transfer, WakeUp};
use rtoscope_trace::{ContextId, Endpoint, EventIndex, Ticks};

pub(crate) struct Flow {
    kind: &'static str,
    from: FlowEnd,
    to: FlowEnd,
    /// The object that the thread was blocked on, or that held the message, or
    /// the signal.
    object: Option<Label>,
    complete: bool,
}

struct FlowEnd {
    event: EventIndex,
    time: Ticks,
    endpoint: Endpoint,
}

columns! {
    COLUMNS: Flow;
    kind: Dictionary = |_, it| Label::Static(it.kind),
        "`wake`: a thread is resumed and runs; `message`: a message is put into an object and taken; `post`: an event is posted to an active object and handled in a step";
    from_event: event = |ctx, it| ctx.event_number(it.from.event),
        "event of the cause";
    from_time: ticks = |ctx, it| ctx.time(it.from.time),
        "time of the cause, since the first event of the recording";
    from_time_ns: nanoseconds = |ctx, it| ctx.time_ns(it.from.time),
        "`from_time` in nanoseconds";
    from_context: optional Dictionary = |_, it| Label::party(it.from.endpoint),
        "context that caused it";
    from_context_id: optional U32 = |_, it| it.from.context_id(),
        "its number in `contexts`, if it has one";
    to_event: event = |ctx, it| ctx.event_number(it.to.event),
        "event of the effect; for `wake` the last event before the thread runs";
    to_time: ticks = |ctx, it| ctx.time(it.to.time),
        "time of the effect";
    to_time_ns: nanoseconds = |ctx, it| ctx.time_ns(it.to.time),
        "`to_time` in nanoseconds";
    to_context: optional Dictionary = |_, it| Label::party(it.to.endpoint),
        "thread that is resumed, context that takes the message, or active object that handles the event";
    to_context_id: optional U32 = |_, it| it.to.context_id(),
        "its number in `contexts`, if it has one";
    object: optional Dictionary = |_, it| it.object,
        "object that the thread was blocked on, object that held the message, or signal of the post";
    latency: ticks = |_, it| it.latency().0,
        "from cause to effect";
    latency_ns: nanoseconds = |ctx, it| ctx.nanoseconds(it.latency()),
        "`latency` in nanoseconds";
    complete: Bool = |_, it| it.complete,
        "whether both times were recorded";
}

impl FlowEnd {
    fn context_id(&self) -> Option<u32> {
        match self.endpoint {
            Endpoint::Object(context) => Some(context.0),
            Endpoint::Other(_) | Endpoint::Unknown => None,
        }
    }
}

/// The endpoint for a context.
fn endpoint_of(context: Option<ContextId>) -> Endpoint {
    let known = context.filter(|context| *context != ContextId::UNKNOWN);
    known.map_or(Endpoint::Unknown, Endpoint::Object)
}

impl Flow {
    fn latency(&self) -> Ticks {
        Ticks(self.to.time.0.saturating_sub(self.from.time.0))
    }

    /// `None` if the thread does not run.
    fn wake(ctx: &RowContext<'_>, wake_up: &WakeUp<'_>) -> Option<Self> {
        let running = wake_up.running()?;
        Some(Self {
            kind: "wake",
            from: FlowEnd {
                event: wake_up.cause(),
                time: wake_up.ready.start,
                endpoint: endpoint_of(ctx.context_of_event(wake_up.cause())),
            },
            to: FlowEnd {
                event: wake_up.effect()?,
                time: running.start,
                endpoint: Endpoint::Object(wake_up.thread),
            },
            object: wake_up.blocked_on().map(Label::Resource),
            complete: running.start_known,
        })
    }

    fn message(ctx: &RowContext<'_>, transfer: &Transfer) -> Self {
        let end = |event, who: Option<ContextId>| FlowEnd {
            event,
            time: ctx.event_time(event),
            endpoint: endpoint_of(who),
        };
        Self {
            kind: "message",
            from: end(transfer.put, Some(transfer.putter)),
            to: end(transfer.take, Some(transfer.taker)),
            object: Some(Label::Resource(transfer.resource)),
            complete: true,
        }
    }

    fn post(ctx: &RowContext<'_>, post: &Post) -> Option<Self> {
        let step = ctx.recording.active.steps.get(post.step?.index())?;
        Some(Self {
            kind: "post",
            from: FlowEnd {
                event: post.event,
                time: post.time,
                endpoint: post.from,
            },
            to: FlowEnd {
                event: step.first,
                time: step.start,
                endpoint: Endpoint::Object(post.to),
            },
            object: Some(Label::Signal(post.signal)),
            complete: true,
        })
    }
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let view = &ctx.recording.view();
    let wakes = view.schedule.wake_ups();
    let wakes = wakes.filter_map(|wake_up| Flow::wake(&ctx, &wake_up));
    let transfers = view.schedule.transfers.iter();
    let messages = transfers.map(|transfer| Flow::message(&ctx, transfer));
    let posts = view.active.posts.iter();
    let posts = posts.filter_map(|post| Flow::post(&ctx, post));
    let mut all: Vec<_> = wakes.chain(messages).chain(posts).collect();
    all.sort_by_key(|flow| flow.from.event);
    list_content(ctx, OwnedRows(all))
}
