//! The table `gaps`.

use super::{RowContext, TableContent, columns, list_content};
use crate::rows::row_list::SliceRows;
use rtoscope_trace::{Gap, Ticks};

columns! {
    &Gap;
    next_event: event = |scene, it| scene.event_number(it.next_event),
        "first event after the gap";
    missing: optional count = |_, it| it.missing,
        "number of missing events; null if unknown";
    start: ticks = |scene, it| scene.time(start(scene, it)),
        "time of the last event before the gap, since the first event of the recording";
    end: ticks = |scene, it| scene.time(end(scene, it)),
        "time of the first event after the gap";
    duration: ticks = |scene, it| duration(scene, it).0,
        "from `start` to `end`";
    start_ns: nanoseconds = |scene, it| scene.time_ns(start(scene, it)),
        "`start` in nanoseconds";
    end_ns: nanoseconds = |scene, it| scene.time_ns(end(scene, it)),
        "`end` in nanoseconds";
    duration_ns: nanoseconds = |scene, it| scene.nanoseconds(duration(scene, it)),
        "`duration` in nanoseconds";
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
