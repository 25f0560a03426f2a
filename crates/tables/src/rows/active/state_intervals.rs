//! States in which machines stayed.

use super::{Label, NestedRows, RowContext, TableContent, columns, list_content};
use rtoscope_analysis::active::StateInterval;
use rtoscope_trace::{ContextId, Ticks};

pub(crate) struct StateIntervalRow {
    object: ContextId,
    interval: StateInterval,
}

columns! {
    StateIntervalRow;
    object: Word = |_, it| Label::Context(it.object),
        "whose machine";
    context_id: U32 = |_, it| it.object.0,
        "its number in `contexts`";
    state: Word = |_, it| Label::Vertex(it.interval.state),
        "the state, or its address where it has no name";
    start: ticks = |scene, it| scene.time(it.interval.start),
        "from when on, since the first event of the recording";
    end: ticks = |scene, it| scene.time(it.interval.end),
        "until when, or the last time at which it is known to have lasted";
    duration: ticks = |_, it| it.duration().0,
        "how long";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.interval.start),
        "`start` as time";
    end_ns: nanoseconds = |scene, it| scene.time_ns(it.interval.end),
        "`end` as time";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(it.duration()),
        "`duration` as time";
    whole: Bool = |_, it| it.interval.complete,
        "whether its end is known; not if events are missing";
    event: event = |scene, it| scene.event_number(it.interval.first),
        "the event with which it begins";
}

impl StateIntervalRow {
    fn duration(&self) -> Ticks {
        Ticks(self.interval.end.0.saturating_sub(self.interval.start.0))
    }
}

pub(in crate::rows) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let stays = &scene.source.view.active.state_intervals;
    let row = |object: usize, at: usize| {
        Some(StateIntervalRow {
            object: ContextId(object as u32),
            interval: *stays.get(object)?.get(at)?,
        })
    };
    let lengths = stays.iter().map(Vec::len);
    list_content(scene, NestedRows::new(lengths, row))
}
