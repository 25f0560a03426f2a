//! Why items are late or dropped.

use super::{ItemVerdict, PipelineMiss};
use crate::pipelines::{ItemOutcome, Pipeline, PipelineItem, StageTime, StageVisit, StageWorker};
use crate::report::View;
use crate::report::baseline::{Baseline, CauseSamples, UsualTimes};
use crate::report::deadlines::{MissCause, delay_culprit, describe_cause};
use crate::schedule::{DelayCause, DelayCauses, DelayPart};
use rtoscope_trace::{ContextId, Contexts, EventIndex, Ticks};
use std::collections::HashMap;
use std::ops::Range;

/// Finds what delays the items of a pipeline.
///
/// A delay is what exceeds the median of the items in time: a display that always waits for
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
    /// The least excess in a stage that stands out.
    min_excess: u64,
}

/// What items in time need in a stage.
#[derive(Debug, Default)]
struct UsualStage {
    items: usize,
    total: Baseline,
    by_cause: UsualTimes<ItemCause>,
}

/// An item stands out in a stage if it exceeds the median by at least this share of the
/// median latency of the items in time, in percent.
const MIN_EXCESS_PERCENT: u64 = 3;

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
    /// What exceeds the median of the items in time.
    excess: i128,
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

/// What usually lies between where a stage has an item and where the next stage takes the one
/// after it; by stage, and whether the item has left it.
type UsualWays = HashMap<(usize, bool), UsualTimes<DelayCause>>;
type DelayTime = crate::schedule::CauseTime<DelayCause>;

type JudgedItem<'p> = (usize, &'p PipelineItem, ItemVerdict);

