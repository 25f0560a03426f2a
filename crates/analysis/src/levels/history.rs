//! Every change of a level.

use crate::packed_vec::{Columns, Pack, PackedVec, columns, pack_id, unpack_id};
use rtoscope_trace::{ContextId, EventIndex, ObjectClass, ResourceId, Ticks};
use std::ops::Range;

/// Every change of an object's level over a whole trace, and every call on the
/// object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelHistory {
    /// The starts never decrease.
    steps: PackedVec<LevelStep>,
    end: u64,
    /// The level after all calls, the last tick of the trace included.
    pub(super) level_at_end: Option<u32>,
    max: Option<u32>,
    pub(super) class: ObjectClass,
    /// The capacity of the registered object, which may be another one.
    pub(super) registered_capacity: Option<u64>,
    calls: PackedVec<RecordedCall>,
}

/// A call on an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RecordedCall {
    pub(crate) event: EventIndex,
    pub(crate) caller: ContextId,
    pub(crate) direction: CallDirection,
    pub(crate) outcome: CallOutcome,
}

impl Pack for RecordedCall {
    const COLUMNS: usize = 3;

    fn pack(&self) -> Columns {
        let result = (self.direction as u64) << 2 | self.outcome as u64;
        columns([self.event.0.into(), result, pack_id(self.caller.0)])
    }

    fn unpack([event, result, caller, ..]: Columns) -> Self {
        Self {
            event: EventIndex(event as u32),
            caller: ContextId(unpack_id(caller)),
            direction: CallDirection::ALL[result as usize >> 2],
            outcome: CallOutcome::ALL[result as usize & 3],
        }
    }
}

/// What a call does with an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallDirection {
    /// It adds to the object.
    Put,
    /// It takes from the object.
    Take,
    /// It removes all.
    Flush,
    /// None of these.
    Other,
}

impl CallDirection {
    const ALL: [Self; 4] = [Self::Put, Self::Take, Self::Flush, Self::Other];
}

/// Whether the level allowed a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallOutcome {
    /// It did.
    Served,
    /// It did not, and the caller waited.
    Blocked,
    /// It did not, and the caller did not wait.
    Refused,
}

impl CallOutcome {
    const ALL: [Self; 3] = [Self::Served, Self::Blocked, Self::Refused];
}

/// A level. It holds until the next one, which can be at the same tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelStep {
    /// Its start.
    pub start: Ticks,
    /// The call that set it, or the last one before it.
    pub event: EventIndex,
    /// The level; `None` if unknown.
    pub level: Option<u32>,
}

impl Pack for LevelStep {
    const COLUMNS: usize = 3;

    fn pack(&self) -> Columns {
        let level = self.level.map_or(0, |level| u64::from(level) + 1);
        columns([self.start.0, self.event.0.into(), level])
    }

    fn unpack([start, event, level, ..]: Columns) -> Self {
        Self {
            start: Ticks(start),
            event: EventIndex(event as u32),
            level: level.checked_sub(1).map(|level| level as u32),
        }
    }
}

/// The level histories of the used objects, by their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LevelHistories(Vec<(ResourceId, LevelHistory)>);

impl LevelHistories {
    pub(super) fn new(histories: Vec<(ResourceId, LevelHistory)>) -> Self {
        Self(histories)
    }

    /// The used objects, each with its level history, which has no steps if no
    /// level is known.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ResourceId, &LevelHistory)> {
        self.0
            .iter()
            .map(|(resource, history)| (*resource, history))
    }

    /// The level history of an object; `None` if it was not used.
    pub fn get(&self, resource: ResourceId) -> Option<&LevelHistory> {
        let found = self.0.binary_search_by_key(&resource, |(id, _)| *id);
        self.0.get(found.ok()?).map(|(_, history)| history)
    }
}

impl LevelHistory {
    pub(super) fn new(class: ObjectClass, registered_capacity: Option<u64>) -> Self {
        Self {
            steps: PackedVec::new(),
            end: 0,
            level_at_end: None,
            max: None,
            class,
            registered_capacity,
            calls: PackedVec::new(),
        }
    }

    /// Adds the next level: from `start`, which is the end of the previous one,
    /// to `end`; `event` is the call at `start`. A known level counts even if it
    /// lasted for 0 ticks.
    pub(super) fn add(&mut self, start: u64, end: u64, level: Option<u32>, event: EventIndex) {
        if level.is_none() && start >= end {
            return;
        }
        self.end = end;
        self.max = self.max.max(level);
        if self.steps.last().is_none_or(|last| last.level != level) {
            self.steps.push(LevelStep {
                start: Ticks(start),
                event,
                level,
            });
        }
    }

    pub(super) fn add_call(&mut self, call: RecordedCall) {
        self.calls.push(call);
    }

    /// Later events show the outcome of the last call.
    pub(super) fn set_last_outcome(&mut self, outcome: CallOutcome) {
        if let Some(last) = self.calls.last_mut() {
            last.outcome = outcome;
        }
    }

    /// Number of levels.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The `index`-th level.
    pub fn step(&self, index: usize) -> Option<LevelStep> {
        self.steps.get(index)
    }

    /// The levels, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = LevelStep> {
        self.steps.iter()
    }

    /// The levels that end or start in a window, its ends included, each with
    /// its end.
    pub(super) fn steps_within(
        &self,
        window: &Range<u64>,
    ) -> impl Iterator<Item = (LevelStep, Ticks)> {
        let ended = self
            .steps
            .partition_point(|step| step.start.0 < window.start);
        let last = self
            .steps
            .partition_point(|step| step.start.0 <= window.end);
        let mut steps = self
            .steps
            .range(ended.saturating_sub(1)..last + 1)
            .peekable();
        (ended.saturating_sub(1)..last).map_while(move |_| {
            let step = steps.next()?;
            let end = steps.peek().map_or(Ticks(self.end), |next| next.start);
            Some((step, end))
        })
    }

    /// The calls at the events with these numbers.
    pub(crate) fn calls(&self, events: Range<usize>) -> impl Iterator<Item = RecordedCall> {
        let first = self.calls_before(events.start);
        let calls = self.calls.range(first..self.calls.len());
        calls.take_while(move |call| call.event.index() < events.end)
    }

    /// The last call before an event.
    pub(super) fn last_call_before(&self, event: usize) -> Option<EventIndex> {
        let last = self.calls_before(event).checked_sub(1)?;
        self.calls.get(last).map(|call| call.event)
    }

    fn calls_before(&self, event: usize) -> usize {
        self.calls
            .partition_point(|call| call.event.index() < event)
    }

    /// The end of the last level.
    pub fn end(&self) -> Ticks {
        Ticks(self.end)
    }

    /// The level that the object cannot exceed, if known.
    pub fn capacity(&self) -> Option<u64> {
        self.capacity_with(self.max)
    }

    /// The registered capacity, unless the level `highest` exceeds it: then the
    /// registered object was another one.
    pub(super) fn capacity_with(&self, highest: Option<u32>) -> Option<u64> {
        let exceeds = |capacity: u64| highest.is_some_and(|level| u64::from(level) > capacity);
        self.registered_capacity
            .filter(|capacity| !exceeds(*capacity))
    }
}
