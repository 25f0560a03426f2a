//! Tracks the levels of objects, event by event.

use super::history::{CallDirection, CallOutcome, LevelHistories, LevelHistory, RecordedCall};
use crate::event_time::EventTime;
use crate::rendezvous::{Meeting, Resumption, Waiter, WaitingPartners};
use rtoscope_trace::{
    ContextId, Event, EventIndex, Gap, LevelEffect, ObjectClass, Resource, ResourceId, SchedEvent,
    Ticks, Trace,
};

/// Builds the level histories of a trace's objects.
#[derive(Debug, Clone, Default)]
pub(crate) struct LevelHistoriesBuilder {
    gaps: GapCursor,
    /// By the object's number.
    trackers: Vec<Option<LevelTracker>>,
    /// The queues without storage, few if any.
    rendezvous: Vec<ResourceId>,
}

impl LevelHistoriesBuilder {
    /// Applies the next event. `resources` are those that the interpreter knows
    /// by now.
    #[inline]
    pub(crate) fn push(
        &mut self,
        trace: &Trace,
        event: &Event,
        sched_event: SchedEvent,
        resources: &[Resource],
    ) {
        let (resource, effect, level, waits) = match sched_event {
            SchedEvent::Use {
                resource,
                effect,
                level,
                waits,
            } => (resource, effect, level, waits),
            SchedEvent::Resume { thread, .. } if !self.rendezvous.is_empty() => {
                self.resume(thread);
                return;
            }
            _ => return,
        };
        self.gaps.pass(trace, event.index);
        if self.trackers.len() <= resource.index() {
            self.trackers.resize_with(resource.index() + 1, || None);
        }
        let Some(slot) = self.trackers.get_mut(resource.index()) else {
            return;
        };
        let tracker = slot.get_or_insert_with(|| LevelTracker::new(resources, resource));
        if matches!(effect, LevelEffect::Offer | LevelEffect::Accept) && tracker.partners.is_none()
        {
            tracker.partners = Some(WaitingPartners::default());
            self.rendezvous.push(resource);
        }
        tracker.cross_gaps(&self.gaps);
        tracker.call(&ObjectCall::new(event, effect, level, waits));
    }

    /// A thread that may have waited for a partner continues.
    fn resume(&mut self, thread: ContextId) {
        for resource in &self.rendezvous {
            if let Some(Some(tracker)) = self.trackers.get_mut(resource.index())
                && let Some(partners) = &mut tracker.partners
                && let Resumption::Unrecorded(_) = partners.resume(thread)
            {
                tracker.history.set_last_outcome(CallOutcome::Served);
            }
        }
    }

    pub(crate) fn finish(mut self, trace: &Trace) -> LevelHistories {
        let end = trace.events.span();
        self.gaps.pass_all(trace);
        let finished = (0..).zip(self.trackers).filter_map(|(number, tracker)| {
            let mut tracker = tracker?;
            tracker.cross_gaps(&self.gaps);
            Some((ResourceId(number), tracker.finish(end)))
        });
        LevelHistories::new(finished.collect())
    }
}

/// The passed gaps of a trace, in order.
#[derive(Debug, Clone, Default)]
struct GapCursor {
    /// The time of the last event before each gap, and the first event after
    /// it.
    passed: Vec<(u64, EventTime)>,
}

impl GapCursor {
    #[inline]
    fn pass(&mut self, trace: &Trace, event: EventIndex) {
        while let Some(gap) = trace.gaps.get(self.passed.len())
            && gap.next_event <= event
        {
            self.pass_next(trace, gap);
        }
    }

    fn pass_all(&mut self, trace: &Trace) {
        while let Some(gap) = trace.gaps.get(self.passed.len()) {
            self.pass_next(trace, gap);
        }
    }

    fn pass_next(&mut self, trace: &Trace, gap: &Gap) {
        let [last_before, after] = trace.gap_bounds(gap);
        let after = EventTime {
            time: after.0,
            event: gap.next_event,
        };
        self.passed.push((last_before.0, after));
    }
}

/// A call on an object.
pub(super) struct ObjectCall {
    now: EventTime,
    context: ContextId,
    effect: LevelEffect,
    level: Option<u32>,
    waits: bool,
}

impl ObjectCall {
    #[inline]
    pub(super) fn new(event: &Event, effect: LevelEffect, level: u32, waits: bool) -> Self {
        Self {
            now: EventTime {
                time: event.time.0,
                event: event.index,
            },
            context: event.context,
            effect,
            level: (level != SchedEvent::UNKNOWN_LEVEL).then_some(level),
            waits,
        }
    }
}

/// Maximum number of calls without a level that are kept until a call with a
/// level resolves theirs.
const MAX_PENDING_CALLS: usize = 4096;

/// Tracks an object's level.
#[derive(Debug, Clone)]
pub(super) struct LevelTracker {
    pub(super) history: LevelHistory,
    /// The last call, or the start of what is known.
    since: EventTime,
    /// The level since then, if certain.
    pub(super) level: Option<u32>,
    /// The calls before `since` after which the level is not known yet. Each of
    /// the calls that followed added one.
    pending: Vec<EventTime>,
    /// Whether a thread may wait to take from the object: a take that is served
    /// rules out all earlier waits.
    may_wait: bool,
    /// Who waits for a partner, at a queue without storage. Its level is always 0.
    partners: Option<WaitingPartners>,
    /// Number of passed gaps.
    gaps: usize,
}

