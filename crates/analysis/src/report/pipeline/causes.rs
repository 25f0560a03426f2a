//! Why items are late or dropped.

use super::{ItemVerdict, PipelineMiss};
use crate::pipelines::{ItemOutcome, Pipeline, PipelineItem, StageVisit, StageWorker};
use crate::report::View;
use crate::report::deadlines::{MissCause, delay_culprit, describe_cause};
use crate::schedule::{DelayCause, DelayCauses, DelayPart};
use rtoscope_trace::{ContextId, Contexts, EventIndex, Ticks};
use std::collections::HashMap;
use std::ops::Range;

/// Finds what delays the items of a pipeline.
///
/// A delay is what exceeds the mean of the items in time: a display that always waits for
/// its interrupt does not delay an item thereby.
pub(super) struct ItemCauses<'v, 'c> {
    view: &'v View<'v>,
    causes: &'c DelayCauses<'v>,
    pipeline: &'v Pipeline,
    /// The items that each stage took, in this order.
    order: Vec<Vec<usize>>,
    /// Whether each stage has at most one item at a time.
    is_exclusive: Vec<bool>,
    /// What items in time need in each stage.
    usual: Vec<UsualStage>,
}

/// What items in time need in a stage.
#[derive(Debug, Default)]
struct UsualStage {
    items: u64,
    total: u64,
    by_cause: HashMap<ItemCause, u64>,
}

/// What an item's time in a stage is spent with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ItemCause {
    /// The stage has another item: its index.
    Busy(usize),
    /// It waits to be taken, for an unknown reason.
    Queued,
    /// The stage works on it, for reasons that the trace does not record.
    Service,
    /// What the stage's thread does or waits for.
    Thread(DelayCause),
}

/// The time of a cause in a stage.
#[derive(Debug, Clone, Copy)]
struct CauseTime {
    cause: ItemCause,
    ticks: u64,
    event: EventIndex,
    /// What exceeds the mean of the items in time.
    excess: f64,
}

/// The stage, cause and culprit of a miss.
struct Blame {
    stage: usize,
    cause: String,
    culprit: Option<String>,
    causes: Vec<MissCause>,
}

/// The largest cause and the culprit of misses, by item and stage.
type Roots = HashMap<(usize, usize), Root>;
type Root = (Option<String>, Option<String>);

type JudgedItem<'p> = (usize, &'p PipelineItem, ItemVerdict);

impl UsualStage {
    fn mean(&self, sum: u64) -> f64 {
        sum as f64 / self.items.max(1) as f64
    }
}

