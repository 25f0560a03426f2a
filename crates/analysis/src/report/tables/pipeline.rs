//! The tables of pipelines.

use super::{
    ReportKind, ReportTable, TableRow, TimeInterval, count, distribution, duration, event,
    interval, name, named, text,
};
use crate::report::pipeline::{PipelineMiss, PipelineRow, PipelineStageRow};

impl TableRow for PipelineRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "pipeline",
        title: ReportKind::Pipeline.title(),
        note: "",
        empty: "No pipelines were declared",
        rank: "",
        columns: &[
            text("name", "Name", |row: &Self| name(&row.name)),
            duration("period_ticks", "Declared period", |row: &Self| {
                row.period_ticks
            }),
            duration("deadline_ticks", "Deadline", |row: &Self| {
                row.deadline_ticks
            }),
            text("verdict", "Verdict", |row: &Self| name(row.verdict?.name())),
            count("items", "Items", |row: &Self| Some(row.items)),
            count("completed", "Completed", |row: &Self| Some(row.completed)),
            count("late", "Late", |row: &Self| Some(row.late)),
            count("dropped", "Dropped", |row: &Self| Some(row.dropped)),
            count("not_forwarded", "Not forwarded", |row: &Self| {
                Some(row.not_forwarded)
            }),
            count("in_progress", "In progress", |row: &Self| {
                Some(row.in_progress)
            }),
            count("unknown", "Unknown", |row: &Self| Some(row.unknown))
                .hint("Start or way not recorded"),
            duration("min_slack_ticks", "Min slack", |row: &Self| {
                row.min_slack_ticks
            })
            .hint("Of items in time"),
            distribution("latency", "Latency", |row: &Self| row.latency.as_ref())
                .hint("from the start of an item to its end"),
            distribution("period", "Period", |row: &Self| row.period.as_ref())
                .hint("from the start of one item to the next"),
        ],
    };
}

impl TableRow for PipelineStageRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "pipeline.*.stages",
        title: "Stages",
        note: "",
        empty: "It has no stages",
        rank: "misses",
        columns: &[
            text("name", "Stage", |row: &Self| name(&row.name)),
            count("items", "Items", |row: &Self| Some(row.items)),
            count("misses", "Misses", |row: &Self| Some(row.misses))
                .hint("Late and dropped items that it delayed most, or dropped"),
            text("problem", "Problem", |row: &Self| name(row.problem?))
                .hint("Why it is not known which items it sends on"),
            distribution("queued", "Queued", |row: &Self| row.queued.as_ref())
                .hint("from an item's arrival until the stage takes it"),
            distribution("service", "Service time", |row: &Self| row.service.as_ref())
                .hint("from when the stage takes an item until it sends it on"),
            distribution("cpu_time", "CPU time", |row: &Self| row.cpu_time.as_ref())
                .hint("of the stage's thread for one item"),
        ],
    };
}

impl TableRow for PipelineMiss {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "pipeline.*.misses",
        title: "Misses",
        note: "",
        empty: "No item is late or was dropped",
        rank: "latency_ticks",
        columns: &[
            count("item", "Item", |row: &Self| Some(row.item)),
            text("outcome", "Result", |row: &Self| name(row.outcome)),
            event("event", "Event", |row: &Self| Some(row.event)),
            interval("start_ticks", "Start", |row: &Self| {
                TimeInterval::lasting(row.start_ticks, row.latency_ticks, row.event)
            }),
            duration("latency_ticks", "Latency", |row: &Self| {
                Some(row.latency_ticks)
            }),
            text("stage", "Stage", |row: &Self| name(&row.stage)),
            text("cause", "Cause", |row: &Self| name(&row.cause)),
            text("culprit", "Culprit", |row: &Self| {
                named(row.culprit.as_ref())
            }),
        ],
    };
}
