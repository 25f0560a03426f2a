//! Where events are missing.

use super::{Content, Scene, columns, listed};
use crate::rows::list::Flat;
use rtoscope_trace::{Gap, Ticks};

columns! {
    &Gap;
    before_event: event = |scene, it| scene.event(it.before),
        "the first event behind the gap";
    missing: optional count = |_, it| it.missing,
        "how many events are missing; missing itself where that is not known";
    start: ticks = |scene, it| scene.time(start(scene, it)),
        "the last event before the gap, since the first event of the recording";
    end: ticks = |scene, it| scene.time(end(scene, it)),
        "the first event behind it";
    duration: ticks = |scene, it| duration(scene, it).0,
        "from one to the other";
    start_ns: nanoseconds = |scene, it| scene.time_ns(start(scene, it)),
        "`start` as time";
    end_ns: nanoseconds = |scene, it| scene.time_ns(end(scene, it)),
        "`end` as time";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(duration(scene, it)),
        "`duration` as time";
}

fn start(scene: &Scene<'_>, gap: &Gap) -> Ticks {
    let [start, _] = scene.trace().gap_times(gap);
    start
}

fn end(scene: &Scene<'_>, gap: &Gap) -> Ticks {
    scene.happened(gap.before)
}

fn duration(scene: &Scene<'_>, gap: &Gap) -> Ticks {
    let [start, end] = scene.trace().gap_times(gap);
    Ticks(end.0.saturating_sub(start.0))
}

pub(in crate::rows) fn rows<'a>(scene: Scene<'a>) -> Box<dyn Content<'a> + 'a> {
    let all = scene.trace().gaps.as_slice();
    listed(
        scene,
        Flat {
            all,
            row: |_, it| it,
        },
    )
}
