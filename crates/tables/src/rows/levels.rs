//! How full objects were.

use super::Content;
use super::field::columns;
use super::key::Key;
use super::list::{Nested, listed};
use crate::scene::Scene;
use rtoscope_analysis::levels::Step;
use rtoscope_trace::{ResourceId, Ticks};

pub(crate) struct Level {
    object: ResourceId,
    capacity: Option<u64>,
    step: Step,
    end: Ticks,
}

columns! {
    Level;
    object: Word = |_, it| Key::Resource(it.object),
        "the object";
    object_address: optional U64 = |scene, it| scene.resource(it.object).map(|it| it.address.0),
        "where it lies: objects can share a name";
    class: optional Word = |scene, it| scene.class(it.object).map(Key::Word),
        "what it is";
    start: ticks = |scene, it| scene.time(it.step.start),
        "when the level began, since the first event of the recording";
    end: ticks = |scene, it| scene.time(it.end),
        "when it ended; two can follow each other within a tick";
    duration: ticks = |_, it| it.duration().0,
        "how long it lasted";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.step.start),
        "`start` as time";
    end_ns: nanoseconds = |scene, it| scene.time_ns(it.end),
        "`end` as time";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(it.duration()),
        "`duration` as time";
    level: optional count = |_, it| it.step.level.map(u64::from),
        "messages of a queue, count of a semaphore, free blocks or bytes of a pool; missing where it is not known";
    capacity: optional count = |_, it| it.capacity,
        "the level that the object cannot exceed, if that is recorded";
    event: event = |scene, it| scene.event(it.step.event),
        "the call that began it, or the last one before it";
}

impl Level {
    fn duration(&self) -> Ticks {
        Ticks(self.end.0.saturating_sub(self.step.start.0))
    }
}

pub(super) fn rows<'a>(scene: Scene<'a>) -> Box<dyn Content<'a> + 'a> {
    let histories: Vec<_> = scene.source.histories.iter().collect();
    let lengths: Vec<_> = histories.iter().map(|(_, history)| history.len()).collect();
    let row = move |object: usize, at: usize| {
        let (object, history) = *histories.get(object)?;
        let next = history.step(at + 1);
        Some(Level {
            object,
            capacity: history.capacity(),
            step: history.step(at)?,
            end: next.map_or(history.end(), |next| next.start),
        })
    };
    listed(scene, Nested::new(lengths.into_iter(), row))
}
