//! States in which machines stayed.

use super::{Content, Key, Nested, Scene, columns, listed};
use rtoscope_analysis::active::Stay;
use rtoscope_trace::{ContextId, Ticks};

pub(crate) struct Stayed {
    object: ContextId,
    stay: Stay,
}

columns! {
    Stayed;
    object: Word = |_, it| Key::Context(it.object),
        "whose machine";
    context_id: U32 = |_, it| it.object.0,
        "its number in `contexts`";
    state: Word = |_, it| Key::Vertex(it.stay.state),
        "the state, or its address where it has no name";
    start: ticks = |scene, it| scene.time(it.stay.start),
        "from when on, since the first event of the recording";
    end: ticks = |scene, it| scene.time(it.stay.end),
        "until when, or the last time at which it is known to have lasted";
    duration: ticks = |_, it| it.duration().0,
        "how long";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.stay.start),
        "`start` as time";
    end_ns: nanoseconds = |scene, it| scene.time_ns(it.stay.end),
        "`end` as time";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(it.duration()),
        "`duration` as time";
    whole: Bool = |_, it| it.stay.whole,
        "whether its end is known; not if events are missing";
    event: event = |scene, it| scene.event(it.stay.first),
        "the event with which it begins";
}

impl Stayed {
    fn duration(&self) -> Ticks {
        Ticks(self.stay.end.0.saturating_sub(self.stay.start.0))
    }
}

pub(in crate::rows) fn rows<'a>(scene: Scene<'a>) -> Box<dyn Content<'a> + 'a> {
    let stays = &scene.source.view.active.stays;
    let row = |object: usize, at: usize| {
        Some(Stayed {
            object: ContextId(object as u32),
            stay: *stays.get(object)?.get(at)?,
        })
    };
    let lengths = stays.iter().map(Vec::len);
    listed(scene, Nested::new(lengths, row))
}
