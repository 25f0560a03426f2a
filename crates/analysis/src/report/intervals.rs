//! User-defined intervals: how long they last.

use super::deadlines::DeadlineVerdict;
use super::{Distribution, Samples, View};
use crate::intervals::{
    DeclaredIntervals, Interval, IntervalDefinition, IntervalSeries, RepeatedStart,
};
use crate::markers::SpanEnding;
use crate::report::ReportKind;
use crate::report::table::{Cell, ReportTable, TableRow, column};
use rtoscope_trace::{EventIndex, Ticks};
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Number of intervals in [`IntervalRow::longest`].
const MAX_ENTRIES: usize = 100;

/// The intervals that start in the scope. Durations are those of intervals that also end
/// in it, both ends recorded.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct IntervalRow {
    /// Their name.
    pub name: String,
    /// The filter that selects the starts.
    pub from: String,
    /// The filter that selects the ends.
    pub to: String,
    /// What a start and an end have in common: `thread`, `object` or an argument; empty if
    /// nothing.
    pub by: String,
    /// The effect of a start while an interval is open: `restart`, `first` or `nested`.
    pub repeated: &'static str,
    /// The declared maximum duration, in ticks.
    pub deadline: Option<u64>,
    /// Number of intervals.
    pub intervals: u64,
    /// Intervals that last longer than the deadline.
    pub late: u64,
    /// Intervals without an end up to the end of the scope.
    pub open: u64,
    /// Intervals whose end is unknown because events are missing.
    pub lost: u64,
    /// Starts without an interval of their own, as one was open.
    pub repeated_starts: u64,
    /// Ends while no interval was open.
    pub unmatched_ends: u64,
    /// Ends whose start is not recorded.
    pub start_unknown: u64,
    /// Starts and ends without the object or argument that pairs them.
    pub unpaired: u64,
    /// The durations.
    pub duration: Option<Distribution>,
    /// The 95th percentile of the durations, in ticks.
    pub p95: Option<u64>,
    /// The standard deviation of the durations, in ticks.
    pub standard_deviation: Option<f64>,
    /// The longest, at most 100, the longest first.
    pub longest: Vec<IntervalEntry>,
}

impl TableRow for IntervalRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "intervals",
        title: ReportKind::Intervals.title(),
        note: "",
        empty: "No intervals are declared",
        rank: "intervals",
        columns: &[
            column!(Text, name, "Name"),
            column!(Count, intervals, "Intervals"),
            column!(Duration, deadline, "Deadline"),
            column!(Count, late, "Late").hint("Longer than the deadline"),
            column!(Count, open, "Open").hint("Without an end in the scope"),
            column!(Count, lost, "Lost").hint("End unknown, as events are missing"),
            column!(Count, repeated_starts, "Repeated starts")
                .hint("Starts while an interval was open"),
            column!(Count, unmatched_ends, "Unmatched ends")
                .hint("Ends while no interval was open"),
            column!(Count, start_unknown, "Start unknown").hint("Ends whose start is not recorded"),
            column!(Count, unpaired, "Unpaired")
                .hint("Events without the object or argument that pairs them"),
            column!(Duration, p95, "P95").hint("95 % of the durations do not exceed it"),
            column!(Duration, standard_deviation, "Standard deviation", |row| {
                row.standard_deviation.map(Cell::FractionalDuration)
            }),
            column!(Distribution, duration, "Duration").hint("from start to end"),
        ],
    };
}

impl IntervalRow {
    /// Whether the deadline was kept; `None` if there is none. Unknown unless the duration
    /// from every start and to every end is known.
    pub fn verdict(&self) -> Option<DeadlineVerdict> {
        self.deadline?;
        let known = self.duration.as_ref().map_or(0, |it| it.count);
        let unjudged = self.start_unknown + self.repeated_starts + self.unpaired;
        let is_complete = known == self.intervals && unjudged == 0 && known > 0;
        Some(match (self.late, is_complete) {
            (0, true) => DeadlineVerdict::Met,
            (0, false) => DeadlineVerdict::Unknown,
            _ => DeadlineVerdict::Missed,
        })
    }
}

