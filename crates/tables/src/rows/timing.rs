//! Tables of declared timing: missed deadlines, the items of pipelines, and intervals.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::intervals::Interval;
use rtoscope_analysis::pipelines::{ItemOutcome, Pipeline, PipelineItem, StageVisit};
use rtoscope_analysis::report::deadlines::{DeadlineMiss, deadlines};
use rtoscope_analysis::report::pipeline::{
    ItemVerdict, PipelineMiss, item_verdict, pipelines, visit_cpu_time,
};
use rtoscope_analysis::schedule::DelayCauses;
use rtoscope_trace::{EventIndex, Ticks};
use std::collections::HashMap;

/// An activation that missed a deadline.
pub(super) struct MissRow {
    deadline: String,
    source: String,
    source_kind: &'static str,
    miss: DeadlineMiss,
}

columns! {
    DEADLINE_MISSES: MissRow;
    deadline: TextName = |_, it| it.deadline.clone(),
        "name of the deadline, as declared";
    source: TextName = |_, it| it.source.clone(),
        "thread, routine, active object, state or event";
    source_kind: Dictionary = |_, it| Label::Static(it.source_kind),
        "`thread`, `interrupt`, `dispatch`, `state` or `event`";
    limit: Dictionary = |_, it| Label::Static(it.miss.limit),
        "limit that was missed: `period` or `deadline`";
    start: time = |_, it| Ticks(it.miss.start),
        "start of the activation, since the first event of the recording";
    event: event = |ctx, it| ctx.event_number(EventIndex(it.miss.event)),
        "its event";
    observed: duration = |_, it| Ticks(it.miss.observed),
        "period or response time; a minimum if the activation lasts until the end of the trace";
    allowed: duration = |_, it| Ticks(it.miss.allowed),
        "the limit";
    cause: Text = |_, it| it.miss.cause.clone(),
        "first cause";
    culprit: optional Text = |_, it| it.miss.culprit.clone(),
        "context that caused it: a thread, routine or sender, if known";
}

pub(super) fn deadline_miss_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let rows = deadlines(&ctx.recording.view()).into_iter();
    let rows = rows.flat_map(|row| {
        let (deadline, source, source_kind) = (row.name, row.source, row.kind);
        row.misses.into_iter().map(move |miss| MissRow {
            deadline: deadline.clone(),
            source: source.clone(),
            source_kind,
            miss,
        })
    });
    list_content(ctx, OwnedRows(rows.collect()))
}

/// An item of a pipeline.
pub(super) struct ItemRow {
    pipeline: String,
    item: PipelineItem,
    verdict: ItemVerdict,
    stage: String,
    limit: Option<Ticks>,
    miss: Option<PipelineMiss>,
}

columns! {
    PIPELINE_ITEMS: ItemRow;
    pipeline: TextName = |_, it| it.pipeline.clone(),
        "name of the pipeline, as declared";
    item: U64 = |_, it| it.item.number,
        "number of the item, or the value that the application gave it";
    result: Dictionary = |_, it| Label::Static(it.verdict.name()),
        "`in time`, `late`, `dropped`, `not forwarded`, `in progress`, `unknown`";
    stage: TextName = |_, it| it.stage.clone(),
        "last stage that it reached; of a late item, the stage that delayed it most";
    cause: optional Text = |_, it| it.miss.as_ref().map(|miss| miss.cause.clone()),
        "cause, of a late or dropped item";
    culprit: optional Text = |_, it| it.miss.as_ref()?.culprit.clone(),
        "context that caused the delay, if known";
    start: time = |_, it| it.item.start.time,
        "its start, since the first event of the recording";
    end: optional time = |_, it| it.has_end().then_some(it.item.end.time),
        "its end, or where it was lost; null if it is in progress or unknown";
    latency: optional duration = |_, it| it.latency(),
        "from start to end, of items that left the last stage";
    slack: optional signed_ticks = |_, it| it.slack(),
        "time that was left until the limit; negative of late items";
    event: event = |ctx, it| ctx.event_number(it.item.start.event),
        "event of its start";
}

impl ItemRow {
    fn has_end(&self) -> bool {
        let outcome = self.item.outcome;
        !matches!(outcome, ItemOutcome::InProgress | ItemOutcome::Unknown)
    }

    fn latency(&self) -> Option<Ticks> {
        (self.item.outcome == ItemOutcome::Completed).then(|| self.item.latency())
    }

    fn slack(&self) -> Option<i64> {
        let latency = i64::try_from(self.latency()?.0).ok()?;
        Some(i64::try_from(self.limit?.0).ok()?.saturating_sub(latency))
    }
}

