//! How full objects are over time.
//!
//! A record of a call has the object's level before the call, and every change
//! of a level is a call: so the level between two calls is what the later one
//! found, which is evidence and no guess. Behind the last call, and where
//! records have no level, it is what the calls before make of it, as far as
//! that is certain; the rest is unknown. So is the time between two records
//! that contradict each other, as when calls in between were not recorded.

mod course;
mod history;

pub use course::{Extreme, Point};
pub use history::{Histories, History, Step};

use crate::moment::Moment;
use crate::report::Scope;
use course::Course;
use rtoscope_trace::{
    Act, Event, EventIndex, Flow, Interpret, ObjectClass, Resource, ResourceId, Ticks, Trace,
};
use std::ops::Range;

/// The levels of the objects that were used, by their numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Levels(Vec<Usage>);

/// How an object was used in a scope. What is kept of its level is a
/// `Course`, or for a [`History`] every change.
#[derive(Debug, Clone, PartialEq)]
pub struct Usage<C = Course> {
    /// The object.
    pub resource: ResourceId,
    /// What it is.
    pub class: ObjectClass,
    /// The level that it cannot exceed, if the recording says so: messages,
    /// blocks or bytes.
    pub capacity: Option<u64>,
    /// Calls that give something to the object: messages, blocks, bytes, flags.
    pub puts: u64,
    /// Calls that ask it for something.
    pub takes: u64,
    /// Other calls.
    pub others: u64,
    /// Calls that the level did not allow, and that waited.
    pub blocked: u64,
    /// Calls that the level did not allow, and that did not wait.
    pub refused: u64,
    /// The level over time. It is the object's, whoever called.
    pub course: C,
}

/// Keeps something of a level over time.
trait Keep {
    /// The level was that from `start`, which is the end of what was added
    /// before, to `end`; `event` is the call that began it.
    fn add(&mut self, start: u64, end: u64, level: Option<u32>, event: EventIndex);

    /// The highest level so far.
    fn highest(&self) -> Option<u32>;
}

impl Levels {
    /// The levels of the objects of a trace. The interpreter must be new.
    pub fn of(trace: &Trace, interpreter: &mut impl Interpret, scope: &Scope) -> Self {
        let mut builder = Builder::new(trace, scope);
        // What is before the scope, and behind it, says what the level is in it.
        trace.events.visit(0..trace.events.len(), |event| {
            let act = interpreter.act(&event);
            let used = interpreter.aside().unwrap_or(act);
            builder.take(&event, used, interpreter.resources());
        });
        builder.finish()
    }

    /// The objects that were used, by their numbers.
    pub fn iter(&self) -> std::slice::Iter<'_, Usage> {
        self.0.iter()
    }

    /// How an object was used; `None` if it was not.
    pub fn get(&self, resource: ResourceId) -> Option<&Usage> {
        let found = self.0.binary_search_by_key(&resource, |one| one.resource);
        found.ok().and_then(|at| self.0.get(at))
    }
}

impl<'a> IntoIterator for &'a Levels {
    type Item = &'a Usage;
    type IntoIter = std::slice::Iter<'a, Usage>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Follows the levels of a trace's objects, event by event.
pub(crate) struct Builder<'a> {
    trace: &'a Trace,
    scope: &'a Scope,
    window: Range<u64>,
    gaps: Gaps,
    followers: Vec<Option<Follower<Course>>>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(trace: &'a Trace, scope: &'a Scope) -> Self {
        Self {
            trace,
            scope,
            window: scope.window(trace.events.span()),
            gaps: Gaps::of(trace),
            followers: Vec::new(),
        }
    }

    /// Takes the next event. `resources` are those that the interpreter has met.
    #[inline]
    pub(crate) fn take(&mut self, event: &Event, act: Act, resources: &[Resource]) {
        let Act::Use {
            resource,
            flow,
            level,
            waits,
        } = act
        else {
            return;
        };
        self.gaps.pass(event.index);
        if self.followers.len() <= resource.index() {
            self.followers.resize_with(resource.index() + 1, || None);
        }
        let Some(slot) = self.followers.get_mut(resource.index()) else {
            return;
        };
        let window = &self.window;
        let follower = slot.get_or_insert_with(|| {
            let course = Course::new(window.clone());
            Follower::new(resources, resource, course)
        });
        let time = event.time.0;
        let counts = window.start <= time && time <= window.end && self.scope.shows(event);
        let call = Call::of(event, flow, level, waits, counts);
        follower.cross(&self.gaps);
        follower.call(&call);
    }

