//! The table `state_intervals`.

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
        "active object that runs the state machine";
    context_id: U32 = |_, it| it.object.0,
        "its number in `contexts`";
    state: Word = |_, it| Label::Vertex(it.interval.state),
        "the state, or its address if it has no name";
    start: ticks = |scene, it| scene.time(it.interval.start),
        "start of the interval, since the first event of the recording";
    end: ticks = |scene, it| scene.time(it.interval.end),
        "end of the interval, or the last time at which the state is known";
    duration: ticks = |_, it| it.duration().0,
        "duration of the interval";
    start_ns: nanoseconds = |scene, it| scene.time_ns(it.interval.start),
        "`start` in nanoseconds";
    end_ns: nanoseconds = |scene, it| scene.time_ns(it.interval.end),
        "`end` in nanoseconds";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(it.duration()),
        "`duration` in nanoseconds";
    complete: Bool = |_, it| it.interval.complete,
        "whether the end is known; false if events are missing";
    event: event = |scene, it| scene.event_number(it.interval.first),
        "event that started the interval";
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
