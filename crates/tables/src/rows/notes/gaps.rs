//! Where events are missing.

use super::{RowContext, TableContent, columns, list_content};
use crate::rows::row_list::SliceRows;
use rtoscope_trace::{Gap, Ticks};

columns! {
    &Gap;
    before_event: event = |scene, it| scene.event_number(it.next_event),
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

fn start(scene: &RowContext<'_>, gap: &Gap) -> Ticks {
    let [start, _] = scene.trace().gap_bounds(gap);
    start
}

fn end(scene: &RowContext<'_>, gap: &Gap) -> Ticks {
    scene.event_time(gap.next_event)
}

fn duration(scene: &RowContext<'_>, gap: &Gap) -> Ticks {
    let [start, end] = scene.trace().gap_bounds(gap);
    Ticks(end.0.saturating_sub(start.0))
}

pub(in crate::rows) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let all = scene.trace().gaps.as_slice();
    list_content(
        scene,
        SliceRows {
            all,
            make_row: |_, it| it,
        },
    )
}
