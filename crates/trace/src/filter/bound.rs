//! A filter whose names are resolved for one trace.

use super::kinds::KindTable;
use super::set::{BitSet, ValueSet};
use crate::{ContextId, Event, EventIndex, Events, KindId, Ticks, Trace};

/// A filter that is ready to be asked about the events of one trace.
#[derive(Debug, Clone)]
pub struct BoundFilter<'t> {
    pub(super) trace: &'t Trace,
    /// Empty where nothing asks for it.
    pub(super) kinds: KindTable,
    pub(super) node: Node,
}

/// What is asked of an event, with all names resolved.
#[derive(Debug, Clone)]
pub(super) enum Node {
    All(Box<[Self]>),
    Any(Box<[Self]>),
    Not(Box<Self>),
    Number(Column, ValueSet),
    Context(BitSet),
    Interrupted(BitSet),
    /// By number in the [`KindTable`].
    Kind(BitSet),
    Arguments(ArgumentTest),
}

/// A number that every event has, or may have.
#[derive(Debug, Clone, Copy)]
pub(super) enum Column {
    Index,
    Time,
    Stamp,
    Core,
    Id,
    Priority,
    Threshold,
    /// An argument by its position.
    Info(usize),
}

/// Whether one of some arguments of an event has one of some values.
#[derive(Debug, Clone, Default)]
pub(super) struct ArgumentTest {
    /// Whether none may have one.
    pub(super) negated: bool,
    /// For each kind of the catalogue the arguments that count: the position,
    /// and which of `sets` the values are in.
    pub(super) places: Vec<Box<[(u8, u32)]>>,
    pub(super) sets: Vec<ValueSet>,
}

impl<'t> BoundFilter<'t> {
    /// Whether the event passes. Reads only the columns that the filter names.
    /// A number behind the last event never passes.
    pub fn matches(&self, index: EventIndex) -> bool {
        index.index() < self.trace.events.len() && self.holds(&self.node, index)
    }

    /// All events that pass, oldest first.
    pub fn matching(&self) -> impl DoubleEndedIterator<Item = EventIndex> {
        let count = u32::try_from(self.trace.events.len()).unwrap_or(u32::MAX);
        let all = (0..count).map(EventIndex);
        all.filter(|index| self.matches(*index))
    }

    /// The trace it is bound to.
    pub fn trace(&self) -> &'t Trace {
        self.trace
    }

    fn holds(&self, node: &Node, index: EventIndex) -> bool {
        let events = &self.trace.events;
        let at = index.index();
        match node {
            Node::All(nodes) => nodes.iter().all(|node| self.holds(node, index)),
            Node::Any(nodes) => nodes.iter().any(|node| self.holds(node, index)),
            Node::Not(node) => !self.holds(node, index),
            Node::Number(column, set) => {
                let value = column.value(self.trace, index);
                value.is_some_and(|value| set.contains(value))
            }
            Node::Context(set) => {
                let context = events.context.get(at);
                context.is_some_and(|context| set.contains(context.index()))
            }
            Node::Interrupted(set) => {
                let interrupted = standing(events, at).and_then(|event| event.interrupted());
                interrupted.is_some_and(|context: ContextId| set.contains(context.index()))
            }
            Node::Kind(set) => {
                let number = events
                    .kind
                    .get(at)
                    .and_then(|kind| self.kinds.number(*kind));
                number.is_some_and(|number| set.contains(number))
            }
            Node::Arguments(test) => {
                let number = events
                    .kind
                    .get(at)
                    .and_then(|kind| self.kinds.number(*kind));
                number.is_some_and(|number| test.holds(number, events, at))
            }
        }
    }
}

impl ArgumentTest {
    fn holds(&self, kind: usize, events: &Events, at: usize) -> bool {
        let places = self.places.get(kind).map(AsRef::as_ref).unwrap_or_default();
        if places.is_empty() {
            return false;
        }
        let Some(arguments) = events.arguments.get(at) else {
            return false;
        };
        let found = places.iter().any(|(position, set)| {
            let position = usize::from(*position);
            let value = match arguments.get(position) {
                Some(value) => Some(*value),
                None => {
                    let number = u32::try_from(at).unwrap_or(u32::MAX);
                    let more = events.extras.words(EventIndex(number));
                    let word = more.get(position - arguments.len());
                    word.copied().map(u64::from)
                }
            };
            let set = self.sets.get(*set as usize);
            value
                .zip(set)
                .is_some_and(|(value, set)| set.contains(value))
        });
        found != self.negated
    }
}

impl Column {
    /// The event's number in this column, where it has one.
    fn value(self, trace: &Trace, index: EventIndex) -> Option<u64> {
        let events = &trace.events;
        let at = index.index();
        match self {
            Self::Index => Some(trace.number(index)),
            Self::Time => events.time.get(at).map(|time| trace.moment(Ticks(*time)).0),
            Self::Stamp => events.stamp.get(at),
            Self::Core => Some(events.core.get(at).copied().unwrap_or_default().into()),
            Self::Id => events.kind.get(at).map(|kind| kind.0.into()),
            Self::Priority => standing(events, at)?.priority().map(u64::from),
            Self::Threshold => standing(events, at)?.threshold().map(u64::from),
            Self::Info(position) => events.arguments.get(at)?.get(position).copied(),
        }
    }
}

/// An event of which only the context and the standing are read.
fn standing(events: &Events, at: usize) -> Option<Event> {
    Some(Event {
        index: EventIndex::default(),
        time: Ticks::default(),
        stamp: 0,
        core: 0,
        context: *events.context.get(at)?,
        kind: KindId::default(),
        standing: *events.standing.get(at)?,
        arguments: [0; 4],
    })
}
