//! Levels of objects over time.
//!
//! A record of a call has the object's level before the call, and every change
//! of a level is a call. The level between two calls is therefore the one that
//! the later call recorded, which is evidence and not a guess. After the last
//! call, and where records have no level, it is derived from the calls before,
//! as far as that is certain; the rest is unknown. So is the time between two
//! records that contradict each other, as when calls in between were not
//! recorded.

mod history;
mod stats;

pub use history::{LevelHistories, LevelHistory, LevelStep};
pub use stats::{GraphPoint, LevelExtreme};

use crate::event_time::EventTime;
use crate::report::Scope;
use rtoscope_trace::{
    Event, EventIndex, Interpret, LevelEffect, ObjectClass, Resource, ResourceId, SchedEvent,
    Ticks, Trace,
};
use stats::LevelStats;
use std::ops::Range;

/// The levels of the used objects, by their numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Levels(Vec<ObjectUsage>);

/// How an object was used in a scope. Its level is kept as `LevelStats`, or as
/// a [`LevelHistory`] with every change.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectUsage<C = LevelStats> {
    /// The object.
    pub resource: ResourceId,
    /// Its class.
    pub class: ObjectClass,
    /// The level that it cannot exceed, if recorded: messages, blocks or bytes.
    pub capacity: Option<u64>,
    /// Calls that add to the object: messages, blocks, bytes, flags.
    pub puts: u64,
    /// Calls that take from it.
    pub takes: u64,
    /// Other calls.
    pub other_calls: u64,
    /// Calls that the level did not allow, and that waited.
    pub blocked: u64,
    /// Calls that the level did not allow, and that did not wait.
    pub refused: u64,
    /// The level over time, whichever context called.
    pub level: C,
}

/// Receives the levels of an object over time.
trait LevelRecorder {
    /// The object had that level from `start`, which is the end of the previous
    /// span, to `end`; `event` is the call at `start`.
    fn add(&mut self, start: u64, end: u64, level: Option<u32>, event: EventIndex);

    /// The maximum level so far.
    fn max(&self) -> Option<u32>;
}

impl Levels {
    /// The levels of the objects of a trace. The interpreter must be new.
    pub fn from_trace(trace: &Trace, interpreter: &mut impl Interpret, scope: &Scope) -> Self {
        let mut builder = LevelsBuilder::new(trace, scope);
        // Calls before and after the scope show the level within it.
        trace.events.visit(0..trace.events.len(), |event| {
            let sched_event = interpreter.sched_event(&event);
            let used = interpreter.secondary_event().unwrap_or(sched_event);
            builder.push(&event, used, interpreter.resources());
        });
        builder.finish()
    }

    /// The used objects, by their numbers.
    pub fn iter(&self) -> std::slice::Iter<'_, ObjectUsage> {
        self.0.iter()
    }

    /// How an object was used; `None` if it was not.
    pub fn get(&self, resource: ResourceId) -> Option<&ObjectUsage> {
        let found = self.0.binary_search_by_key(&resource, |one| one.resource);
        found.ok().and_then(|at| self.0.get(at))
    }
}

impl<'a> IntoIterator for &'a Levels {
    type Item = &'a ObjectUsage;
    type IntoIter = std::slice::Iter<'a, ObjectUsage>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Tracks the levels of a trace's objects, event by event.
pub(crate) struct LevelsBuilder<'a> {
    trace: &'a Trace,
    scope: &'a Scope,
    window: Range<u64>,
    gaps: GapCursor,
    trackers: Vec<Option<LevelTracker<LevelStats>>>,
}

impl<'a> LevelsBuilder<'a> {
    pub(crate) fn new(trace: &'a Trace, scope: &'a Scope) -> Self {
        Self {
            trace,
            scope,
            window: scope.window(trace.events.span()),
            gaps: GapCursor::new(trace),
            trackers: Vec::new(),
        }
    }

    /// Applies the next event. `resources` are those that the interpreter knows
    /// by now.
    #[inline]
    pub(crate) fn push(&mut self, event: &Event, sched_event: SchedEvent, resources: &[Resource]) {
        let SchedEvent::Use {
            resource,
            effect,
            level,
            waits,
        } = sched_event
        else {
            return;
        };
        self.gaps.pass(event.index);
        if self.trackers.len() <= resource.index() {
            self.trackers.resize_with(resource.index() + 1, || None);
        }
        let Some(slot) = self.trackers.get_mut(resource.index()) else {
            return;
        };
        let window = &self.window;
        let tracker = slot.get_or_insert_with(|| {
            let stats = LevelStats::new(window.clone());
            LevelTracker::new(resources, resource, stats)
        });
        let time = event.time.0;
        let counts = window.start <= time && time <= window.end && self.scope.includes(event);
        let call = ObjectCall::new(event, effect, level, waits, counts);
        tracker.cross_gaps(&self.gaps);
        tracker.call(&call);
    }