/// An interval with a known duration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct IntervalEntry {
    /// Its duration, in ticks.
    pub duration: u64,
    /// The time of its start, in ticks.
    pub start: u64,
    /// The event of its start.
    pub event: u32,
    /// The event of its end.
    pub end_event: u32,
    /// The context of its start.
    pub context: String,
}

impl TableRow for IntervalEntry {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "intervals.*.longest",
        title: "Longest",
        note: "",
        empty: "No interval ends in the scope",
        rank: "duration",
        columns: &[
            column!(Event, event, "Event"),
            column!(Event, end_event, "End event"),
            column!(Duration, duration, "Duration"),
            column!(Interval, start, "Start", |row| {
                Cell::interval(row.start, row.duration, row.event)
            }),
            column!(Text, context, "Context"),
        ],
    };
}

/// The declared intervals, in the order of their declaration.
pub fn intervals(view: &View<'_>) -> Vec<IntervalRow> {
    let declared = view.intervals.iter();
    let row = |it: &DeclaredIntervals| {
        interval_row(view, &it.name, &it.definition, it.deadline, &it.series)
    };
    declared.map(row).collect()
}

/// The duration of an interval in the scope, and the event of its end; `None` if it does
/// not end in the scope.
pub fn duration_in_scope(view: &View<'_>, interval: &Interval) -> Option<(Ticks, EventIndex)> {
    let is_inside = view.contains(interval.start) && view.contains(interval.until);
    is_inside.then_some((interval.duration()?, interval.last?))
}

/// The figures of intervals.
pub fn interval_row(
    view: &View<'_>,
    name: &str,
    definition: &IntervalDefinition,
    deadline: Option<Ticks>,
    series: &IntervalSeries,
) -> IntervalRow {
    let clock = &view.trace.clock;
    let mut samples = Samples::default();
    let mut longest = BinaryHeap::with_capacity(MAX_ENTRIES + 1);
    let [mut count, mut late, mut open, mut lost] = [0; 4];
    for (interval, index) in series.intervals.iter().zip(0_usize..) {
        if !includes(view, interval.first) {
            continue;
        }
        count += 1;
        let Some((ticks, end)) = duration_in_scope(view, interval) else {
            let is_lost = interval.ending == SpanEnding::Lost && view.contains(interval.until);
            lost += u64::from(is_lost);
            open += u64::from(!is_lost);
            continue;
        };
        late += u64::from(deadline.is_some_and(|deadline| ticks > deadline));
        let context = Some(interval.context);
        samples.add_interval([interval.start, interval.until], end, context);
        longest.push(Reverse((ticks, Reverse(index))));
        if longest.len() > MAX_ENTRIES {
            longest.pop();
        }
    }
    let longest = longest.into_sorted_vec().into_iter();
    let longest = longest.filter_map(|Reverse((ticks, Reverse(index)))| {
        let interval = series.intervals.get(index)?;
        Some(IntervalEntry {
            duration: ticks.0,
            start: interval.start.0,
            event: interval.first.0,
            end_event: interval.last?.0,
            context: view.trace.context_name(interval.context),
        })
    });
    let events = |all: &[EventIndex]| {
        let included = all.iter().filter(|event| includes(view, **event));
        included.count() as u64
    };
    let measures_time = clock.measures_time();
    let p95 = samples.percentile(95).filter(|_| measures_time);
    let standard_deviation = samples.standard_deviation().filter(|_| measures_time);
    IntervalRow {
        name: name.to_owned(),
        from: definition.from.text().to_owned(),
        to: definition.to.text().to_owned(),
        by: definition.pairing.text().to_owned(),
        repeated: RepeatedStart::name(definition.repeated),
        deadline: deadline.map(|ticks| ticks.0),
        intervals: count,
        late,
        open,
        lost,
        repeated_starts: events(&series.repeated),
        unmatched_ends: events(&series.unmatched),
        start_unknown: events(&series.start_unknown),
        unpaired: events(&series.unpaired),
        longest: longest.collect(),
        p95: p95.map(|ticks| ticks.0),
        standard_deviation,
        duration: samples.distribution(clock),
    }
}

/// Whether an event is in the scope.
pub(crate) fn includes(view: &View<'_>, event: EventIndex) -> bool {
    let event = view.trace.events.get(event);
    event.is_some_and(|event| view.contains(event.time) && view.scope.includes(&event))
}