impl<'v, 'c> ItemCauses<'v, 'c> {
    pub(super) fn new(
        view: &'v View<'v>,
        causes: &'c DelayCauses<'v>,
        pipeline: &'v Pipeline,
        items: &[JudgedItem<'_>],
    ) -> Self {
        let order = |stage| {
            let all = 0..pipeline.items.len();
            let received = |item: &usize| pipeline.visit(*item, stage)?.received;
            let mut taken: Vec<_> = all.filter(|item| received(item).is_some()).collect();
            taken.sort_by_key(|item| received(item).map(|at| at.event));
            taken
        };
        let order: Vec<_> = (0..pipeline.stages.len()).map(order).collect();
        let is_exclusive = |(taken, stage): (&Vec<usize>, usize)| {
            let visit = |item: usize| pipeline.visit(item, stage);
            taken.windows(2).all(|pair| {
                let [item, next] = pair else { return true };
                let left = visit(*item).and_then(|visit| visit.left);
                let next = visit(*next).and_then(|visit| visit.received);
                left.zip(next)
                    .is_some_and(|(left, next)| left.event <= next.event)
            })
        };
        let mut finder = Self {
            view,
            causes,
            pipeline,
            is_exclusive: order.iter().zip(0..).map(is_exclusive).collect(),
            order,
            usual: Vec::new(),
        };
        let has_misses = items
            .iter()
            .any(|(.., verdict)| *verdict == ItemVerdict::Late);
        let usual = |stage| {
            let mut usual = UsualStage::default();
            let in_time = items.iter().filter(|(.., it)| *it == ItemVerdict::InTime);
            for (item, ..) in in_time.filter(|_| has_misses) {
                let Some(visit) = pipeline.visit(*item, stage) else {
                    continue;
                };
                usual.items += 1;
                usual.total += visit.total().unwrap_or_default().0;
                for part in finder.parts(*item, stage, visit) {
                    *usual.by_cause.entry(part.cause).or_default() += part.ticks;
                }
            }
            usual
        };
        finder.usual = (0..pipeline.stages.len()).map(usual).collect();
        finder
    }

    /// The late and dropped items, in the order of their starts, and the stages that
    /// delayed or dropped them.
    pub(super) fn misses(&self, items: &[JudgedItem<'_>]) -> (Vec<PipelineMiss>, Vec<usize>) {
        // What delayed the items that others wait for, by item and stage.
        let mut roots = Roots::new();
        let (mut misses, mut stages) = (Vec::new(), Vec::new());
        for (index, item, verdict) in items {
            let (outcome, blame) = match verdict {
                ItemVerdict::Late => ("late", self.late(*index, &roots)),
                ItemVerdict::Dropped => ("dropped", self.dropped(item, &roots)),
                _ => continue,
            };
            let end = match item.outcome {
                ItemOutcome::InProgress => self.view.window().end,
                _ => item.end.time.0,
            };
            let stage = self.pipeline.stages.get(blame.stage);
            stages.push(blame.stage);
            let root = blame.causes.first().map(|first| first.cause.clone());
            roots.insert((*index, blame.stage), (root, blame.culprit.clone()));
            misses.push(PipelineMiss {
                item: item.number,
                outcome,
                start_ticks: item.start.time.0,
                event: item.start.event.0,
                latency_ticks: end.saturating_sub(item.start.time.0),
                stage: stage.map(|stage| stage.name.clone()).unwrap_or_default(),
                cause: blame.cause,
                culprit: blame.culprit,
                causes: blame.causes,
            });
        }
        (misses, stages)
    }

    fn late(&self, item: usize, roots: &Roots) -> Blame {
        let visits = self.pipeline.visits(item).iter().zip(0..);
        let excess = visits.filter_map(|(visit, stage)| {
            let visit = visit.as_ref()?;
            let total = self.end_of(visit).0.saturating_sub(visit.arrived.time.0);
            let usual = self.usual.get(stage)?;
            Some((stage, total as f64 - usual.mean(usual.total)))
        });
        let worst = excess.max_by(|(_, one), (_, other)| one.total_cmp(other));
        let stage = worst.map_or(0, |(stage, _)| stage);
        self.delay(item, stage, roots)
    }

    /// What delays an item in a stage.
    fn delay(&self, item: usize, stage: usize, roots: &Roots) -> Blame {
        let visit = self.pipeline.visit(item, stage);
        let mut parts = visit.map_or_else(Vec::new, |visit| self.parts(item, stage, visit));
        parts.sort_by(|one, other| other.excess.total_cmp(&one.excess));
        let rows = parts.iter().map(|part| MissCause {
            cause: self.describe(part.cause, stage),
            ticks: part.ticks,
            event: part.event.0,
        });
        let causes: Vec<_> = rows.collect();
        let (mut cause, mut culprit) = (String::new(), None);
        if let (Some(first), Some(row)) = (parts.first(), causes.first()) {
            let time = self.view.duration(Ticks(first.ticks));
            cause = format!("{} for {time}", row.cause);
            culprit = match first.cause {
                ItemCause::Busy(other) => {
                    let (why, who) = self.root(other, stage, roots);
                    if let Some(why) = why {
                        cause = format!("{cause} ({why})");
                    }
                    who
                }
                ItemCause::Thread(delay) => delay_culprit(self.view, delay),
                ItemCause::Queued | ItemCause::Service => None,
            };
        }
        Blame {
            stage,
            cause,
            culprit,
            causes,
        }
    }

    /// What delays an item that another one waits for, without what delays the items
    /// before it unless that is known already.
    fn root(&self, item: usize, stage: usize, roots: &Roots) -> Root {
        if let Some(known) = roots.get(&(item, stage)) {
            return known.clone();
        }
        let visit = self.pipeline.visit(item, stage);
        let parts = visit.map_or_else(Vec::new, |visit| self.parts(item, stage, visit));
        let own = parts.iter().filter_map(|part| match part.cause {
            ItemCause::Thread(DelayCause::Running) => None,
            ItemCause::Thread(delay) => Some((delay, part.excess)),
            _ => None,
        });
        let worst = own.filter(|(_, excess)| *excess > 0.0);
        let worst = worst.max_by(|(_, one), (_, other)| one.total_cmp(other));
        match worst {
            Some((delay, _)) => (
                Some(describe_cause(self.view, delay)),
                delay_culprit(self.view, delay),
            ),
            None => (None, None),
        }
    }

    fn dropped(&self, item: &PipelineItem, roots: &Roots) -> Blame {
        let next = item.stage + 1;
        let input = self.pipeline.stages.get(next).and_then(|stage| stage.input);
        let input = input.map(|input| self.view.resource_name(input));
        let mut cause = match (item.outcome, input) {
            (ItemOutcome::Refused, Some(input)) => format!("{input} was full"),
            (ItemOutcome::Flushed, Some(input)) => format!("flushed from {input}"),
            _ => "later items overtook it".to_owned(),
        };
        let mut culprit = None;
        if let Some(other) = self.holder(next, item.start.event.max(item.end.event)) {
            let (why, who) = self.root(other, next, roots);
            let name = self.pipeline.stages.get(next).map(|it| it.name.as_str());
            let number = self.number(other);
            cause = format!("{cause}: {} had item {number}", name.unwrap_or_default());
            if let Some(why) = why {
                cause = format!("{cause} ({why})");
            }
            culprit = who;
        }
        Blame {
            stage: item.stage,
            causes: vec![MissCause {
                cause: cause.clone(),
                ticks: item.latency().0,
                event: item.end.event.0,
            }],
            cause,
            culprit,
        }
    }

    /// The item that a stage works on at an event, the last one of several.
    fn holder(&self, stage: usize, at: EventIndex) -> Option<usize> {
        let order = self.order.get(stage)?;
        let visit = |item: usize| self.pipeline.visit(item, stage);
        let taken = |item: &usize| {
            visit(*item)
                .and_then(|it| it.received)
                .is_some_and(|it| it.event <= at)
        };
        let last = order.partition_point(taken).checked_sub(1)?;
        let item = *order.get(last)?;
        let left = visit(item)?.left;
        left.is_none_or(|left| left.event > at).then_some(item)
    }

    /// What an item's time in a stage is spent with, in order of time.
    fn parts(&self, item: usize, stage: usize, visit: &StageVisit) -> Vec<CauseTime> {
        let mut found = PartSums::default();
        let end = self.end_of(visit);
        let received = visit.received.map_or(end, |at| at.time);
        let mut at = visit.arrived.time;
        if let Some((other, busy_until)) = self.predecessor(item, stage) {
            let until = busy_until.min(received);
            if until > at {
                found.add(ItemCause::Busy(other), until.0 - at.0, visit.arrived.event);
                at = until;
            }
        }
        let spans = [
            (at, received, ItemCause::Queued),
            (received, end, ItemCause::Service),
        ];
        for (start, end, unknown) in spans {
            match self.breakdown(stage, visit, start.0..end.0) {
                Some(parts) => {
                    for part in parts {
                        found.add(ItemCause::Thread(part.cause), part.ticks(), part.event);
                    }
                }
                None => found.add(unknown, end.0.saturating_sub(start.0), visit.arrived.event),
            }
        }
        let usual = self.usual.get(stage);
        for part in &mut found.all {
            let mean = usual.map(|it| it.mean(it.by_cause.get(&part.cause).copied().unwrap_or(0)));
            part.excess = part.ticks as f64 - mean.unwrap_or_default();
        }
        found.all
    }

    /// The item that the stage took before this one, and when it left the stage. `None` if
    /// the stage has several items at a time: it need not wait for that one.
    fn predecessor(&self, item: usize, stage: usize) -> Option<(usize, Ticks)> {
        let is_exclusive = self.is_exclusive.get(stage).copied();
        let order = self
            .order
            .get(stage)
            .filter(|_| is_exclusive == Some(true))?;
        let received = |item: usize| Some(self.pipeline.visit(item, stage)?.received?.event);
        let before = match received(item) {
            Some(at) => order.partition_point(|it| received(*it) < Some(at)),
            None => order.len(),
        };
        let other = *order.get(before.checked_sub(1)?)?;
        let visit = self.pipeline.visit(other, stage)?;
        Some((other, self.end_of(visit)))
    }

    /// When an item left a stage, or the end of what is known of it.
    fn end_of(&self, visit: &StageVisit) -> Ticks {
        let end = Ticks(self.view.window().end);
        visit.left.map_or(end, |left| left.time)
    }

    /// The parts of the time of a visit's thread or interrupt service routine; `None` if it
    /// has neither.
    fn breakdown(
        &self,
        stage: usize,
        visit: &StageVisit,
        window: Range<u64>,
    ) -> Option<Vec<DelayPart>> {
        breakdown(self.view, self.causes, self.pipeline, stage, visit, window)
    }

    fn number(&self, item: usize) -> u64 {
        self.pipeline.items.get(item).map_or(0, |item| item.number)
    }

    /// A cause as a phrase.
    fn describe(&self, cause: ItemCause, stage: usize) -> String {
        let stage = self.pipeline.stages.get(stage);
        let name = stage.map_or("", |stage| stage.name.as_str());
        match cause {
            ItemCause::Busy(other) => {
                let input = stage.and_then(|stage| stage.input);
                let waited = match input {
                    Some(input) => format!("waited in {}", self.view.resource_name(input)),
                    None => "waited".to_owned(),
                };
                format!("{waited} while {name} had item {}", self.number(other))
            }
            ItemCause::Queued => "queued".to_owned(),
            ItemCause::Service => format!("{name} worked on it"),
            ItemCause::Thread(delay) => describe_cause(self.view, delay),
        }
    }
}

/// CPU time that the thread or interrupt service routine of a visit needs from the receipt
/// until it sends the item on; `None` if the stage has neither, or parts are not known.
pub fn visit_cpu_time(
    view: &View<'_>,
    causes: &DelayCauses<'_>,
    pipeline: &Pipeline,
    stage: usize,
    visit: &StageVisit,
) -> Option<Ticks> {
    let window = visit.received?.time.0..visit.left?.time.0;
    let parts = breakdown(view, causes, pipeline, stage, visit, window)?;
    let is_unknown = |part: &DelayPart| part.cause == DelayCause::Unknown;
    if parts.iter().any(is_unknown) {
        return None;
    }
    let running = parts.iter().filter(|it| it.cause == DelayCause::Running);
    Some(Ticks(running.map(DelayPart::ticks).sum()))
}

fn breakdown(
    view: &View<'_>,
    causes: &DelayCauses<'_>,
    pipeline: &Pipeline,
    stage: usize,
    visit: &StageVisit,
    window: Range<u64>,
) -> Option<Vec<DelayPart>> {
    if let StageWorker::Isr(number) = pipeline.stages.get(stage)?.worker {
        let core = view.trace.events.get(visit.arrived.event)?.core;
        return Some(causes.isr_breakdown(Some(number), core, window));
    }
    let context = visit.context;
    let is_thread = context > Contexts::IDLE && context != ContextId::UNKNOWN;
    let has_states = view.schedule.threads.get(context.index()).is_some();
    (is_thread && has_states).then(|| causes.breakdown(context, window))
}

/// The times of causes, in the order of their first parts.
#[derive(Debug, Default)]
struct PartSums {
    all: Vec<CauseTime>,
    indices: HashMap<ItemCause, usize>,
}

impl PartSums {
    fn add(&mut self, cause: ItemCause, ticks: u64, event: EventIndex) {
        if ticks == 0 {
            return;
        }
        let index = *self.indices.entry(cause).or_insert(self.all.len());
        match self.all.get_mut(index) {
            Some(part) => part.ticks += ticks,
            None => self.all.push(CauseTime {
                cause,
                ticks,
                event,
                excess: 0.0,
            }),
        }
    }
}
