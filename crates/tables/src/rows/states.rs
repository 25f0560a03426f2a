//! What threads did.

use super::Content;
use super::field::columns;
use super::key::Key;
use super::list::{Nested, listed};
use crate::scene::Scene;
use rtoscope_analysis::schedule::{State, Stretch};
use rtoscope_trace::{ContextId, ResourceId, Ticks};

pub(crate) struct Did {
    thread: ContextId,
    stretch: Stretch,
    end: Ticks,
}

columns! {
    Did;
    context_id: U32 = |_, it| it.thread.0,
        "the thread";
    context: Word = |_, it| Key::Context(it.thread),
        "its name";
    start: ticks = |scene, it| scene.time(it.stretch.start),
        "when it began, since the first event of the recording";
    end: ticks = |scene, it| scene.time(it.end),
        "when it ended";
    duration: ticks = |_, it| it.duration().0,
        "how long it lasted";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.stretch.start),
        "`start` as time";
    end_ns: nanoseconds = |scene, it| scene.time_ns(it.end),
        "`end` as time";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(it.duration()),
        "`duration` as time";
    state: Word = |_, it| Key::Word(it.state()),
        "`running` (it has a core, even while an interrupt executes there), `ready`, `waiting`, `unknown`";
    wait: optional Word = |_, it| it.wait(),
        "why it waits: the class of an object, `sleep`, `suspended`, `completed`, `terminated`, `driver`, `file`, `network`, `other`";
    object: optional Word = |_, it| it.resource().map(Key::Resource),
        "what it waits for, if that is recorded";
    object_address: optional U64 = |scene, it| it.resource().and_then(|it| scene.resource(it)).map(|it| it.address.0),
        "where that lies: objects can share a name";
    object_class: optional Word = |scene, it| it.class(scene),
        "what that is";
    event: event = |scene, it| scene.event(it.stretch.event),
        "the event that began it, or the last before it";
    seen: Bool = |_, it| it.stretch.seen,
        "whether its beginning was recorded; if not, it may have begun at another time";
    by_interrupt: Bool = |_, it| it.stretch.interrupt,
        "whether an interrupt began it";
}

impl Did {
    fn duration(&self) -> Ticks {
        Ticks(self.end.0.saturating_sub(self.stretch.start.0))
    }

    fn state(&self) -> &'static str {
        match self.stretch.state {
            State::Unknown => "unknown",
            State::Ready => "ready",
            State::Running => "running",
            State::Waiting { .. } => "waiting",
        }
    }

    fn wait(&self) -> Option<Key> {
        match self.stretch.state {
            State::Waiting { wait, .. } => Some(Key::Word(wait.name())),
            _ => None,
        }
    }

    fn resource(&self) -> Option<ResourceId> {
        match self.stretch.state {
            State::Waiting { resource, .. } => resource,
            _ => None,
        }
    }

    fn class(&self, scene: &Scene<'_>) -> Option<Key> {
        scene.class(self.resource()?).map(Key::Word)
    }
}

pub(super) fn rows<'a>(scene: Scene<'a>) -> Box<dyn Content<'a> + 'a> {
    let schedule = scene.source.view.schedule;
    let row = |thread: usize, at: usize| {
        let stretches = schedule.threads.get(thread)?;
        let next = stretches.get(at + 1);
        Some(Did {
            thread: ContextId(thread as u32),
            stretch: *stretches.get(at)?,
            end: next.map_or(schedule.span, |next| next.start),
        })
    };
    let lengths = schedule.threads.iter().map(Vec::len);
    listed(scene, Nested::new(lengths, row))
}
