//! From cause to effect.

use super::Content;
use super::field::columns;
use super::key::Key;
use super::list::{Made, listed};
use crate::scene::Scene;
use rtoscope_analysis::Schedule;
use rtoscope_analysis::active::Post;
use rtoscope_analysis::schedule::{State, Transfer, Wake};
use rtoscope_trace::{ContextId, EventIndex, Party, ResourceId, Ticks};

pub(crate) struct Flow {
    kind: &'static str,
    from: End,
    to: End,
    /// What the thread waited for, or what was put and taken.
    object: Option<Key>,
    whole: bool,
}

struct End {
    event: EventIndex,
    time: Ticks,
    who: Party,
}

columns! {
    Flow;
    kind: Word = |_, it| Key::Word(it.kind),
        "`wake`: a thread is resumed, and executes; `message`: something is put into an object, and taken; `post`: an event is posted to an active object, and its step begins";
    from_event: event = |scene, it| scene.event(it.from.event),
        "the event that is the cause";
    from_time: ticks = |scene, it| scene.time(it.from.time),
        "when that was, since the first event of the recording";
    from_time_ns: nanoseconds = |scene, it| scene.time_ns(it.from.time),
        "`from_time` as time";
    from_context: optional Word = |_, it| Key::party(it.from.who),
        "who did it";
    from_context_id: optional U32 = |_, it| it.from.context_id(),
        "its number in `contexts`, if it has one";
    to_event: event = |scene, it| scene.event(it.to.event),
        "the event that is the effect; of a thread that is woken the last before it executes";
    to_time: ticks = |scene, it| scene.time(it.to.time),
        "when the effect began";
    to_time_ns: nanoseconds = |scene, it| scene.time_ns(it.to.time),
        "`to_time` as time";
    to_context: optional Word = |_, it| Key::party(it.to.who),
        "the thread that is woken, who takes the message, or who handles the post";
    to_context_id: optional U32 = |_, it| it.to.context_id(),
        "its number in `contexts`, if it has one";
    object: optional Word = |_, it| it.object,
        "what the thread waited for, what the message was in, or the signal of the post";
    latency: ticks = |_, it| it.latency().0,
        "from cause to effect";
    latency_ns: nanoseconds = |scene, it| scene.nanoseconds(it.latency()),
        "`latency` as time";
    whole: Bool = |_, it| it.whole,
        "whether both moments were recorded";
}

impl End {
    fn context_id(&self) -> Option<u32> {
        match self.who {
            Party::Object(context) => Some(context.0),
            Party::Other(_) | Party::Unknown => None,
        }
    }
}

/// Who does something in a context.
fn of(context: Option<ContextId>) -> Party {
    let known = context.filter(|context| *context != ContextId::UNKNOWN);
    known.map_or(Party::Unknown, Party::Object)
}

impl Flow {
    fn latency(&self) -> Ticks {
        Ticks(self.to.time.0.saturating_sub(self.from.time.0))
    }

    fn wake(scene: &Scene<'_>, resumptions: &Resumptions, wake: &Wake) -> Self {
        let resumption = resumptions.get(wake.cause, wake.thread);
        Self {
            kind: "wake",
            from: End {
                event: wake.cause,
                time: wake.resumed,
                who: of(scene.context(wake.cause)),
            },
            to: End {
                event: wake.effect,
                time: wake.executes,
                who: Party::Object(wake.thread),
            },
            object: resumption.and_then(|it| it.waited_for).map(Key::Resource),
            whole: resumption.is_some_and(|it| it.executes_seen),
        }
    }

    fn message(scene: &Scene<'_>, resumptions: &Resumptions, transfer: &Transfer) -> Self {
        let end = |event, who: Option<ContextId>| End {
            event,
            time: scene.happened(event),
            who: of(who),
        };
        let caller = |event| scene.context(event);
        // It is taken by a call, or goes to a thread that waited for it.
        let waited = resumptions.of(transfer.take, transfer.resource);
        let taker = waited.or_else(|| caller(transfer.take));
        Self {
            kind: "message",
            from: end(transfer.put, caller(transfer.put)),
            to: end(transfer.take, taker),
            object: Some(Key::Resource(transfer.resource)),
            whole: true,
        }
    }

    fn post(scene: &Scene<'_>, post: &Post) -> Option<Self> {
        let step = scene.source.view.active.steps.get(post.step?.index())?;
        Some(Self {
            kind: "post",
            from: End {
                event: post.event,
                time: post.time,
                who: post.from,
            },
            to: End {
                event: step.first,
                time: step.start,
                who: Party::Object(post.to),
            },
            object: Some(Key::Signal(post.signal)),
            whole: true,
        })
    }
}

/// A thread is resumed.
struct Resumption {
    event: EventIndex,
    thread: ContextId,
    waited_for: Option<ResourceId>,
    /// Whether it was recorded that it executes then.
    executes_seen: bool,
}

/// The resumptions of a schedule, by event and thread.
struct Resumptions(Vec<Resumption>);

impl Resumptions {
    fn of_schedule(schedule: &Schedule) -> Self {
        let mut all = Vec::new();
        for (stretches, thread) in schedule.threads.iter().zip((0..).map(ContextId)) {
            let pairs = stretches.iter().zip(stretches.iter().skip(1));
            let nexts = stretches.iter().skip(2).map(Some).chain([None]);
            let wakes = pairs
                .zip(nexts)
                .filter(|((before, now), _)| now.is_wake(before));
            all.extend(wakes.map(|((before, now), next)| Resumption {
                event: now.event,
                thread,
                waited_for: match before.state {
                    State::Waiting { resource, .. } => resource,
                    _ => None,
                },
                executes_seen: next.is_some_and(|next| next.seen),
            }));
        }
        all.sort_by_key(|it| (it.event, it.thread));
        Self(all)
    }

    fn get(&self, event: EventIndex, thread: ContextId) -> Option<&Resumption> {
        let key = |it: &Resumption| (it.event, it.thread);
        let found = self.0.binary_search_by_key(&(event, thread), key);
        self.0.get(found.ok()?)
    }

    /// The thread that an event resumes, which waited for an object.
    fn of(&self, event: EventIndex, waited_for: ResourceId) -> Option<ContextId> {
        let first = self.0.partition_point(|it| it.event < event);
        let mut here = self.0.iter().skip(first).take_while(|it| it.event == event);
        let found = here.find(|it| it.waited_for == Some(waited_for));
        found.map(|it| it.thread)
    }
}

pub(super) fn rows<'a>(scene: Scene<'a>) -> Box<dyn Content<'a> + 'a> {
    let view = &scene.source.view;
    let resumptions = Resumptions::of_schedule(view.schedule);
    let wakes = view.schedule.wakes();
    let wakes = wakes.map(|wake| Flow::wake(&scene, &resumptions, &wake));
    let transfers = view.schedule.transfers.iter();
    let messages = transfers.map(|transfer| Flow::message(&scene, &resumptions, transfer));
    let posts = view.active.posts.iter();
    let posts = posts.filter_map(|post| Flow::post(&scene, post));
    let mut all: Vec<_> = wakes.chain(messages).chain(posts).collect();
    all.sort_by_key(|flow| flow.from.event);
    listed(scene, Made(all))
}
