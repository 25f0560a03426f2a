//! Pipelines: chains of stages that items pass, such as the frames of a camera.
//!
//! An item is a message that a stage takes from its input, works on, and sends on; an
//! event that active objects post to each other; or what the application marks with
//! points of interest or events that have its number. Messages have no identity of their
//! own: an item follows the order in which its queue stores messages, and a stage works on
//! one item at a time. Where this is not certain, as after lost events, an item's way is
//! unknown.

mod bind;
mod chain_steps;
mod events;
mod held;
mod marked;
mod messages;
mod posts;

use crate::AnalyzedRecording;
use crate::markers::MarkerId;
use crate::timing::PipelineDeclaration;
use rtoscope_trace::{ContextId, EventIndex, ResourceId, Ticks};

/// A declared pipeline and the items that passed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// Its name.
    pub name: String,
    /// Its stages, at least one.
    pub stages: Vec<PipelineStage>,
    /// The nominal time from the start of one item to the start of the next.
    pub period: Option<Ticks>,
    /// The maximum time from the start of an item to its end.
    pub deadline: Option<Ticks>,
    /// The items, in the order of their starts.
    pub items: Vec<PipelineItem>,
    /// Items whose start is not known: they entered a stage without a recorded way to it.
    pub unknown_starts: u64,
    /// The visits of the first item, then those of the next one; one a stage.
    visits: Vec<Option<StageVisit>>,
}

/// A stage of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PipelineStage {
    /// Its name.
    pub name: String,
    /// Who works on the items.
    pub worker: StageWorker,
    /// What items arrive through: a queue or semaphore. `None` for the first stage, and
    /// for stages of active objects, markers and events.
    pub input: Option<ResourceId>,
    /// Why it is not known which items it sends on, if so.
    pub problem: Option<StageProblem>,
}

/// Why it is not known which items a stage sends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StageProblem {
    /// It took an item while it had another, and nothing is declared about that.
    Overlap,
    /// It sends items on in their order, but how many it had at the start or after a gap is
    /// not known: it was never full, or never empty, or had more than declared.
    UnknownContent,
}

/// Who works on the items of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StageWorker {
    /// A thread.
    Thread(ContextId),
    /// The interrupt service routine of this number.
    Isr(u32),
    /// An active object.
    ActiveObject(ContextId),
    /// Whoever begins the spans of a marker.
    Marker(MarkerId),
    /// Whoever logs the stage's events.
    Logger,
}

/// An item that passes a pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PipelineItem {
    /// The value that the application gives it, or else its number, from 1.
    pub number: u64,
    /// Its start: of the interrupt service routine that sends it first, or of the first
    /// call or post.
    pub start: StageTime,
    /// Its last time: its end, or where it was lost.
    pub end: StageTime,
    /// What became of it.
    pub outcome: ItemOutcome,
    /// The index of the last stage that it reached.
    pub stage: usize,
}

/// What became of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemOutcome {
    /// It left the last stage.
    Completed,
    /// There was no room for it: the call that sends it on was refused.
    Refused,
    /// It was removed from the input of the stage after its last one.
    Flushed,
    /// Later items overtook it: it never reached the next stage.
    Overtaken,
    /// Its last stage took the next item without sending this one on.
    NotForwarded,
    /// It was in its last stage, or on its way to the next one, at the end of the trace.
    InProgress,
    /// Events are missing.
    Unknown,
}

/// A time of an item's way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageTime {
    /// The time.
    pub time: Ticks,
    /// Its event.
    pub event: EventIndex,
}

/// An item's time in a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageVisit {
    /// When it was sent to the stage; in the first stage its start.
    pub arrived: StageTime,
    /// When the stage took it.
    pub received: Option<StageTime>,
    /// When the stage sent it on, or finished it.
    pub left: Option<StageTime>,
    /// The context that works on it; [`ContextId::UNKNOWN`] if it is not a thread.
    pub context: ContextId,
}

impl PipelineItem {
    /// Ticks from its start to its last time.
    pub fn latency(&self) -> Ticks {
        Ticks(self.end.time.0.saturating_sub(self.start.time.0))
    }

    /// Whether it was lost on its way.
    pub fn is_dropped(&self) -> bool {
        use ItemOutcome::{Flushed, Overtaken, Refused};
        matches!(self.outcome, Refused | Flushed | Overtaken)
    }
}

impl ItemOutcome {
    /// Its name in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Refused | Self::Flushed | Self::Overtaken => "dropped",
            Self::NotForwarded => "not forwarded",
            Self::InProgress => "in progress",
            Self::Unknown => "unknown",
        }
    }
}

impl StageProblem {
    /// The problem as a sentence, with what to do.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Overlap => {
                "takes an item while it has another: declare [fifo N], [collects] or [discards]"
            }
            Self::UnknownContent => {
                "[fifo N]: what it had at the start or after a gap is not known; N may not be \
                 what it holds at most"
            }
        }
    }
}