impl LevelTracker {
    /// Tracks an object of `resources`.
    pub(super) fn new(resources: &[Resource], resource: ResourceId) -> Self {
        let object = resources.get(resource.index());
        let class = object.map_or(ObjectClass::Unknown, |object| object.class);
        let capacity = object.and_then(|object| object.capacity);
        Self {
            history: LevelHistory::new(class, capacity),
            since: EventTime::START,
            level: None,
            pending: Vec::new(),
            may_wait: true,
            partners: None,
            gaps: 0,
        }
    }

    /// The calls in the gaps since the last call are unknown.
    fn cross_gaps(&mut self, gaps: &GapCursor) {
        let missed = gaps.passed.get(self.gaps..).unwrap_or_default();
        self.gaps = gaps.passed.len();
        if let Some(partners) = &mut self.partners {
            if !missed.is_empty() {
                partners.forget();
            }
            return;
        }
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

    pub(super) fn call(&mut self, call: &ObjectCall) {
        if call.effect == LevelEffect::Flush
            && let Some(partners) = &mut self.partners
        {
            partners.forget();
        }
        // If a thread waits to take, the level is 0.
        let empty = (call.effect == LevelEffect::Deliver).then_some(0);
        let found = call.level.or(empty).or(self.level);
        let changed_unseen = self.level.is_some_and(|certain| found != Some(certain));
        self.record_call(call, found);
        let adds_one = self.history.class == ObjectClass::BlockPool
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

    fn record_call(&mut self, call: &ObjectCall, found: Option<u32>) {
        let direction = match call.effect {
            effect if effect.is_put() => CallDirection::Put,
            effect if effect.is_take() => CallDirection::Take,
            LevelEffect::Flush => CallDirection::Flush,
            _ => CallDirection::Other,
        };
        let is_queue = self.history.class == ObjectClass::Queue;
        let full = self.history.registered_capacity.filter(|_| is_queue);
        let recorded = |outcome| RecordedCall {
            event: call.now.event,
            caller: call.context,
            direction,
            outcome,
        };
        if let Some(outcome) = self.rendezvous_outcome(call) {
            self.history.add_call(recorded(outcome));
            return;
        }
        let served = match (call.effect, found) {
            (LevelEffect::Take, Some(level)) => level > 0,
            (LevelEffect::Put | LevelEffect::PutFront, Some(level)) => {
                full.is_none_or(|full| u64::from(level) < full)
            }
            (LevelEffect::Refuse, _) => false,
            _ => true,
        };
        let outcome = match (served, call.waits) {
            (true, _) => CallOutcome::Served,
            (false, true) => CallOutcome::Blocked,
            (false, false) => CallOutcome::Refused,
        };
        self.history.add_call(recorded(outcome));
    }

    /// Whether a call on a queue without storage finds a partner; `None` for other calls.
    fn rendezvous_outcome(&mut self, call: &ObjectCall) -> Option<CallOutcome> {
        let offers = match call.effect {
            LevelEffect::Offer => true,
            LevelEffect::Accept => false,
            _ => return None,
        };
        let caller = Waiter {
            context: call.context,
            event: call.now.event,
            offers,
        };
        Some(match self.partners.as_mut()?.call(caller, call.waits) {
            Meeting::Partner(_) => CallOutcome::Served,
            Meeting::Waits => CallOutcome::Blocked,
            Meeting::Refused => CallOutcome::Refused,
        })
    }

    /// The level after a call that found `level`, if certain.
    fn level_after(&self, effect: LevelEffect, level: u32) -> Option<u32> {
        let is_full = match (self.history.class, self.history.registered_capacity) {
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
            (LevelEffect::Put, _) if self.history.class == ObjectClass::Semaphore => None,
            (LevelEffect::Put | LevelEffect::PutFront, _) if is_full? => Some(level),
            (LevelEffect::Put | LevelEffect::PutFront, _) => level.checked_add(1),
            (LevelEffect::Flush | LevelEffect::Offer | LevelEffect::Accept, _) => Some(0),
            (LevelEffect::Add | LevelEffect::Remove | LevelEffect::Other, _) => None,
        }
    }

    /// The level since the last call.
    fn settle(&mut self, until: u64, level: Option<u32>) {
        let (count, history) = (self.pending.len(), &mut self.history);
        let ends = self.pending.iter().skip(1).chain([&self.since]);
        for ((start, end), at) in self.pending.iter().zip(ends).zip(0..) {
            // The calls in between added one each; at 0 a waiting thread took
            // it.
            let added = u32::try_from(count - at).unwrap_or(u32::MAX);
            let level = level.map(|level| level.saturating_sub(added));
            history.add(start.time, end.time, level, start.event);
        }
        self.pending.clear();
        let EventTime { time, event } = self.since;
        self.history.add(time, until, level, event);
    }

    fn finish(mut self, end: Ticks) -> LevelHistory {
        let level = self.level;
        self.settle(end.0, level);
        self.history.level_at_end = level;
        self.history
    }
}
