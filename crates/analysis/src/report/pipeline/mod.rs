//! Declared pipelines: what items need in each stage, which are late or dropped, and why.

mod causes;

use super::deadlines::{DeadlineVerdict, MissCause};
use super::{Distribution, Samples, View};
use crate::pipelines::{ItemOutcome, Pipeline, PipelineItem, StageProblem};
use crate::report::ReportKind;
use crate::report::table::{Cell, ReportTable, TableRow, column};
use crate::schedule::DelayCauses;
use causes::ItemCauses;
pub use causes::visit_cpu_time;
use rtoscope_trace::Ticks;
use schemars::JsonSchema;
use serde::Serialize;

/// A declared pipeline. An item counts in the window in which it ends.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PipelineRow {
    /// Its name.
    pub name: String,
    /// The declared period, in ticks.
    pub declared_period: Option<u64>,
    /// The declared deadline, in ticks.
    pub deadline: Option<u64>,
    /// Whether all items ended within the deadline, or else within the period; `None`
    /// without either. `unknown` if no miss is known, but not all items could be judged
    /// or there are none.
    pub verdict: Option<DeadlineVerdict>,
    /// Number of items.
    pub items: u64,
    /// Items that left the last stage, in time or late.
    pub completed: u64,
    /// Items that took longer than the limit, including those still in progress.
    pub late: u64,
    /// Items that were lost on their way.
    pub dropped: u64,
    /// Items that a stage did not send on.
    pub not_forwarded: u64,
    /// Items in progress at the end of the trace that are not late.
    pub in_progress: u64,
    /// Items whose way or start is not known.
    pub unknown: u64,
    /// From the start of a completed item to its end.
    pub latency: Option<Distribution>,
    /// From the start of one item to the start of the next.
    pub period: Option<Distribution>,
    /// The smallest time that a completed item in time had left, in ticks.
    pub min_slack: Option<u64>,
    /// The stages.
    pub stages: Vec<PipelineStageRow>,
    /// The late and the dropped items, in the order of their starts.
    pub misses: Vec<PipelineMiss>,
}

impl TableRow for PipelineRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "pipeline",
        title: ReportKind::Pipeline.title(),
        note: "",
        empty: "No pipelines were declared",
        rank: "",
        columns: &[
            column!(Text, name, "Name"),
            column!(Duration, declared_period, "Declared period"),
            column!(Duration, deadline, "Deadline"),
            column!(Text, verdict, "Verdict", |row| Cell::name(
                row.verdict?.name()
            )),
            column!(Count, items, "Items"),
            column!(Count, completed, "Completed"),
            column!(Count, late, "Late"),
            column!(Count, dropped, "Dropped"),
            column!(Count, not_forwarded, "Not forwarded"),
            column!(Count, in_progress, "In progress"),
            column!(Count, unknown, "Unknown").hint("Start or way not recorded"),
            column!(Duration, min_slack, "Min slack").hint("Of items in time"),
            column!(Distribution, latency, "Latency").hint("from the start of an item to its end"),
            column!(Distribution, period, "Period").hint("from the start of one item to the next"),
        ],
    };
}

/// A stage of a pipeline.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PipelineStageRow {
    /// Its name.
    pub name: String,
    /// Items that it took.
    pub items: u64,
    /// From an item's arrival until the stage takes it.
    pub queued: Option<Distribution>,
    /// From when the stage takes an item until it sends it on.
    pub service: Option<Distribution>,
    /// CPU time of the stage's thread in that time, without interrupts.
    pub cpu_time: Option<Distribution>,
    /// Late and dropped items that this stage delayed most, or dropped.
    pub misses: u64,
    /// Why it is not known which items it sends on, and what to declare; `None` if it is.
    pub problem: Option<&'static str>,
}