    pub(crate) fn finish(mut self) -> Levels {
        let end = self.trace.events.span();
        self.gaps.pass_all();
        let usages = self.followers.into_iter().flatten().map(|mut follower| {
            follower.cross(&self.gaps);
            follower.finish(end)
        });
        Levels(usages.collect())
    }
}

/// Where events are missing.
struct Gaps {
    /// The time of the last event before each, and the first behind it.
    all: Vec<(u64, Moment)>,
    /// How many were passed.
    passed: usize,
}

impl Gaps {
    fn of(trace: &Trace) -> Self {
        let gaps = trace.gaps.iter().map(|gap| {
            let [last_before, behind] = trace.gap_times(gap);
            let behind = Moment {
                time: behind.0,
                event: gap.before,
            };
            (last_before.0, behind)
        });
        Self {
            all: gaps.collect(),
            passed: 0,
        }
    }

    fn pass(&mut self, event: EventIndex) {
        let next = |gaps: &Self| gaps.all.get(gaps.passed).map(|(_, behind)| behind.event);
        while next(self).is_some_and(|next| next <= event) {
            self.passed += 1;
        }
    }

    fn pass_all(&mut self) {
        self.passed = self.all.len();
    }
}

/// A call on an object.
struct Call {
    now: Moment,
    flow: Flow,
    level: Option<u32>,
    waits: bool,
    /// Whether it belongs to the scope.
    counts: bool,
}

impl Call {
    #[inline]
    fn of(event: &Event, flow: Flow, level: u32, waits: bool, counts: bool) -> Self {
        Self {
            now: Moment {
                time: event.time.0,
                event: event.index,
            },
            flow,
            level: (level != Act::NO_LEVEL).then_some(level),
            waits,
            counts,
        }
    }
}

/// Calls without a level that are remembered until one with a level says what
/// they found.
const MOST_PENDING: usize = 4096;

/// Follows an object's level.
struct Follower<C> {
    usage: Usage<C>,
    /// The last call, or where what is known began.
    since: Moment,
    /// The level since then, if that is certain.
    level: Option<u32>,
    /// The calls before `since` behind which the level is not known yet. Each
    /// of those that followed added one.
    pending: Vec<Moment>,
    /// Whether a thread may wait for something to take: one that finds
    /// something to take ends with it every wait before.
    may_wait: bool,
    /// Gaps that were passed.
    gaps: usize,
}

impl<C: Keep> Follower<C> {
    /// Of an object that is among `resources`.
    fn new(resources: &[Resource], resource: ResourceId, course: C) -> Self {
        let object = resources.get(resource.index());
        let class = object.map_or(ObjectClass::Unknown, |object| object.class);
        Self {
            usage: Usage {
                resource,
                class,
                capacity: object.and_then(|object| object.capacity),
                puts: 0,
                takes: 0,
                others: 0,
                blocked: 0,
                refused: 0,
                course,
            },
            since: Moment::START,
            level: None,
            pending: Vec::new(),
            may_wait: true,
            gaps: 0,
        }
    }

    /// Nothing is known of what happened in the gaps since the last call.
    fn cross(&mut self, gaps: &Gaps) {
        let missed = gaps.all.get(self.gaps..gaps.passed).unwrap_or_default();
        self.gaps = gaps.passed;
        if let ([(last_before, _), ..], [.., (_, behind)]) = (missed, missed) {
            let level = self.level;
            self.settle(*last_before, level);
            self.since.time = *last_before;
            self.settle(behind.time, None);
            self.since = *behind;
            self.level = None;
            self.may_wait = true;
        }
    }

