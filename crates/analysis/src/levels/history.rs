//! Every change of a level.

use super::{GapCursor, LevelRecorder, LevelTracker, ObjectCall};
use rtoscope_trace::{EventIndex, Interpret, ResourceId, SchedEvent, Ticks, Trace};

/// Every change of an object's level over a whole trace, by the same evidence
/// as `LevelStats`: 16 bytes for each change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LevelHistory {
    /// The start of each level; never decreases.
    starts: Vec<u64>,
    /// [`SchedEvent::UNKNOWN_LEVEL`] if unknown.
    levels: Vec<u32>,
    events: Vec<EventIndex>,
    end: u64,
    max: Option<u32>,
    capacity: Option<u64>,
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
    /// The level histories of all objects of a trace. The interpreter must be
    /// new.
    pub fn from_trace(trace: &Trace, interpreter: &mut impl Interpret) -> Self {
        let trackers = follow(trace, interpreter, None);
        let end = trace.events.span();
        let finished = (0..).zip(trackers).filter_map(|(number, tracker)| {
            let history = LevelHistory::from_tracker(tracker?, end);
            Some((ResourceId(number), history))
        });
        Self(finished.collect())
    }

    /// The used objects, each with its level history, which is empty if no
    /// level is known.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ResourceId, &LevelHistory)> {
        self.0
            .iter()
            .map(|(resource, history)| (*resource, history))
    }
}

impl LevelHistory {
    /// The level history of one object of a trace; empty if no level is known.
    /// The interpreter must be new.
    pub fn from_trace(
        trace: &Trace,
        interpreter: &mut impl Interpret,
        resource: ResourceId,
    ) -> Self {
        let mut trackers = follow(trace, interpreter, Some(resource));
        let tracker = trackers.pop().flatten();
        let end = trace.events.span();
        tracker.map_or_else(Self::default, |tracker| Self::from_tracker(tracker, end))
    }

    fn from_tracker(tracker: LevelTracker<Self>, end: Ticks) -> Self {
        let usage = tracker.finish(end);
        Self {
            capacity: usage.capacity,
            ..usage.level
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

    /// The end of the last level.
    pub fn end(&self) -> Ticks {
        Ticks(self.end)
    }

    /// The level that the object cannot exceed, if known.
    pub fn capacity(&self) -> Option<u64> {
        self.capacity
    }

    /// Memory usage in bytes.
    pub fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u64>()
            + self.levels.capacity() * size_of::<u32>()
            + self.events.capacity() * size_of::<EventIndex>()
    }
}

/// Tracks one object, or all, through a trace; by their numbers.
fn follow(
    trace: &Trace,
    interpreter: &mut impl Interpret,
    only: Option<ResourceId>,
) -> Vec<Option<LevelTracker<LevelHistory>>> {
    let mut gaps = GapCursor::new(trace);
    let mut trackers: Vec<Option<LevelTracker<LevelHistory>>> = Vec::new();
    trace.events.visit(0..trace.events.len(), |event| {
        let sched_event = interpreter.sched_event(&event);
        let SchedEvent::Use {
            resource,
            effect,
            level,
            waits,
        } = interpreter.secondary_event().unwrap_or(sched_event)
        else {
            return;
        };
        if only.is_some_and(|only| only != resource) {
            return;
        }
        gaps.pass(event.index);
        if trackers.len() <= resource.index() {
            trackers.resize_with(resource.index() + 1, || None);
        }
        let Some(slot) = trackers.get_mut(resource.index()) else {
            return;
        };
        let tracker = slot.get_or_insert_with(|| {
            LevelTracker::new(interpreter.resources(), resource, LevelHistory::default())
        });
        tracker.cross_gaps(&gaps);
        tracker.call(&ObjectCall::new(&event, effect, level, waits, false));
    });
    gaps.pass_all();
    for tracker in trackers.iter_mut().flatten() {
        tracker.cross_gaps(&gaps);
    }
    trackers
}

fn known(level: u32) -> Option<u32> {
    (level != SchedEvent::UNKNOWN_LEVEL).then_some(level)
}

impl LevelRecorder for LevelHistory {
    fn add(&mut self, start: u64, end: u64, level: Option<u32>, event: EventIndex) {
        // As in [`LevelStats`](super::LevelStats): a known level counts even if
        // it lasted for 0 ticks.
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

    fn max(&self) -> Option<u32> {
        self.max
    }
}
