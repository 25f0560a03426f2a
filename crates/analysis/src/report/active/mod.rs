//! Active objects: events and run-to-completion steps.

use super::{Distribution, Hex, Samples, View};
use crate::active::{Post, RtcStep, StepEnding};
use crate::levels::LevelExtreme;
use crate::report::ReportKind;
use crate::report::table::FrontEnd::{Text, Viewer};
use crate::report::table::{Cell, LinkTarget, ReportTable, TableRow, column};
use rtoscope_trace::active_object::StepOutcome;
use rtoscope_trace::{ContextId, ResourceId, Ticks};
use schemars::JsonSchema;
use serde::Serialize;

/// An active object.
///
/// A duration counts in the window in which it ends. Durations cover the events
/// with two certain ends: a gap, or a filter on the target, can exclude others.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ActiveObjectRow {
    /// Its name, or its address if it has none.
    pub name: String,
    /// Its address.
    pub address: Hex,
    /// Events posted to its queue.
    pub posted: u64,
    /// Run-to-completion steps that began: handled events, and the initial
    /// transition.
    pub steps: u64,
    /// How they ended.
    pub endings: StepEndings,
    /// Guards that were false, whether or not another transition was found.
    pub guards_false: u64,
    /// Events that it deferred, as far as known.
    pub deferred: u64,
    /// Events that were recalled.
    pub recalled: u64,
    /// Total time of its steps, in ticks, including interruptions.
    pub busy_time: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy_time_ns: Option<u64>,
    /// The same in percent of the time; `None` if no time passes.
    pub busy_percent: Option<f64>,
    /// From the start of a step to its end.
    pub duration: Option<Distribution>,
    /// From the post of an event to the start of its step.
    pub queueing: Option<Distribution>,
    /// From the post of an event to the end of its step.
    pub response: Option<Distribution>,
    /// Maximum number of events in its queue after a post.
    pub max_queued: Option<QueuePeak>,
    /// Its queue; `None` if the trace does not identify it.
    pub queue: Option<ActiveObjectQueue>,
}

impl TableRow for ActiveObjectRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "active",
        title: ReportKind::Active.title(),
        note: "",
        empty: "No active objects",
        rank: "busy_time",
        columns: &[
            column!(Link, name, "Active object", |row| {
                let address = row.address;
                Some(Cell::Link(&row.name, LinkTarget::ActiveObject { address }))
            }),
            column!(Count, posted, "Posted").hint("Events posted to its queue"),
            column!(Count, steps, "Steps").hint("Events handled"),
            column!(Duration, busy_time, "Busy time")
                .total()
                .hint("Total time of its steps")
                .only(&[Text, Viewer]),
            column!(Percent, busy_percent, "Busy"),
            column!(Count, endings.unhandled, "Unhandled").hint("No transition for the event"),
            column!(Count, guards_false, "Guards false").only(&[Text, Viewer]),
            column!(Count, endings.no_branch, "No branch").only(&[Text, Viewer]),
            column!(Count, endings.failed, "Failed").hint("Error in the state machine"),
            column!(Count, endings.lost, "Lost")
                .hint("Missing records")
                .only(&[Text, Viewer]),
            column!(Count, endings.unrecorded, "Filtered")
                .hint("The target does not record how the step ended")
                .only(&[Text, Viewer]),
            column!(Count, endings.open, "Unfinished")
                .hint("At the end of the trace")
                .only(&[Text, Viewer]),
            column!(Count, deferred, "Deferred"),
            column!(Count, recalled, "Recalled").only(&[Text, Viewer]),
            column!(Count, max_queued?.events, "Max queued"),
            column!(Event, max_queued?.event, "At event").only(&[Text, Viewer]),
            column!(Count, queue?.capacity, "Capacity").hint("Capacity of its queue"),
            column!(Count, queue?.min_free, "Min free")
                .hint("Free entries of its queue")
                .only(&[Text, Viewer]),
            column!(Distribution, queueing, "Queueing time")
                .hint("from the post of an event to the start of its step"),
            column!(Distribution, duration, "Step time")
                .hint("from the start of a step to its end"),
            column!(Distribution, response, "Response time")
                .hint("from the post of an event to the end of its step"),
        ],
    };
}

/// The queue of an active object: the one whose record precedes that of a post.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ActiveObjectQueue {
    /// Its name, or its address if it has none.
    pub name: String,
    /// Its address.
    pub address: Hex,
    /// Number of events that it can hold, if recorded.
    pub capacity: Option<u64>,
    /// Minimum of free entries.
    pub min_free: Option<u64>,
}

/// How steps ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StepEndings {
    /// The event was processed.
    pub processed: u64,
    /// No transition for the event.
    pub unhandled: u64,
    /// A guard prevented the transition.
    pub guard_false: u64,
    /// No branch of a conditional or choice pseudostate was open.
    pub no_branch: u64,
    /// The machine is defective: an unknown state, too deep nesting, or too
    /// many segments.
    pub failed: u64,
    /// Records are missing.
    pub lost: u64,
    /// The records of the end are filtered out on the target.
    pub unrecorded: u64,
    /// It lasted until the end of the trace.
    pub open: u64,
}

/// The maximum fill of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QueuePeak {
    /// Number of events.
    pub events: u32,
    /// The post that first reached it.
    pub event: u32,
}