    pub(crate) fn finish(mut self) -> Levels {
        let end = self.trace.events.span();
        self.gaps.pass_all();
        let usages = self.trackers.into_iter().flatten().map(|mut tracker| {
            tracker.cross_gaps(&self.gaps);
            tracker.finish(end)
        });
        Levels(usages.collect())
    }
}

/// The gaps of a trace, passed in order.
struct GapCursor {
    /// The time of the last event before each gap, and the first event after
    /// it.
    all: Vec<(u64, EventTime)>,
    /// Number of passed gaps.
    passed: usize,
}

impl GapCursor {
    fn new(trace: &Trace) -> Self {
        let gaps = trace.gaps.iter().map(|gap| {
            let [last_before, after] = trace.gap_bounds(gap);
            let after = EventTime {
                time: after.0,
                event: gap.next_event,
            };
            (last_before.0, after)
        });
        Self {
            all: gaps.collect(),
            passed: 0,
        }
    }

    fn pass(&mut self, event: EventIndex) {
        let next = |gaps: &Self| gaps.all.get(gaps.passed).map(|(_, after)| after.event);
        while next(self).is_some_and(|next| next <= event) {
            self.passed += 1;
        }
    }

    fn pass_all(&mut self) {
        self.passed = self.all.len();
    }
}

/// A call on an object.
struct ObjectCall {
    now: EventTime,
    effect: LevelEffect,
    level: Option<u32>,
    waits: bool,
    /// Whether it is in the scope.
    in_scope: bool,
}

impl ObjectCall {
    #[inline]
    fn new(event: &Event, effect: LevelEffect, level: u32, waits: bool, counts: bool) -> Self {
        Self {
            now: EventTime {
                time: event.time.0,
                event: event.index,
            },
            effect,
            level: (level != SchedEvent::UNKNOWN_LEVEL).then_some(level),
            waits,
            in_scope: counts,
        }
    }
}

/// Maximum number of calls without a level that are kept until a call with a
/// level resolves theirs.
const MAX_PENDING_CALLS: usize = 4096;

/// Tracks an object's level.
struct LevelTracker<C> {
    usage: ObjectUsage<C>,
    /// The last call, or the start of what is known.
    since: EventTime,
    /// The level since then, if certain.
    level: Option<u32>,
    /// The calls before `since` after which the level is not known yet. Each of
    /// the calls that followed added one.
    pending: Vec<EventTime>,
    /// Whether a thread may wait to take from the object: a take that is served
    /// rules out all earlier waits.
    may_wait: bool,
    /// Number of passed gaps.
    gaps: usize,
}

impl<C: LevelRecorder> LevelTracker<C> {
    /// Tracks an object of `resources`.
    fn new(resources: &[Resource], resource: ResourceId, stats: C) -> Self {
        let object = resources.get(resource.index());
        let class = object.map_or(ObjectClass::Unknown, |object| object.class);
        Self {
            usage: ObjectUsage {
                resource,
                class,
                capacity: object.and_then(|object| object.capacity),
                puts: 0,
                takes: 0,
                other_calls: 0,
                blocked: 0,
                refused: 0,
                level: stats,
            },
            since: EventTime::START,
            level: None,
            pending: Vec::new(),
            may_wait: true,
            gaps: 0,
        }
    }

    /// The calls in the gaps since the last call are unknown.
    fn cross_gaps(&mut self, gaps: &GapCursor) {
        let missed = gaps.all.get(self.gaps..gaps.passed).unwrap_or_default();
        self.gaps = gaps.passed;
        if let ([(last_before, _), ..], [.., (_, after)]) = (missed, missed) {
            let level = self.level;
            self.settle(*last_before, level);
            self.since.time = *last_before;
            self.settle(after.time, None);
            self.since = *after;
            self.level = None;
            self.may_wait = true;
        }
    }