pub(super) fn pipeline_item_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let view = ctx.recording.view();
    let mut rows = Vec::new();
    for (pipeline, report) in view.pipelines.iter().zip(pipelines(&view)) {
        let misses = report.misses.into_iter();
        // Several items can start with the same event.
        let mut misses: HashMap<(u64, u32), PipelineMiss> =
            misses.map(|it| ((it.item, it.event), it)).collect();
        rows.extend(pipeline.items.iter().map(|item| {
            let miss = misses.remove(&(item.number, item.start.event.0));
            let last = pipeline.stages.get(item.stage);
            let last = last.map(|stage| stage.name.clone());
            ItemRow {
                pipeline: pipeline.name.clone(),
                item: *item,
                verdict: item_verdict(&view, pipeline, item),
                stage: miss
                    .as_ref()
                    .map(|it| it.stage.clone())
                    .or(last)
                    .unwrap_or_default(),
                limit: pipeline.limit(),
                miss,
            }
        }));
    }
    list_content(ctx, OwnedRows(rows))
}

/// An item's time in a stage.
pub(super) struct VisitRow {
    pipeline: String,
    item: u64,
    stage: String,
    stage_number: u32,
    visit: StageVisit,
    cpu_time: Option<Ticks>,
}

columns! {
    PIPELINE_VISITS: VisitRow;
    pipeline: TextName = |_, it| it.pipeline.clone(),
        "name of the pipeline, as declared";
    item: U64 = |_, it| it.item,
        "number of the item, or the value that the application gave it";
    stage: TextName = |_, it| it.stage.clone(),
        "name of the stage";
    stage_number: U32 = |_, it| it.stage_number,
        "its place in the chain, from 0";
    arrived: time = |_, it| it.visit.arrived.time,
        "when the item was sent to the stage, since the first event of the recording; in the first stage its start";
    received: optional time = |_, it| it.visit.received.map(|at| at.time),
        "when the stage took it; null if it did not";
    left: optional time = |_, it| it.visit.left.map(|at| at.time),
        "when the stage sent it on or finished it; null if it did not";
    queued: optional duration = |_, it| it.visit.queued(),
        "from `arrived` to `received`";
    service: optional duration = |_, it| it.visit.service(),
        "from `received` to `left`";
    cpu_time: optional duration = |_, it| it.cpu_time,
        "time in which the stage's thread runs from `received` to `left`; the rest it waits, or others run";
    arrived_event: event = |ctx, it| ctx.event_number(it.visit.arrived.event),
        "event of `arrived`";
    received_event: optional event = |ctx, it| it.visit.received.map(|at| ctx.event_number(at.event)),
        "event of `received`";
    left_event: optional event = |ctx, it| it.visit.left.map(|at| ctx.event_number(at.event)),
        "event of `left`";
}

pub(super) fn pipeline_visit_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let view = ctx.recording.view();
    let mut rows = Vec::new();
    if !view.pipelines.is_empty() {
        let causes = DelayCauses::new(view.trace, view.schedule);
        let visits_of = |pipeline: &'a Pipeline| {
            pipeline
                .items
                .iter()
                .zip(0..)
                .flat_map(move |(item, index)| {
                    let visits = pipeline.visits(index).iter().zip(0..);
                    visits.filter_map(move |(visit, stage)| Some((item, stage, visit.as_ref()?)))
                })
        };
        for pipeline in view.pipelines {
            rows.extend(visits_of(pipeline).map(|(item, stage, visit)| {
                VisitRow {
                    pipeline: pipeline.name.clone(),
                    item: item.number,
                    stage: pipeline
                        .stages
                        .get(stage)
                        .map(|it| it.name.clone())
                        .unwrap_or_default(),
                    stage_number: u32::try_from(stage).unwrap_or(u32::MAX),
                    visit: *visit,
                    cpu_time: visit_cpu_time(&view, &causes, pipeline, stage, visit),
                }
            }));
        }
    }
    list_content(ctx, OwnedRows(rows))
}

/// An interval of a declaration.
pub(super) struct IntervalRow {
    name: String,
    interval: Interval,
}

columns! {
    INTERVALS: IntervalRow;
    name: TextName = |_, it| it.name.clone(),
        "name of the interval, as declared";
    start: time = |_, it| it.interval.start,
        "its start, since the first event of the recording";
    end: optional time = |_, it| it.interval.last.map(|_| it.interval.until),
        "its end; null if it is open or lost";
    duration: optional duration = |_, it| it.interval.duration(),
        "from start to end";
    ending: Dictionary = |_, it| Label::Static(it.interval.ending.name()),
        "`ended`, `open` (at the end of the trace) or `lost` (events are missing)";
    context: TextName = |ctx, it| ctx.recording.trace.context_name(it.interval.context),
        "context of its start";
    first_event: event = |ctx, it| ctx.event_number(it.interval.first),
        "event of its start";
    last_event: optional event = |ctx, it| it.interval.last.map(|event| ctx.event_number(event)),
        "event of its end";
}

pub(super) fn interval_rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let declared = ctx.recording.intervals.iter();
    let rows = declared.flat_map(|declared| {
        let intervals = declared.series.intervals.iter();
        intervals.map(|interval| IntervalRow {
            name: declared.name.clone(),
            interval: *interval,
        })
    });
    list_content(ctx, OwnedRows(rows.collect()))
}