impl TableRow for PipelineStageRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "pipeline.*.stages",
        title: "Stages",
        note: "",
        empty: "It has no stages",
        rank: "misses",
        columns: &[
            column!(Text, name, "Stage"),
            column!(Count, items, "Items"),
            column!(Count, misses, "Misses")
                .hint("Late and dropped items that it delayed most, or dropped"),
            column!(Text, problem, "Problem", |row| Cell::name(row.problem?))
                .hint("Why it is not known which items it sends on"),
            column!(Distribution, queued, "Queued")
                .hint("from an item's arrival until the stage takes it"),
            column!(Distribution, service, "Service time")
                .hint("from when the stage takes an item until it sends it on"),
            column!(Distribution, cpu_time, "CPU time").hint("of the stage's thread for one item"),
        ],
    };
}

/// An item that is late or was dropped.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PipelineMiss {
    /// The number of the item, or the value that the application gave it.
    pub item: u64,
    /// `late` or `dropped`.
    pub outcome: &'static str,
    /// Its start.
    pub start: u64,
    /// The event of its start.
    pub event: u32,
    /// From its start to its end, or to where it was lost. Of an item in progress, a
    /// minimum.
    pub latency: u64,
    /// The stage that delayed it most compared with items in time, or in which it was
    /// lost.
    pub stage: String,
    /// The cause, as a sentence: the one with the largest delay compared with items in
    /// time.
    pub cause: String,
    /// The thread or interrupt service routine that caused the delay, if known.
    pub culprit: Option<String>,
    /// All causes in the stage, the largest first.
    pub causes: Vec<MissCause>,
}

impl TableRow for PipelineMiss {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "pipeline.*.misses",
        title: "Misses",
        note: "",
        empty: "No item is late or was dropped",
        rank: "latency",
        columns: &[
            column!(Count, item, "Item"),
            column!(Text, outcome, "Result"),
            column!(Event, event, "Event"),
            column!(Interval, start, "Start", |row| {
                Cell::interval(row.start, row.latency, row.event)
            }),
            column!(Duration, latency, "Latency"),
            column!(Text, stage, "Stage"),
            column!(Text, cause, "Cause"),
            column!(Text, culprit, "Culprit"),
        ],
    };
}

/// The declared pipelines, in the order of their declaration.
pub fn pipelines(view: &View<'_>) -> Vec<PipelineRow> {
    if view.pipelines.is_empty() {
        return Vec::new();
    }
    let causes = DelayCauses::new(view.trace, view.schedule);
    let rows = view.pipelines.iter();
    rows.map(|pipeline| row(view, &causes, pipeline)).collect()
}

/// What a report says of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemVerdict {
    /// It left the last stage within the limit, if there is one.
    InTime,
    /// It took longer than the limit.
    Late,
    /// It was lost on its way.
    Dropped,
    /// A stage did not send it on.
    NotForwarded,
    /// It is on its way at the end of the trace, and not late.
    InProgress,
    /// Its way is not known.
    Unknown,
}

impl ItemVerdict {
    /// Its name in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::InTime => "in time",
            Self::Late => "late",
            Self::Dropped => "dropped",
            Self::NotForwarded => "not forwarded",
            Self::InProgress => "in progress",
            Self::Unknown => "unknown",
        }
    }
}

/// What a report says of an item.
pub fn item_verdict(view: &View<'_>, pipeline: &Pipeline, item: &PipelineItem) -> ItemVerdict {
    let exceeds = |ticks: u64| pipeline.limit().is_some_and(|limit| ticks > limit.0);
    let elapsed = view.window().end.saturating_sub(item.start.time.0);
    match item.outcome {
        _ if item.is_dropped() => ItemVerdict::Dropped,
        ItemOutcome::Completed if exceeds(item.latency().0) => ItemVerdict::Late,
        ItemOutcome::Completed => ItemVerdict::InTime,
        ItemOutcome::NotForwarded => ItemVerdict::NotForwarded,
        ItemOutcome::InProgress if exceeds(elapsed) => ItemVerdict::Late,
        ItemOutcome::InProgress => ItemVerdict::InProgress,
        _ => ItemVerdict::Unknown,
    }
}

