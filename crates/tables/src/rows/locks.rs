//! Mutexes: how often and how long they were held and waited for.

use super::TableContent;
use super::field::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::report::Distribution;
use rtoscope_analysis::report::locks::{LockRow, locks};
use rtoscope_trace::Ticks;

columns! {
    LockRow;
    object: Word = |_, it| Label::Resource(it.resource),
        "the mutex";
    object_address: U64 = |_, it| it.address.0.0,
        "its address: objects can share a name";
    acquisitions: count = |_, it| it.acquisitions,
        "how often a thread got it";
    contended: count = |_, it| it.contended,
        "acquisitions of these for which the thread had to wait";
    contended_percent: optional F64 = |_, it| it.contended_percent,
        "the same in percent";
    hold_count: count = |_, it| count(it.hold.as_ref()),
        "holds recorded from beginning to end, to which the figures of holds apply";
    hold_min: optional ticks = |_, it| it.hold.as_ref().map(|it| it.min),
        "the shortest hold";
    hold_mean: optional F64 = |_, it| it.hold.as_ref().map(|it| it.mean),
        "the mean hold, in ticks";
    hold_p90: optional ticks = |_, it| it.hold.as_ref().map(|it| it.p90),
        "what 90 % of holds do not exceed";
    hold_max: optional ticks = |_, it| it.hold.as_ref().map(|it| it.max),
        "the longest hold";
    hold_max_ns: nanoseconds = |scene, it| max_ns(scene, it.hold.as_ref()),
        "`hold_max` as time";
    wait_count: count = |_, it| count(it.wait.as_ref()),
        "waits recorded from beginning to end, to which the figures of waits apply";
    wait_min: optional ticks = |_, it| it.wait.as_ref().map(|it| it.min),
        "the shortest wait";
    wait_mean: optional F64 = |_, it| it.wait.as_ref().map(|it| it.mean),
        "the mean wait, in ticks";
    wait_p90: optional ticks = |_, it| it.wait.as_ref().map(|it| it.p90),
        "what 90 % of waits do not exceed";
    wait_max: optional ticks = |_, it| it.wait.as_ref().map(|it| it.max),
        "the longest wait";
    wait_max_ns: nanoseconds = |scene, it| max_ns(scene, it.wait.as_ref()),
        "`wait_max` as time";
    given_up: count = |_, it| it.given_up,
        "waits that ended without the mutex";
    most_waiting: count = |_, it| it.max_waiting,
        "the most threads that waited at once";
    owner_at_end: optional Text = |_, it| it.owner_at_end.clone(),
        "the thread that owns it when the recording ends";
    inversions: count = |_, it| it.inversions.total,
        "priority inversions on it";
    unbounded_inversions: count = |_, it| it.inversions.unbounded,
        "those that a thread prolonged that has nothing to do with the mutex";
}

fn count(distribution: Option<&Distribution>) -> u64 {
    distribution.map_or(0, |distribution| distribution.count)
}

fn max_ns(scene: &RowContext<'_>, distribution: Option<&Distribution>) -> Option<i64> {
    scene.nanoseconds(Ticks(distribution?.max))
}

pub(super) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    list_content(scene, OwnedRows(locks(&scene.source.view)))
}
