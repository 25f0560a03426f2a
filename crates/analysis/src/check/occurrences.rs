//! What declared deadlines limit: activations, items of pipelines and intervals, in their order.

use crate::intervals::DeclaredIntervals;
use crate::markers::SpanEnding;
use crate::pipelines::Pipeline;
use crate::report::View;
use crate::report::deadlines::{self, DeadlineVerdict};
use crate::report::intervals::{duration_in_scope, includes};
use crate::report::pipeline::{ItemVerdict, item_verdict};
use rtoscope_trace::{EventIndex, Ticks};

/// The occurrences of a declared deadline that are due.
pub(super) struct Occurrences<'v> {
    /// The name of the deadline.
    pub(super) name: &'v str,
    /// The event of the start of each, and the verdict on it, in order of time.
    pub(super) verdicts: Vec<(EventIndex, DeadlineVerdict)>,
    /// Number of those without a known place in the order.
    pub(super) unplaced: u64,
}

/// The occurrences of all declared deadlines.
pub(super) fn of_all<'v>(view: &View<'v>) -> Vec<Occurrences<'v>> {
    let activations = view.deadlines.iter().zip(deadlines::verdicts(view));
    let activations = activations.map(|(deadline, verdicts)| Occurrences {
        name: &deadline.name,
        verdicts,
        unplaced: 0,
    });
    let pipelines = view.pipelines.iter().filter(|it| it.limit().is_some());
    let items = pipelines.map(|pipeline| of_pipeline(view, pipeline));
    let intervals = view.intervals.iter();
    let intervals = intervals.filter_map(|it| Some(of_intervals(view, it, it.deadline?)));
    activations.chain(items).chain(intervals).collect()
}

fn of_pipeline<'v>(view: &View<'v>, pipeline: &'v Pipeline) -> Occurrences<'v> {
    let items = pipeline.items.iter();
    let items = items.filter(|item| view.contains(item.end.time));
    let verdicts = items.filter_map(|item| {
        let verdict = match item_verdict(view, pipeline, item) {
            ItemVerdict::InTime => DeadlineVerdict::Met,
            ItemVerdict::Late | ItemVerdict::Dropped => DeadlineVerdict::Missed,
            ItemVerdict::Unknown => DeadlineVerdict::Unknown,
            ItemVerdict::NotForwarded | ItemVerdict::InProgress => return None,
        };
        Some((item.start.event, verdict))
    });
    Occurrences {
        name: &pipeline.name,
        verdicts: verdicts.collect(),
        unplaced: pipeline.unknown_starts,
    }
}

fn of_intervals<'v>(
    view: &View<'v>,
    declared: &'v DeclaredIntervals,
    limit: Ticks,
) -> Occurrences<'v> {
    let series = &declared.series;
    let intervals = series.intervals.iter();
    let intervals = intervals.filter(|it| includes(view, it.first));
    let verdicts = intervals.filter_map(|interval| {
        let elapsed = view.window().end.saturating_sub(interval.start.0);
        let verdict = match duration_in_scope(view, interval) {
            Some((duration, _)) if duration <= limit => DeadlineVerdict::Met,
            Some(_) => DeadlineVerdict::Missed,
            None if interval.ending == SpanEnding::Lost => DeadlineVerdict::Unknown,
            None if elapsed > limit.0 => DeadlineVerdict::Missed,
            None => return None,
        };
        Some((interval.first, verdict))
    });
    let unplaced = [&series.start_unknown, &series.repeated, &series.unpaired];
    let unplaced = unplaced.into_iter().flatten();
    Occurrences {
        name: &declared.name,
        verdicts: verdicts.collect(),
        unplaced: unplaced.filter(|event| includes(view, **event)).count() as u64,
    }
}
