//! Every change of a level.

use rtoscope_trace::{EventIndex, ObjectClass, ResourceId, SchedEvent, Ticks};
use std::ops::Range;

/// Every change of an object's level over a whole trace, 16 bytes for each, and
/// every call on the object, 6 bytes for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelHistory {
    /// The start of each level; never decreases.
    starts: Vec<u64>,
    /// [`SchedEvent::UNKNOWN_LEVEL`] if unknown.
    levels: Vec<u32>,
    events: Vec<EventIndex>,
    end: u64,
    /// The level after all calls, the last tick of the trace included.
    pub(super) level_at_end: Option<u32>,
    max: Option<u32>,
    pub(super) class: ObjectClass,
    /// The capacity of the registered object, which may be another one.
    pub(super) registered_capacity: Option<u64>,
    /// The events of the calls.
    call_events: Vec<EventIndex>,
    call_results: Vec<(CallDirection, CallOutcome)>,
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
            starts: Vec::new(),
            levels: Vec::new(),
            events: Vec::new(),
            end: 0,
            level_at_end: None,
            max: None,
            class,
            registered_capacity,
            call_events: Vec::new(),
            call_results: Vec::new(),
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
        let word = level.unwrap_or(SchedEvent::UNKNOWN_LEVEL);
        if self.levels.last() != Some(&word) {
            self.starts.push(start);
            self.levels.push(word);
            self.events.push(event);
        }
    }

    pub(super) fn add_call(
        &mut self,
        event: EventIndex,
        direction: CallDirection,
        outcome: CallOutcome,
    ) {
        self.call_events.push(event);
        self.call_results.push((direction, outcome));
    }

    /// Later events show the outcome of the last call.
    pub(super) fn set_last_outcome(&mut self, outcome: CallOutcome) {
        if let Some((_, last)) = self.call_results.last_mut() {
            *last = outcome;
        }
    }

    /// Number of levels.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The `index`-th level.
    pub fn step(&self, index: usize) -> Option<LevelStep> {
        Some(LevelStep {
            start: Ticks(*self.starts.get(index)?),
            event: *self.events.get(index)?,
            level: known(*self.levels.get(index)?),
        })
    }

    /// The levels, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = LevelStep> {
        (0..self.len()).filter_map(|index| self.step(index))
    }

    /// The levels that end or start in a window, its ends included, each with
    /// its end.
    pub(super) fn steps_within(
        &self,
        window: &Range<u64>,
    ) -> impl Iterator<Item = (LevelStep, Ticks)> {
        let ends = self.starts.get(1..).unwrap_or_default();
        let first = ends.partition_point(|end| *end < window.start);
        let last = self.starts.partition_point(|start| *start <= window.end);
        (first..last).filter_map(|index| {
            let end = ends.get(index).copied().unwrap_or(self.end);
            Some((self.step(index)?, Ticks(end)))
        })
    }

    /// The calls at the events with these numbers.
    pub(crate) fn calls(
        &self,
        events: Range<usize>,
    ) -> impl Iterator<Item = (EventIndex, CallDirection, CallOutcome)> {
        let first = self.calls_before(events.start);
        let calls = self.call_events.iter().zip(&self.call_results);
        let calls = calls.skip(first).map(|(event, result)| (*event, result));
        let calls = calls.take_while(move |(event, _)| event.index() < events.end);
        calls.map(|(event, (direction, outcome))| (event, *direction, *outcome))
    }

    /// The last call before an event.
    pub(super) fn last_call_before(&self, event: usize) -> Option<EventIndex> {
        let last = self.calls_before(event).checked_sub(1)?;
        self.call_events.get(last).copied()
    }

    fn calls_before(&self, event: usize) -> usize {
        self.call_events
            .partition_point(|call| call.index() < event)
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

fn known(level: u32) -> Option<u32> {
    (level != SchedEvent::UNKNOWN_LEVEL).then_some(level)
}