impl ItemCause {
    /// The same cause in other items.
    fn usual(self) -> Self {
        match self {
            Self::Thread(delay) => Self::Thread(delay.usual()),
            other => other,
        }
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
            min_excess: 0,
        };
        let is_missed = |verdict| matches!(verdict, ItemVerdict::Late | ItemVerdict::Dropped);
        if !items.iter().any(|(.., verdict)| is_missed(*verdict)) {
            return finder;
        }
        let in_time = || items.iter().filter(|(.., it)| *it == ItemVerdict::InTime);
        let latencies = in_time().map(|(_, item, _)| item.latency().0);
        let latency = Baseline::of(&mut latencies.collect::<Vec<_>>(), 0).median;
        finder.min_excess = latency.saturating_mul(MIN_EXCESS_PERCENT) / 100;
        let usual = |stage| {
            let mut samples = CauseSamples::default();
            let mut totals = Vec::new();
            for (item, ..) in in_time() {
                let Some(visit) = pipeline.visit(*item, stage) else {
                    continue;
                };
                totals.push(visit.total().unwrap_or_default().0);
                let parts = finder.parts(*item, stage, visit);
                samples.add(
                    parts
                        .into_iter()
                        .map(|part| (part.cause.usual(), part.ticks)),
                );
            }
            UsualStage {
                items: totals.len(),
                total: Baseline::of(&mut totals, 0),
                by_cause: samples.usual(),
            }
        };
        finder.usual = (0..pipeline.stages.len()).map(usual).collect();
        finder
    }

    /// The late and dropped items, in the order of their starts, and the stages that
    /// delayed or dropped them.
    pub(super) fn misses(&self, items: &[JudgedItem<'_>]) -> (Vec<PipelineMiss>, Vec<usize>) {
        // What delayed the items that others wait for, by item and stage.
        let mut roots = Roots::new();
        let mut ways = UsualWays::new();
        let (mut misses, mut stages) = (Vec::new(), Vec::new());
        for (index, item, verdict) in items {
            let (outcome, blame) = match verdict {
                ItemVerdict::Late => ("late", self.late(*index, &roots)),
                ItemVerdict::Dropped => ("dropped", self.dropped(*index, &roots, &mut ways)),
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
                start: item.start.time.0,
                event: item.start.event.0,
                latency: end.saturating_sub(item.start.time.0),
                stage: stage.map(|stage| stage.name.clone()).unwrap_or_default(),
                cause: blame.cause,
                culprit: blame.culprit,
                causes: blame.causes,
            });
        }
        (misses, stages)
    }

    fn late(&self, item: usize, roots: &Roots) -> Blame {
        let stage = self.slowest(item).map_or(0, |(stage, ..)| stage);
        self.delay(item, stage, roots)
    }

    /// The stage in which an item exceeds what is usual most, with its time there.
    fn slowest(&self, item: usize) -> Option<(usize, u64)> {
        let visits = self.pipeline.visits(item).iter().zip(0..);
        let times = visits.filter_map(|(visit, stage)| {
            let visit = visit.as_ref()?;
            let total = self.end_of(item, visit).0;
            let total = total.saturating_sub(visit.arrived.time.0);
            let usual = self.usual.get(stage)?.total.median;
            let excess = i128::from(total) - i128::from(usual);
            Some((stage, total, excess))
        });
        let worst = times.max_by_key(|(.., excess)| *excess);
        worst.map(|(stage, total, _)| (stage, total))
    }

    /// The stage that held up an item which later ones overtook, if one did: no item in time
    /// needs nearly as long there.
    fn held_up(&self, item: usize) -> Option<usize> {
        let (stage, total) = self.slowest(item)?;
        let usual = self.usual.get(stage).filter(|usual| usual.items > 0)?;
        usual.total.excess(total, self.min_excess)?;
        Some(stage)
    }

    /// What delays an item in a stage.
    fn delay(&self, item: usize, stage: usize, roots: &Roots) -> Blame {
        let visit = self.pipeline.visit(item, stage);
        let mut parts = visit.map_or_else(Vec::new, |visit| self.parts(item, stage, visit));
        parts.sort_by_key(|part| std::cmp::Reverse(part.excess));
        let rows = parts.iter().map(|part| MissCause {
            cause: self.describe(part.cause, stage),
            duration: part.ticks,
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
        let worst = own.filter(|(_, excess)| *excess > 0);
        let worst = worst.max_by_key(|(_, excess)| *excess);
        match worst {
            Some((delay, _)) => (
                Some(describe_cause(self.view, delay)),
                delay_culprit(self.view, delay),
            ),
            None => (None, None),
        }
    }

    fn dropped(&self, index: usize, roots: &Roots, ways: &mut UsualWays) -> Blame {
        let Some(item) = self.pipeline.items.get(index) else {
            return self.delay(index, 0, roots);
        };
        let is_overtaken = item.outcome == ItemOutcome::Overtaken;
        if is_overtaken && let Some(stage) = self.held_up(index) {
            return self.delay(index, stage, roots);
        }
        let next = item.stage + 1;
        let input = self.pipeline.stages.get(next).and_then(|stage| stage.input);
        let input = input.map(|input| self.view.resource_name(input));
        let mut cause = match (item.outcome, input) {
            (ItemOutcome::Refused, Some(input)) => format!("{input} was full"),
            (ItemOutcome::Flushed, Some(input)) => format!("flushed from {input}"),
            _ => "later items overtook it".to_owned(),
        };
        let name = self.pipeline.stages.get(next).map(|it| it.name.as_str());
        let name = name.unwrap_or_default();
        let mut culprit = None;
        if let Some(other) = self.holder(next, item.start.event.max(item.end.event)) {
            let (why, who) = self.root(other, next, roots);
            let number = self.number(other);
            cause = format!("{cause}: {name} had item {number}");
            if let Some(why) = why {
                cause = format!("{cause} ({why})");
            }
            culprit = who;
        } else if is_overtaken && let Some(part) = self.kept_from_next(index, item, ways) {
            let time = self.view.duration(Ticks(part.ticks()));
            let why = describe_cause(self.view, part.cause);
            cause = format!("{cause}: {why} for {time} before {name}");
            culprit = delay_culprit(self.view, part.cause);
        }
        Blame {
            stage: item.stage,
            causes: vec![MissCause {
                cause: cause.clone(),
                duration: item.latency().0,
                event: item.end.event.0,
            }],
            cause,
            culprit,
        }
    }

    /// What kept the next stage from taking an item after it was last seen: the cause that
    /// exceeds most what is usual between the same place of one item and the next stage of
    /// the one after it.
    fn kept_from_next(
        &self,
        index: usize,
        item: &PipelineItem,
        ways: &mut UsualWays,
    ) -> Option<DelayPart> {
        let stage = item.stage;
        let has_left = self.pipeline.visit(index, stage)?.left.is_some();
        let way = |first, second| self.way(stage, has_left, first, second);
        let usual = ways.entry((stage, has_left)).or_insert_with(|| {
            let mut samples = CauseSamples::default();
            let items = self.pipeline.items.windows(2).zip(0..);
            let completed = items.filter(|(pair, _)| {
                let mut outcomes = pair.iter().map(|item| item.outcome);
                outcomes.all(|outcome| outcome == ItemOutcome::Completed)
            });
            for times in completed.filter_map(|(_, first)| way(first, first + 1)) {
                samples.add(times.iter().map(|it| (it.cause.usual(), it.ticks.0)));
            }
            samples.usual()
        });
        let (overtaker, _) = self.overtaken(index, stage)?;
        let found = way(index, overtaker)?.into_iter();
        let found = found.map(|it| (it, usual.excess(it.cause.usual(), it.ticks.0, 1)));
        let delays = found.filter(|(it, excess)| {
            use DelayCause::{OffCore, Running, Unknown};
            let is_delay = !matches!(it.cause, Running | Unknown | OffCore(Contexts::IDLE));
            is_delay && *excess > i128::from(self.min_excess)
        });
        let (worst, _) = delays.max_by_key(|(_, excess)| *excess)?;
        let start = item.end.time;
        Some(DelayPart {
            start,
            end: Ticks(start.0.saturating_add(worst.ticks.0)),
            event: worst.event,
            cause: worst.cause,
        })
    }

    /// What the next stage does from where an item leaves a stage, or arrives there, until
    /// it takes another item.
    fn way(
        &self,
        stage: usize,
        has_left: bool,
        first: usize,
        second: usize,
    ) -> Option<Vec<DelayTime>> {
        let last = self.pipeline.visit(first, stage)?;
        let last = if has_left { last.left } else { last.received };
        let visit = self.pipeline.visit(second, stage + 1)?;
        let window = last?.time.0..visit.received?.time.0;
        let parts = self.breakdown(stage + 1, visit, window)?;
        Some(DelayCauses::totals(&parts))
    }

    /// The first later item that the stage after this one takes, and when it does.
    fn overtaken(&self, item: usize, stage: usize) -> Option<(usize, StageTime)> {
        let order = self.order.get(stage + 1)?;
        let received = |item: usize| self.pipeline.visit(item, stage + 1)?.received;
        let start = self.pipeline.items.get(item)?.start.event;
        let first = order.partition_point(|it| received(*it).is_some_and(|at| at.event < start));
        let mut later = order.iter().skip(first).filter(|other| **other > item);
        let other = *later.next()?;
        Some((other, received(other)?))
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
        let end = self.end_of(item, visit);
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
                    for part in &parts {
                        found.add(ItemCause::Thread(part.cause), part.ticks(), part.event);
                    }
                    if let Some(off) = self.causes.longest_own_section(visit.context, &parts) {
                        let running = ItemCause::Thread(DelayCause::Running);
                        found.subtract(running, off.ticks());
                        found.add(ItemCause::Thread(off.cause), off.ticks(), off.event);
                    }
                }
                None => found.add(unknown, end.0.saturating_sub(start.0), visit.arrived.event),
            }
        }
        let usual = self.usual.get(stage);
        for part in &mut found.all {
            let excess = usual.map(|it| it.by_cause.excess(part.cause.usual(), part.ticks, 1));
            part.excess = excess.unwrap_or_else(|| part.ticks.into());
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
        Some((other, self.end_of(other, visit)))
    }

    /// When an item left a stage, or the end of what is known of it: a dropped one is no
    /// longer expected once the next stage has a later one.
    fn end_of(&self, item: usize, visit: &StageVisit) -> Ticks {
        if let Some(left) = visit.left {
            return left.time;
        }
        let dropped = self.pipeline.items.get(item);
        let dropped = dropped.filter(|item| item.outcome == ItemOutcome::Overtaken);
        let overtaken = dropped.and_then(|dropped| self.overtaken(item, dropped.stage));
        let end = Ticks(self.view.window().end);
        overtaken.map_or(end, |(_, at)| at.time)
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
                excess: 0,
            }),
        }
    }

    fn subtract(&mut self, cause: ItemCause, ticks: u64) {
        let index = self.indices.get(&cause);
        if let Some(part) = index.and_then(|index| self.all.get_mut(*index)) {
            part.ticks = part.ticks.saturating_sub(ticks);
        }
    }
}
