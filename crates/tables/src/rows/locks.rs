//! The table `locks`: statistics of mutexes.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::report::Distribution;
use rtoscope_analysis::report::locks::{LockRow, locks};
use rtoscope_trace::Ticks;

columns! {
    COLUMNS: LockRow;
    object: Dictionary = |_, it| Label::Resource(it.resource),
        "the mutex";
    object_address: U64 = |_, it| it.address.0.0,
        "address of the mutex; objects can share a name";
    acquisitions: count = |_, it| it.acquisitions,
        "number of acquisitions";
    contended: count = |_, it| it.contended,
        "number of acquisitions for which the thread had to wait";
    contended_percent: optional F64 = |_, it| it.contended_percent,
        "contended acquisitions as a share of all";
    hold_count: count = |_, it| count(it.hold.as_ref()),
        "number of holds recorded from start to end; the other `hold_…` columns describe these";
    hold_min: optional ticks = |_, it| it.hold.as_ref().map(|it| it.min),
        "minimum hold time";
    hold_mean: optional F64 = |_, it| it.hold.as_ref().map(|it| it.mean),
        "mean hold time, in ticks";
    hold_p90: optional ticks = |_, it| it.hold.as_ref().map(|it| it.p90),
        "90th percentile of hold times";
    hold_max: optional ticks = |_, it| it.hold.as_ref().map(|it| it.max),
        "maximum hold time";
    hold_max_ns: nanoseconds = |ctx, it| max_ns(ctx, it.hold.as_ref()),
        "`hold_max` in nanoseconds";
    wait_count: count = |_, it| count(it.wait.as_ref()),
        "number of waits recorded from start to end; the other `wait_…` columns describe these";
    wait_min: optional ticks = |_, it| it.wait.as_ref().map(|it| it.min),
        "minimum wait time";
    wait_mean: optional F64 = |_, it| it.wait.as_ref().map(|it| it.mean),
        "mean wait time, in ticks";
    wait_p90: optional ticks = |_, it| it.wait.as_ref().map(|it| it.p90),
        "90th percentile of wait times";
    wait_max: optional ticks = |_, it| it.wait.as_ref().map(|it| it.max),
        "maximum wait time";
    wait_max_ns: nanoseconds = |ctx, it| max_ns(ctx, it.wait.as_ref()),
        "`wait_max` in nanoseconds";
    given_up: count = |_, it| it.given_up,
        "number of waits that ended without the mutex";
    max_waiting: count = |_, it| it.max_waiting,
        "maximum number of threads waiting at the same time";
    owner_at_end: optional Text = |_, it| it.owner_at_end.clone(),
        "thread that owns the mutex when the recording ends";
    inversions: count = |_, it| it.inversions.total,
        "number of priority inversions";
    unbounded_inversions: count = |_, it| it.inversions.unbounded,
        "number of priority inversions prolonged by a thread that does not take part in them";
}

fn count(distribution: Option<&Distribution>) -> u64 {
    distribution.map_or(0, |distribution| distribution.count)
}

fn max_ns(ctx: &RowContext<'_>, distribution: Option<&Distribution>) -> Option<i64> {
    ctx.nanoseconds(Ticks(distribution?.max))
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    list_content(ctx, OwnedRows(locks(&ctx.recording.view())))
}