    fn call(&mut self, call: &ObjectCall) {
        // If a thread waits to take, the level is 0.
        let empty = (call.effect == LevelEffect::Deliver).then_some(0);
        let found = call.level.or(empty).or(self.level);
        let changed_unseen = self.level.is_some_and(|certain| found != Some(certain));
        if call.in_scope {
            self.count(call, found);
        }
        let adds_one = self.usage.class == ObjectClass::BlockPool
            && matches!(call.effect, LevelEffect::Put | LevelEffect::Store);
        if found.is_none() && adds_one && self.pending.len() < MAX_PENDING_CALLS {
            self.pending.push(self.since);
        } else {
            self.settle(call.now.time, found.filter(|_| !changed_unseen));
        }
        self.since = call.now;
        self.may_wait &= found.is_none_or(|level| level == 0);
        self.level = match call.effect {
            LevelEffect::Flush => Some(0),
            effect => found.and_then(|level| self.level_after(effect, level)),
        };
        // The take may have waited, without a level to show it.
        self.may_wait |=
            call.effect == LevelEffect::Take && call.waits && found.is_none_or(|level| level == 0);
    }

    fn count(&mut self, call: &ObjectCall, found: Option<u32>) {
        let usage = &mut self.usage;
        let calls = match call.effect {
            effect if effect.is_put() => &mut usage.puts,
            effect if effect.is_take() => &mut usage.takes,
            _ => &mut usage.other_calls,
        };
        *calls += 1;
        let is_queue = usage.class == ObjectClass::Queue;
        let full = usage.capacity.filter(|_| is_queue);
        let served = match (call.effect, found) {
            (LevelEffect::Take, Some(level)) => level > 0,
            (LevelEffect::Put | LevelEffect::PutFront, Some(level)) => {
                full.is_none_or(|full| u64::from(level) < full)
            }
            (LevelEffect::Refuse, _) => false,
            _ => true,
        };
        usage.blocked += u64::from(!served && call.waits);
        usage.refused += u64::from(!served && !call.waits);
    }

    /// The level after a call that found `level`, if certain.
    fn level_after(&self, effect: LevelEffect, level: u32) -> Option<u32> {
        let is_full = match (self.usage.class, self.usage.capacity) {
            (ObjectClass::Queue, None) => None,
            (ObjectClass::Queue, Some(capacity)) => Some(u64::from(level) >= capacity),
            _ => Some(false),
        };
        match (effect, level) {
            (LevelEffect::Take, 0) => Some(0),
            // A thread that waits to send fills the free entry of a full queue.
            (LevelEffect::Take, _) => (!is_full?).then(|| level - 1),
            (LevelEffect::Store, _) => level.checked_add(1),
            (LevelEffect::Deliver | LevelEffect::Refuse, _) => Some(level),
            // A waiting thread may take what is put.
            (LevelEffect::Put | LevelEffect::PutFront, 0) if self.may_wait => None,
            // The semaphore may have a ceiling.
            (LevelEffect::Put, _) if self.usage.class == ObjectClass::Semaphore => None,
            (LevelEffect::Put | LevelEffect::PutFront, _) if is_full? => Some(level),
            (LevelEffect::Put | LevelEffect::PutFront, _) => level.checked_add(1),
            (LevelEffect::Flush, _) => Some(0),
            (LevelEffect::Add | LevelEffect::Remove | LevelEffect::Other, _) => None,
        }
    }

    /// The level since the last call.
    fn settle(&mut self, until: u64, level: Option<u32>) {
        let (count, stats) = (self.pending.len(), &mut self.usage.level);
        let ends = self.pending.iter().skip(1).chain([&self.since]);
        for ((start, end), at) in self.pending.iter().zip(ends).zip(0..) {
            // The calls in between added one each; at 0 a waiting thread took
            // it.
            let added = u32::try_from(count - at).unwrap_or(u32::MAX);
            let level = level.map(|level| level.saturating_sub(added));
            stats.add(start.time, end.time, level, start.event);
        }
        self.pending.clear();
        let EventTime { time, event } = self.since;
        self.usage.level.add(time, until, level, event);
    }

    fn finish(mut self, end: Ticks) -> ObjectUsage<C> {
        let level = self.level;
        self.settle(end.0, level);
        let highest = self.usage.level.max();
        let exceeds = |capacity: u64| highest.is_some_and(|level| u64::from(level) > capacity);
        // The registered object was another one.
        self.usage.capacity = self.usage.capacity.filter(|capacity| !exceeds(*capacity));
        self.usage
    }
}

#[cfg(test)]
mod tests;
