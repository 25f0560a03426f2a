//! Every change of a level.

use super::{Call, Follower, Gaps, Keep};
use rtoscope_trace::{Act, EventIndex, Interpret, ResourceId, Ticks, Trace};

/// Every change of an object's level over a whole trace, known by the same
/// evidence as a course: 16 bytes for each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// When each level began, rising or the same.
    starts: Vec<u64>,
    /// [`Act::NO_LEVEL`] where it is not known.
    levels: Vec<u32>,
    events: Vec<EventIndex>,
    end: u64,
    highest: Option<u32>,
    capacity: Option<u64>,
}

/// A level that holds until the next begins, which can be at the same tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// When it began.
    pub start: Ticks,
    /// The call that began it, or the last one before it.
    pub event: EventIndex,
    /// The level; `None` if it is not known.
    pub level: Option<u32>,
}

/// The histories of the objects that were used, by their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Histories(Vec<(ResourceId, History)>);

impl Histories {
    /// The histories of all objects that the interpreter meets in a trace. The
    /// interpreter must be new.
    pub fn of(trace: &Trace, interpreter: &mut impl Interpret) -> Self {
        let followers = follow(trace, interpreter, None);
        let end = trace.events.span();
        let finished = (0..).zip(followers).filter_map(|(number, follower)| {
            let history = History::finished(follower?, end);
            Some((ResourceId(number), history))
        });
        Self(finished.collect())
    }

    /// The objects that were used, each with the history of its level; that is
    /// empty if nothing is known of it.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ResourceId, &History)> {
        self.0
            .iter()
            .map(|(resource, history)| (*resource, history))
    }
}

impl History {
    /// The history of one of the objects that the interpreter meets in a trace;
    /// empty if nothing is known of its level. The interpreter must be new.
    pub fn of(trace: &Trace, interpreter: &mut impl Interpret, resource: ResourceId) -> Self {
        let mut followers = follow(trace, interpreter, Some(resource));
        let follower = followers.pop().flatten();
        let end = trace.events.span();
        follower.map_or_else(Self::default, |follower| Self::finished(follower, end))
    }

    fn finished(follower: Follower<Self>, end: Ticks) -> Self {
        let usage = follower.finish(end);
        Self {
            capacity: usage.capacity,
            ..usage.course
        }
    }

    /// How many levels it has, one after the other.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The `index`-th level.
    pub fn step(&self, index: usize) -> Option<Step> {
        Some(Step {
            start: Ticks(*self.starts.get(index)?),
            event: *self.events.get(index)?,
            level: known(*self.levels.get(index)?),
        })
    }

    /// The levels, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = Step> {
        (0..self.len()).filter_map(|index| self.step(index))
    }

    /// When the last level ends.
    pub fn end(&self) -> Ticks {
        Ticks(self.end)
    }

    /// The level that the object cannot exceed, if that is known.
    pub fn capacity(&self) -> Option<u64> {
        self.capacity
    }

    /// Bytes of memory that it takes.
    pub fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u64>()
            + self.levels.capacity() * size_of::<u32>()
            + self.events.capacity() * size_of::<EventIndex>()
    }
}

/// Follows the object, or all, through a trace; by their numbers.
fn follow(
    trace: &Trace,
    interpreter: &mut impl Interpret,
    only: Option<ResourceId>,
) -> Vec<Option<Follower<History>>> {
    let mut gaps = Gaps::of(trace);
    let mut followers: Vec<Option<Follower<History>>> = Vec::new();
    trace.events.visit(0..trace.events.len(), |event| {
        let act = interpreter.act(&event);
        let Act::Use {
            resource,
            flow,
            level,
            waits,
        } = interpreter.aside().unwrap_or(act)
        else {
            return;
        };
        if only.is_some_and(|only| only != resource) {
            return;
        }
        gaps.pass(event.index);
        if followers.len() <= resource.index() {
            followers.resize_with(resource.index() + 1, || None);
        }
        let Some(slot) = followers.get_mut(resource.index()) else {
            return;
        };
        let follower = slot.get_or_insert_with(|| {
            Follower::new(interpreter.resources(), resource, History::default())
        });
        follower.cross(&gaps);
        follower.call(&Call::of(&event, flow, level, waits, false));
    });
    gaps.pass_all();
    for follower in followers.iter_mut().flatten() {
        follower.cross(&gaps);
    }
    followers
}

fn known(level: u32) -> Option<u32> {
    (level != Act::NO_LEVEL).then_some(level)
}

impl Keep for History {
    fn add(&mut self, start: u64, end: u64, level: Option<u32>, event: EventIndex) {
        // As in a course: a level that is known counts even if it did not last.
        if level.is_none() && start >= end {
            return;
        }
        self.end = end;
        self.highest = self.highest.max(level);
        let word = level.unwrap_or(Act::NO_LEVEL);
        if self.levels.last() != Some(&word) {
            self.starts.push(start);
            self.levels.push(word);
            self.events.push(event);
        }
    }

    fn highest(&self) -> Option<u32> {
        self.highest
    }
}