fn row(view: &View<'_>, causes: &DelayCauses<'_>, pipeline: &Pipeline) -> PipelineRow {
    let clock = &view.trace.clock;
    let items = pipeline.items.iter().zip(0..);
    let items = items.filter(|(item, _)| view.contains(item.end.time));
    let items: Vec<(usize, &PipelineItem, ItemVerdict)> = items
        .map(|(item, index)| (index, item, item_verdict(view, pipeline, item)))
        .collect();
    let count = |wanted: ItemVerdict| {
        let of_verdict = items.iter().filter(|(.., verdict)| *verdict == wanted);
        of_verdict.count() as u64
    };
    let (mut latency, mut period) = (Samples::default(), Samples::default());
    let mut min_slack = None;
    let mut completed = 0;
    for (index, item, verdict) in &items {
        if item.outcome == ItemOutcome::Completed {
            completed += 1;
            let end = Ticks(item.start.time.0.saturating_add(item.latency().0));
            latency.add_interval([item.start.time, end], item.start.event, None);
        }
        if let (ItemVerdict::InTime, Some(limit)) = (verdict, pipeline.limit()) {
            let slack = limit.0 - item.latency().0;
            min_slack = Some(min_slack.map_or(slack, |min: u64| min.min(slack)));
        }
        let before = index.checked_sub(1);
        if let Some(before) = before.and_then(|before| pipeline.items.get(before))
            && !view.has_gap_between(None, before.start.event, item.start.event)
        {
            let ticks = item.start.time.0.saturating_sub(before.start.time.0);
            period.add(Ticks(ticks), item.start.event);
        }
    }
    let finder = ItemCauses::new(view, causes, pipeline, &items);
    let (misses, missed_stages) = finder.misses(&items);
    let stages = stages(view, causes, pipeline, &items, &missed_stages);
    let unknown = count(ItemVerdict::Unknown) + pipeline.unknown_starts;
    let judged = count(ItemVerdict::InTime);
    let verdict = pipeline.limit().map(|_| match () {
        () if !misses.is_empty() => DeadlineVerdict::Missed,
        () if unknown > 0 || judged == 0 => DeadlineVerdict::Unknown,
        () => DeadlineVerdict::Met,
    });
    PipelineRow {
        name: pipeline.name.clone(),
        declared_period: pipeline.period.map(|it| it.0),
        deadline: pipeline.deadline.map(|it| it.0),
        verdict,
        items: items.len() as u64,
        completed,
        late: count(ItemVerdict::Late),
        dropped: count(ItemVerdict::Dropped),
        not_forwarded: count(ItemVerdict::NotForwarded),
        in_progress: count(ItemVerdict::InProgress),
        unknown,
        latency: latency.distribution(clock),
        period: period.distribution(clock),
        min_slack,
        stages,
        misses,
    }
}

fn stages(
    view: &View<'_>,
    causes: &DelayCauses<'_>,
    pipeline: &Pipeline,
    items: &[(usize, &PipelineItem, ItemVerdict)],
    missed_stages: &[usize],
) -> Vec<PipelineStageRow> {
    let clock = &view.trace.clock;
    let row = |(stage, index): (&crate::pipelines::PipelineStage, usize)| {
        let visits = items.iter().filter_map(|(item, ..)| {
            let visit = pipeline.visit(*item, index)?;
            Some((visit, visit.received?))
        });
        let (mut queued, mut service) = (Samples::default(), Samples::default());
        let mut cpu_time = Samples::default();
        let mut taken = 0;
        for (visit, received) in visits {
            taken += 1;
            if index > 0 {
                queued.add(visit.queued().unwrap_or_default(), received.event);
            }
            if let Some(ticks) = visit.service() {
                service.add(ticks, received.event);
                if let Some(running) = visit_cpu_time(view, causes, pipeline, index, visit) {
                    cpu_time.add(running, received.event);
                }
            }
        }
        let of_stage = missed_stages.iter().filter(|missed| **missed == index);
        PipelineStageRow {
            name: stage.name.clone(),
            items: taken,
            queued: queued.distribution(clock),
            service: service.distribution(clock),
            cpu_time: cpu_time.distribution(clock),
            misses: of_stage.count() as u64,
            problem: stage.problem.map(StageProblem::describe),
        }
    };
    pipeline.stages.iter().zip(0..).map(row).collect()
}