/// The active objects of the scope, in the order of the trace.
pub fn active(view: &View<'_>) -> Vec<ActiveObjectRow> {
    let mut all = vec![ActiveObjectTotals::default(); view.trace.contexts.len()];
    for (resource, id) in view.schedule.resources.iter().zip((0..).map(ResourceId)) {
        if let Some(owner) = resource.owner
            && let Some(totals) = all.get_mut(owner.index())
        {
            totals.queue = Some(id);
        }
    }
    for post in &view.active.posts {
        if let Some(totals) = all.get_mut(post.to.index())
            && view.contains(post.time)
        {
            totals.post(post);
        }
    }
    for step in &view.active.steps {
        if let Some(totals) = all.get_mut(step.object.index()) {
            totals.step(view, step);
        }
    }
    for deferral in &view.active.deferrals {
        if let Some(totals) = deferral
            .object
            .and_then(|object| all.get_mut(object.index()))
            && view.contains(deferral.time)
        {
            totals.deferred += 1;
        }
    }
    let row = |object: ContextId| {
        let totals = all.get_mut(object.index()).map(std::mem::take);
        row(view, object, totals.unwrap_or_default())
    };
    view.active_objects().map(row).collect()
}

fn queue(view: &View<'_>, id: ResourceId) -> Option<ActiveObjectQueue> {
    let resource = view.schedule.resources.get(id.index())?;
    let usage = view.levels.get(id);
    let capacity = usage.and_then(|usage| usage.capacity);
    let most = usage.and_then(|usage| usage.level.maximum());
    let free = |most: LevelExtreme| capacity?.checked_sub(most.level.into());
    Some(ActiveObjectQueue {
        name: view.resource_name(id),
        address: Hex(resource.address),
        capacity,
        min_free: most.and_then(free),
    })
}

/// Totals of an object.
#[derive(Debug, Clone, Default)]
struct ActiveObjectTotals {
    posted: u64,
    recalled: u64,
    deferred: u64,
    steps: u64,
    guards_false: u64,
    endings: StepEndings,
    busy: u64,
    peak: Option<QueuePeak>,
    queue: Option<ResourceId>,
    duration: Samples,
    queueing: Samples,
    response: Samples,
}

impl ActiveObjectTotals {
    fn post(&mut self, post: &Post) {
        self.posted += 1;
        self.recalled += u64::from(post.recalled);
        let events = post.queued.unwrap_or_default();
        if events > self.peak.map_or(0, |most| most.events) {
            self.peak = Some(QueuePeak {
                events,
                event: post.event.0,
            });
        }
    }

    fn step(&mut self, view: &View<'_>, step: &RtcStep) {
        self.busy += view.clip(step.start, step.end).0;
        let post = step
            .post
            .and_then(|post| view.active.posts.get(post.index()));
        let object = Some(step.object);
        if view.contains(step.start) {
            self.steps += 1;
            self.guards_false += u64::from(step.guards_false);
            self.endings.count(step.ending);
            if let Some(post) = post {
                let interval = [post.time, step.start];
                self.queueing.add_interval(interval, step.first, object);
            }
        }
        if matches!(step.ending, StepEnding::Recorded(_)) && view.contains(step.end) {
            let interval = [step.start, step.end];
            self.duration.add_interval(interval, step.last, object);
            if let Some(post) = post {
                let interval = [post.time, step.end];
                self.response.add_interval(interval, step.last, object);
            }
        }
    }
}

impl StepEndings {
    fn count(&mut self, ending: StepEnding) {
        let count = match ending {
            StepEnding::Recorded(StepOutcome::Processed) => &mut self.processed,
            StepEnding::Recorded(StepOutcome::Unhandled) => &mut self.unhandled,
            StepEnding::Recorded(StepOutcome::GuardFalse) => &mut self.guard_false,
            StepEnding::Recorded(StepOutcome::NoBranch) => &mut self.no_branch,
            StepEnding::Recorded(
                StepOutcome::UnknownState | StepOutcome::TooDeep | StepOutcome::TooManySegments,
            ) => &mut self.failed,
            StepEnding::Lost => &mut self.lost,
            StepEnding::Unrecorded => &mut self.unrecorded,
            StepEnding::Open => &mut self.open,
        };
        *count += 1;
    }
}

fn row(view: &View<'_>, object: ContextId, totals: ActiveObjectTotals) -> ActiveObjectRow {
    let clock = &view.trace.clock;
    let context = view.trace.contexts.get(object);
    ActiveObjectRow {
        name: view.trace.context_name(object),
        address: Hex(context.map(|context| context.address).unwrap_or_default()),
        posted: totals.posted,
        steps: totals.steps,
        endings: totals.endings,
        guards_false: totals.guards_false,
        deferred: totals.deferred,
        recalled: totals.recalled,
        busy_time: totals.busy,
        busy_time_ns: view.nanoseconds(Ticks(totals.busy)),
        busy_percent: view.percent(Ticks(totals.busy)),
        duration: totals.duration.distribution(clock),
        queueing: totals.queueing.distribution(clock),
        response: totals.response.distribution(clock),
        max_queued: totals.peak,
        queue: totals.queue.and_then(|id| queue(view, id)),
    }
}

#[cfg(test)]
mod tests;
