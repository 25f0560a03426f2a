//! What threads did.

use super::TableContent;
use super::field::columns;
use super::label::Label;
use super::row_list::{NestedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::schedule::{ThreadState, ThreadStateInterval};
use rtoscope_trace::{ContextId, ResourceId, Ticks};

pub(crate) struct ThreadStateRow {
    thread: ContextId,
    interval: ThreadStateInterval,
    end: Ticks,
}

columns! {
    ThreadStateRow;
    context_id: U32 = |_, it| it.thread.0,
        "the thread";
    context: Word = |_, it| Label::Context(it.thread),
        "its name";
    start: ticks = |scene, it| scene.time(it.interval.start),
        "when it began, since the first event of the recording";
    end: ticks = |scene, it| scene.time(it.end),
        "when it ended";
    duration: ticks = |_, it| it.duration().0,
        "how long it lasted";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.interval.start),
        "`start` as time";
    end_ns: nanoseconds = |scene, it| scene.time_ns(it.end),
        "`end` as time";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(it.duration()),
        "`duration` as time";
    state: Word = |_, it| Label::Static(it.state()),
        "`running` (it has a core, even while an interrupt executes there), `ready`, `waiting`, `unknown`";
    wait: optional Word = |_, it| it.wait_reason(),
        "why it waits: the class of an object, `sleep`, `suspended`, `completed`, `terminated`, `driver`, `file`, `network`, `other`";
    object: optional Word = |_, it| it.resource().map(Label::Resource),
        "what it waits for, if that is recorded";
    object_address: optional U64 = |scene, it| it.resource().and_then(|it| scene.resource(it)).map(|it| it.address.0),
        "where that lies: objects can share a name";
    object_class: optional Word = |scene, it| it.object_class(scene),
        "what that is";
    event: event = |scene, it| scene.event_number(it.interval.event),
        "the event that began it, or the last before it";
    seen: Bool = |_, it| it.interval.start_known,
        "whether its beginning was recorded; if not, it may have begun at another time";
    by_interrupt: Bool = |_, it| it.interval.interrupt,
        "whether an interrupt began it";
}

impl ThreadStateRow {
    fn duration(&self) -> Ticks {
        Ticks(self.end.0.saturating_sub(self.interval.start.0))
    }

    fn state(&self) -> &'static str {
        match self.interval.state {
            ThreadState::Unknown => "unknown",
            ThreadState::Ready => "ready",
            ThreadState::Running => "running",
            ThreadState::Waiting { .. } => "waiting",
        }
    }

    fn wait_reason(&self) -> Option<Label> {
        match self.interval.state {
            ThreadState::Waiting {
                wait_reason: wait, ..
            } => Some(Label::Static(wait.name())),
            _ => None,
        }
    }

    fn resource(&self) -> Option<ResourceId> {
        match self.interval.state {
            ThreadState::Waiting { resource, .. } => resource,
            _ => None,
        }
    }

    fn object_class(&self, scene: &RowContext<'_>) -> Option<Label> {
        scene.class_name(self.resource()?).map(Label::Static)
    }
}

pub(super) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let schedule = scene.source.view.schedule;
    let row = |thread: usize, at: usize| {
        let stretches = schedule.threads.get(thread)?;
        let next = stretches.get(at + 1);
        Some(ThreadStateRow {
            thread: ContextId(thread as u32),
            interval: *stretches.get(at)?,
            end: next.map_or(schedule.span, |next| next.start),
        })
    };
    let lengths = schedule.threads.iter().map(Vec::len);
    list_content(scene, NestedRows::new(lengths, row))
}
