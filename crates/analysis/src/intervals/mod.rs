//! User-defined intervals: from an event that one filter selects to the next one that
//! another filter selects.
//!
//! - A start opens an interval; the next end after it closes it. An event that both
//!   filters select ends one interval and starts the next.
//! - A start while an interval is open replaces it by default, so that an interval has no
//!   other start in it ([`RepeatedStart`]).
//! - With a [`Pairing`], only a start and an end with the same thread, object or value
//!   belong together; intervals of different ones may overlap.
//! - If events are missing while an interval is open, its duration is unknown: the missing
//!   events may contain its end.

#[cfg(test)]
mod tests;
mod tracker;

use crate::markers::SpanEnding;
use rtoscope_trace::filter::Filter;
use rtoscope_trace::{ContextId, EventIndex, Ticks, Trace};
use tracker::IntervalTracker;

/// Which events start and end an interval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntervalDefinition {
    /// The events that start one.
    pub from: Filter,
    /// The events that end one.
    pub to: Filter,
    /// What a start and an end have in common.
    pub pairing: Pairing,
    /// The effect of a start while an interval is open.
    pub repeated: RepeatedStart,
}

/// What the start and the end of an interval have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Pairing {
    /// Nothing: an end belongs to any start before it.
    #[default]
    Any,
    /// The context. Interrupts, initialisation and idle are contexts of their core.
    Thread,
    /// The first object among the arguments.
    Object,
    /// An argument by its name, `info1` to `info4`, or `item1` and so on.
    Argument(String),
}

impl Pairing {
    /// Parses `thread`, `object` or the name of an argument; empty for none.
    pub fn parse(text: &str) -> Self {
        match text.trim() {
            "" => Self::Any,
            "thread" => Self::Thread,
            "object" => Self::Object,
            name => Self::Argument(name.to_owned()),
        }
    }

    /// Its text, as [`Pairing::parse`] reads it.
    pub fn text(&self) -> &str {
        match self {
            Self::Any => "",
            Self::Thread => "thread",
            Self::Object => "object",
            Self::Argument(name) => name,
        }
    }
}

/// The effect of a start while an interval is open: of the second A in A A B.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RepeatedStart {
    /// The interval starts again: it lasts from the second A to B.
    #[default]
    Restart,
    /// It is ignored: the interval lasts from the first A to B.
    First,
    /// Another interval opens within the first one: B ends the inner one, the next B the
    /// outer one.
    Nested,
}

impl RepeatedStart {
    /// All effects.
    pub const ALL: [Self; 3] = [Self::Restart, Self::First, Self::Nested];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Restart => "restart",
            Self::First => "first",
            Self::Nested => "nested",
        }
    }

    /// The effect with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| effect.name() == name)
    }
}

/// One interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The time of its start.
    pub start: Ticks,
    /// The time of its end, or else the last time before events are missing or the trace
    /// ends.
    pub until: Ticks,
    /// The event of its start.
    pub first: EventIndex,
    /// The event of its end, if it has one.
    pub last: Option<EventIndex>,
    /// How it ends.
    pub ending: SpanEnding,
    /// The context of its start.
    pub context: ContextId,
}

impl Interval {
    /// Its duration, if its end is recorded.
    pub fn duration(&self) -> Option<Ticks> {
        let is_ended = self.ending == SpanEnding::Ended;
        is_ended.then(|| Ticks(self.until.0.saturating_sub(self.start.0)))
    }
}

/// The intervals of a definition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IntervalSeries {
    /// The intervals, in the order of their starts.
    pub intervals: Vec<Interval>,
    /// Starts without an interval of their own, in the order of events: replaced or ignored
    /// because of a [`RepeatedStart`].
    pub repeated: Vec<EventIndex>,
    /// Ends while no interval was open, in the order of events.
    pub unmatched: Vec<EventIndex>,
    /// Ends whose start is not recorded, as it may be before the trace or among missing
    /// events; in the order of events.
    pub start_unknown: Vec<EventIndex>,
    /// Events without the object or argument that pairs them, in the order of events.
    pub unpaired: Vec<EventIndex>,
}

/// Declared intervals, and those that were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredIntervals {
    /// Their name.
    pub name: String,
    /// Which events start and end one.
    pub definition: IntervalDefinition,
    /// The maximum duration.
    pub deadline: Option<Ticks>,
    /// The intervals.
    pub series: IntervalSeries,
}

/// Number of events that a thread tests at a time.
const CHUNK_LEN: u32 = 1 << 18;

/// An event that a filter selects.
#[derive(Debug, Clone, Copy)]
struct BoundaryEvent {
    event: EventIndex,
    is_start: bool,
    is_end: bool,
}

impl IntervalDefinition {
    /// Finds the intervals in a trace.
    ///
    /// # Errors
    ///
    /// If a filter cannot be resolved in the trace, or no start or no end has the argument
    /// that pairs them; the error describes it.
    pub fn find(&self, trace: &Trace) -> Result<IntervalSeries, String> {
        let describe = |side: &str, error: &dyn std::fmt::Display| format!("{side}: {error}");
        let from = self.from.bind(trace);
        let from = from.map_err(|error| describe("from", &error))?;
        let to = self.to.bind(trace);
        let to = to.map_err(|error| describe("to", &error))?;
        let count = u32::try_from(trace.events.len()).unwrap_or(u32::MAX);
        let scan = |first: u32| {
            let end = first.saturating_add(CHUNK_LEN).min(count);
            let all = (first..end).map(EventIndex);
            let found = all.map(|event| BoundaryEvent {
                event,
                is_start: from.matches(event),
                is_end: to.matches(event),
            });
            let found = found.filter(|it| it.is_start || it.is_end);
            found.collect::<Vec<_>>()
        };
        let chunks = (0..count).step_by(CHUNK_LEN as usize).collect();
        let mut tracker = IntervalTracker::new(trace, self);
        for found in rtoscope_trace::parallel::map(chunks, scan) {
            for boundary in found {
                tracker.event(boundary);
            }
        }
        tracker.finish()
    }
}
