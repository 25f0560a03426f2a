//! The tables of user-defined intervals.

use super::*;
use crate::report::intervals::{IntervalEntry, IntervalRow};

impl TableRow for IntervalRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "intervals",
        title: ReportKind::Intervals.title(),
        note: "",
        empty: "No intervals are declared",
        rank: "intervals",
        columns: &[
            text("name", "Name", |row: &Self| name(&row.name)),
            count("intervals", "Intervals", |row: &Self| Some(row.intervals)),
            duration("deadline_ticks", "Deadline", |row: &Self| {
                row.deadline_ticks
            }),
            count("late", "Late", |row: &Self| Some(row.late)).hint("Longer than the deadline"),
            count("open", "Open", |row: &Self| Some(row.open)).hint("Without an end in the scope"),
            count("lost", "Lost", |row: &Self| Some(row.lost))
                .hint("End unknown, as events are missing"),
            count("repeated_starts", "Repeated starts", |row: &Self| {
                Some(row.repeated_starts)
            })
            .hint("Starts while an interval was open"),
            count("unmatched_ends", "Unmatched ends", |row: &Self| {
                Some(row.unmatched_ends)
            })
            .hint("Ends while no interval was open"),
            count("start_unknown", "Start unknown", |row: &Self| {
                Some(row.start_unknown)
            })
            .hint("Ends whose start is not recorded"),
            count("unpaired", "Unpaired", |row: &Self| Some(row.unpaired))
                .hint("Events without the object or argument that pairs them"),
            duration("p95_ticks", "P95", |row: &Self| row.p95_ticks)
                .hint("95 % of the durations do not exceed it"),
            fractional_duration("standard_deviation", "Standard deviation", |row: &Self| {
                row.standard_deviation
            }),
            distribution("duration", "Duration", |row: &Self| row.duration.as_ref())
                .hint("from start to end"),
        ],
    };
}

impl TableRow for IntervalEntry {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "intervals.*.longest",
        title: "Longest",
        note: "",
        empty: "No interval ends in the scope",
        rank: "ticks",
        columns: &[
            event("event", "Event", |row: &Self| Some(row.event)),
            event("end_event", "End event", |row: &Self| Some(row.end_event)),
            duration("ticks", "Duration", |row: &Self| Some(row.ticks)),
            interval("start_ticks", "Start", |row: &Self| {
                TimeInterval::lasting(row.start_ticks, row.ticks, row.event)
            }),
            text("context", "Context", |row: &Self| name(&row.context)),
        ],
    };
}
