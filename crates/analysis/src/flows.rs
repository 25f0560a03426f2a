//! Flows: from a cause in one context to its effect in another.

use crate::active::{ActiveObjects, Post};
use crate::schedule::{Schedule, Transfer, WakeUp};
use rtoscope_trace::{ContextId, Endpoint, EventIndex, ResourceId, Signal, Ticks, Trace};

/// A cause and its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flow {
    /// What connects them.
    pub kind: FlowKind,
    /// The cause.
    pub from: FlowEnd,
    /// The effect.
    pub to: FlowEnd,
    /// What passes it on, if known.
    pub object: Option<FlowObject>,
    /// Whether both times were recorded.
    pub complete: bool,
}

/// What connects a cause and its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FlowKind {
    /// A thread is resumed and runs.
    Wake,
    /// A message is put into an object and taken.
    Message,
    /// An event is posted to an active object and handled in a step.
    Post,
}

impl FlowKind {
    /// Its name in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wake => "wake",
            Self::Message => "message",
            Self::Post => "post",
        }
    }
}

/// What passes a cause on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FlowObject {
    /// The object that the thread was blocked on, or that held the message.
    Resource(ResourceId),
    /// The signal of the post.
    Signal(Signal),
}

/// A cause, or an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowEnd {
    /// Its event; for the effect of a wake-up the last event before the thread runs.
    pub event: EventIndex,
    /// Its time.
    pub time: Ticks,
    /// Who causes it; or the thread that is resumed, the context that takes the message,
    /// the active object that handles the event.
    pub endpoint: Endpoint,
}

impl FlowEnd {
    fn of_context(event: EventIndex, time: Ticks, context: Option<ContextId>) -> Self {
        let known = context.filter(|context| *context != ContextId::UNKNOWN);
        Self {
            event,
            time,
            endpoint: known.map_or(Endpoint::Unknown, Endpoint::Object),
        }
    }
}

impl Flow {
    /// From cause to effect.
    pub fn latency(&self) -> Ticks {
        Ticks(self.to.time.0.saturating_sub(self.from.time.0))
    }

    /// `None` if the thread does not run.
    fn wake(trace: &Trace, wake_up: &WakeUp) -> Option<Self> {
        let running = wake_up.running()?;
        let cause = wake_up.cause();
        let from = trace.events.context(cause);
        Some(Self {
            kind: FlowKind::Wake,
            from: FlowEnd::of_context(cause, wake_up.ready.start, from),
            to: FlowEnd::of_context(wake_up.effect()?, running.start, Some(wake_up.thread)),
            object: wake_up.blocked_on().map(FlowObject::Resource),
            complete: running.start_known,
        })
    }

    fn message(trace: &Trace, transfer: &Transfer) -> Self {
        let end = |event, context| {
            let time = trace.events.time(event).unwrap_or_default();
            FlowEnd::of_context(event, time, Some(context))
        };
        Self {
            kind: FlowKind::Message,
            from: end(transfer.put, transfer.putter),
            to: end(transfer.take, transfer.taker),
            object: Some(FlowObject::Resource(transfer.resource)),
            complete: true,
        }
    }

    /// `None` if no step is known to handle the event.
    fn post(active: &ActiveObjects, post: &Post) -> Option<Self> {
        let step = active.steps.get(post.step?.index())?;
        Some(Self {
            kind: FlowKind::Post,
            from: FlowEnd {
                event: post.event,
                time: post.time,
                endpoint: post.from,
            },
            to: FlowEnd::of_context(step.first, step.start, Some(post.to)),
            object: Some(FlowObject::Signal(post.signal)),
            complete: true,
        })
    }
}

/// All flows of a trace: the wake-ups, the messages, the posts.
pub fn flows<'a>(
    trace: &'a Trace,
    schedule: &'a Schedule,
    active: &'a ActiveObjects,
) -> impl Iterator<Item = Flow> + 'a {
    let wakes = schedule.wake_ups();
    let wakes = wakes.filter_map(|wake_up| Flow::wake(trace, &wake_up));
    let messages = schedule.transfers.iter();
    let messages = messages.map(|transfer| Flow::message(trace, &transfer));
    let posts = active.posts.iter();
    let posts = posts.filter_map(|post| Flow::post(active, post));
    wakes.chain(messages).chain(posts)
}