    fn call(&mut self, call: &Call) {
        // Where a thread waits, there is nothing to take.
        let empty = (call.flow == Flow::Deliver).then_some(0);
        let found = call.level.or(empty).or(self.level);
        let changed_unseen = self.level.is_some_and(|certain| found != Some(certain));
        if call.counts {
            self.count(call, found);
        }
        let adds_one = self.usage.class == ObjectClass::BlockPool
            && matches!(call.flow, Flow::Put | Flow::Store);
        if found.is_none() && adds_one && self.pending.len() < MOST_PENDING {
            self.pending.push(self.since);
        } else {
            self.settle(call.now.time, found.filter(|_| !changed_unseen));
        }
        self.since = call.now;
        self.may_wait &= found.is_none_or(|level| level == 0);
        self.level = match call.flow {
            Flow::Flush => Some(0),
            flow => found.and_then(|level| self.behind(flow, level)),
        };
        // It may have waited without a level that says so.
        self.may_wait |=
            call.flow == Flow::Take && call.waits && found.is_none_or(|level| level == 0);
    }

    fn count(&mut self, call: &Call, found: Option<u32>) {
        let usage = &mut self.usage;
        let calls = match call.flow {
            flow if flow.is_put() => &mut usage.puts,
            flow if flow.is_take() => &mut usage.takes,
            _ => &mut usage.others,
        };
        *calls += 1;
        let is_queue = usage.class == ObjectClass::Queue;
        let full = usage.capacity.filter(|_| is_queue);
        let served = match (call.flow, found) {
            (Flow::Take, Some(level)) => level > 0,
            (Flow::Put | Flow::PutFront, Some(level)) => {
                full.is_none_or(|full| u64::from(level) < full)
            }
            (Flow::Refuse, _) => false,
            _ => true,
        };
        usage.blocked += u64::from(!served && call.waits);
        usage.refused += u64::from(!served && !call.waits);
    }

    /// The level behind a call that found `level`, if that is certain.
    fn behind(&self, flow: Flow, level: u32) -> Option<u32> {
        let is_full = match (self.usage.class, self.usage.capacity) {
            (ObjectClass::Queue, None) => None,
            (ObjectClass::Queue, Some(capacity)) => Some(u64::from(level) >= capacity),
            _ => Some(false),
        };
        match (flow, level) {
            (Flow::Take, 0) => Some(0),
            // A thread that waits to send fills the place in a full queue.
            (Flow::Take, _) => (!is_full?).then(|| level - 1),
            (Flow::Store, _) => level.checked_add(1),
            (Flow::Deliver | Flow::Refuse, _) => Some(level),
            // A thread that waits may take what is put.
            (Flow::Put | Flow::PutFront, 0) if self.may_wait => None,
            // It may have a ceiling.
            (Flow::Put, _) if self.usage.class == ObjectClass::Semaphore => None,
            (Flow::Put | Flow::PutFront, _) if is_full? => Some(level),
            (Flow::Put | Flow::PutFront, _) => level.checked_add(1),
            (Flow::Flush, _) => Some(0),
            (Flow::Add | Flow::Remove | Flow::Other, _) => None,
        }
    }

    /// The level was that since the last call.
    fn settle(&mut self, until: u64, level: Option<u32>) {
        let (count, course) = (self.pending.len(), &mut self.usage.course);
        let ends = self.pending.iter().skip(1).chain([&self.since]);
        for ((start, end), at) in self.pending.iter().zip(ends).zip(0..) {
            // What the calls in between added; at 0 a thread that waited took it.
            let added = u32::try_from(count - at).unwrap_or(u32::MAX);
            let level = level.map(|level| level.saturating_sub(added));
            course.add(start.time, end.time, level, start.event);
        }
        self.pending.clear();
        let Moment { time, event } = self.since;
        self.usage.course.add(time, until, level, event);
    }

    fn finish(mut self, end: Ticks) -> Usage<C> {
        let level = self.level;
        self.settle(end.0, level);
        let highest = self.usage.course.highest();
        let exceeds = |capacity: u64| highest.is_some_and(|level| u64::from(level) > capacity);
        // The registered object was another one.
        self.usage.capacity = self.usage.capacity.filter(|capacity| !exceeds(*capacity));
        self.usage
    }
}

#[cfg(test)]
mod tests;