impl PipelineStage {
    fn new(name: String, worker: StageWorker, input: Option<ResourceId>) -> Self {
        Self {
            name,
            worker,
            input,
            problem: None,
        }
    }
}

impl StageVisit {
    /// Ticks from its arrival until the stage took it.
    pub fn queued(&self) -> Option<Ticks> {
        Some(self.arrived.until(self.received?))
    }

    /// Ticks from its receipt until the stage sent it on.
    pub fn service(&self) -> Option<Ticks> {
        Some(self.received?.until(self.left?))
    }

    /// Ticks from its arrival until the stage sent it on.
    pub fn total(&self) -> Option<Ticks> {
        Some(self.arrived.until(self.left?))
    }
}

impl StageTime {
    fn until(self, end: Self) -> Ticks {
        Ticks(end.time.0.saturating_sub(self.time.0))
    }
}

impl Pipeline {
    fn new(name: String, stages: Vec<PipelineStage>) -> Self {
        Self {
            name,
            stages,
            period: None,
            deadline: None,
            items: Vec::new(),
            unknown_starts: 0,
            visits: Vec::new(),
        }
    }

    /// The maximum latency of an item: the deadline, or else the period.
    pub fn limit(&self) -> Option<Ticks> {
        self.deadline.or(self.period)
    }

    /// The visits of an item, one a stage; `None` of stages that it did not reach.
    pub fn visits(&self, item: usize) -> &[Option<StageVisit>] {
        let first = item.saturating_mul(self.stages.len());
        let end = first.saturating_add(self.stages.len());
        self.visits.get(first..end).unwrap_or_default()
    }

    /// An item's visit of a stage, if it reached it.
    pub fn visit(&self, item: usize, stage: usize) -> Option<&StageVisit> {
        self.visits(item).get(stage)?.as_ref()
    }

    fn visit_mut(&mut self, item: usize, stage: usize) -> Option<&mut StageVisit> {
        let index = item.saturating_mul(self.stages.len()).saturating_add(stage);
        self.visits.get_mut(index)?.as_mut()
    }

    /// Adds an item that starts in the first stage; returns its index.
    fn begin(&mut self, number: Option<u64>, start: StageTime) -> usize {
        let index = self.items.len();
        self.items.push(PipelineItem {
            number: number.unwrap_or(index as u64 + 1),
            start,
            end: start,
            outcome: ItemOutcome::InProgress,
            stage: 0,
        });
        let visits = self.visits.len() + self.stages.len();
        self.visits.resize(visits, None);
        index
    }

    /// An item arrives at a stage.
    fn arrive(&mut self, item: usize, stage: usize, at: StageTime, context: ContextId) {
        let index = item.saturating_mul(self.stages.len()).saturating_add(stage);
        if let Some(visit) = self.visits.get_mut(index) {
            *visit = Some(StageVisit {
                arrived: at,
                received: None,
                left: None,
                context,
            });
        }
    }

    /// An item that waited to get to a stage does not arrive there.
    fn turn_back(&mut self, item: usize, stage: usize) {
        let index = item.saturating_mul(self.stages.len()).saturating_add(stage);
        if let Some(visit) = self.visits.get_mut(index) {
            *visit = None;
        }
    }

    /// A stage takes an item.
    fn receive(&mut self, item: usize, stage: usize, at: StageTime) {
        if let Some(visit) = self.visit_mut(item, stage) {
            visit.received = Some(at);
        }
        if let Some(item) = self.items.get_mut(item) {
            (item.stage, item.end) = (stage, at);
        }
    }

    /// An item leaves a stage.
    fn leave(&mut self, item: usize, stage: usize, at: StageTime) {
        if let Some(visit) = self.visit_mut(item, stage) {
            visit.left = Some(at);
        }
        if let Some(item) = self.items.get_mut(item) {
            item.end = at;
        }
    }

    fn finish(&mut self, item: usize, outcome: ItemOutcome, at: StageTime) {
        if let Some(item) = self.items.get_mut(item) {
            (item.outcome, item.end) = (outcome, at);
        }
    }
}

impl AnalyzedRecording {
    /// Follows the items of a declared pipeline.
    ///
    /// # Errors
    ///
    /// If a name is unknown or ambiguous, the chain does not fit the trace, or its clock
    /// lacks a frequency for a duration; the error describes it.
    pub fn add_pipeline(&mut self, declared: &PipelineDeclaration) -> Result<(), String> {
        let ticks = |duration: Option<crate::timing::DeclaredDuration>| {
            duration.map(|it| it.ticks(&self.trace)).transpose()
        };
        let (period, deadline) = (ticks(declared.period)?, ticks(declared.deadline)?);
        let mut pipeline = bind::follow(self, declared)?;
        (pipeline.period, pipeline.deadline) = (period, deadline);
        self.pipelines.push(pipeline);
        Ok(())
    }
}
