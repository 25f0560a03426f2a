//! A filter bound to one trace.

use super::glob::Glob;
use super::kinds::EventKindTable;
use super::set::{BitSet, ValueSet};
use crate::event::PriorityWord;
use crate::extras::ItemValue;
use crate::{ContextId, EventIndex, Events, Trace};

/// A filter whose names are resolved for one trace.
#[derive(Debug, Clone)]
pub struct BoundFilter<'t> {
    pub(super) trace: &'t Trace,
    /// Empty if no condition needs it.
    pub(super) kinds: EventKindTable,
    pub(super) node: BoundNode,
}

/// A condition with all names resolved.
#[derive(Debug, Clone)]
pub(super) enum BoundNode {
    All(Box<[Self]>),
    Any(Box<[Self]>),
    Not(Box<Self>),
    Number(NumericColumn, ValueSet),
    Context(BitSet),
    Interrupted(BitSet),
    /// By index in the [`EventKindTable`].
    Kind(BitSet),
    Arguments(ArgumentTest),
    /// A text among the self-describing items of these kinds.
    ItemTexts(BitSet, Glob),
}

/// A number that events have.
#[derive(Debug, Clone, Copy)]
pub(super) enum NumericColumn {
    Index,
    Time,
    Timestamp,
    Core,
    Id,
    Priority,
    Threshold,
    /// An argument by its position.
    Info(usize),
}

/// Tests whether one of several arguments of an event has one of several
/// values.
#[derive(Debug, Clone, Default)]
pub(super) struct ArgumentTest {
    /// Whether the test is negated.
    pub(super) negated: bool,
    /// For each kind of the catalogue the tested arguments: the position, and
    /// the index of its values in `sets`.
    pub(super) arguments: Vec<Box<[(u8, u32)]>>,
    pub(super) sets: Vec<ValueSet>,
}

impl<'t> BoundFilter<'t> {
    /// Whether the event matches. Reads only the columns that the filter names.
    /// A number after the last event never matches.
    pub fn matches(&self, index: EventIndex) -> bool {
        index.index() < self.trace.events.len() && self.matches_node(&self.node, index)
    }

    /// All matching events, oldest first.
    pub fn matching(&self) -> impl DoubleEndedIterator<Item = EventIndex> {
        let count = u32::try_from(self.trace.events.len()).unwrap_or(u32::MAX);
        let all = (0..count).map(EventIndex);
        all.filter(|index| self.matches(*index))
    }

    /// The trace it is bound to.
    pub fn trace(&self) -> &'t Trace {
        self.trace
    }

    fn matches_node(&self, node: &BoundNode, index: EventIndex) -> bool {
        let events = &self.trace.events;
        match node {
            BoundNode::All(nodes) => nodes.iter().all(|node| self.matches_node(node, index)),
            BoundNode::Any(nodes) => nodes.iter().any(|node| self.matches_node(node, index)),
            BoundNode::Not(node) => !self.matches_node(node, index),
            BoundNode::Number(column, set) => {
                let value = column.value(self.trace, index);
                value.is_some_and(|value| set.contains(value))
            }
            BoundNode::Context(set) => {
                let context = events.context(index);
                context.is_some_and(|context| set.contains(context.index()))
            }
            BoundNode::Interrupted(set) => {
                let interrupted = priority_word(events, index, PriorityWord::interrupted_context);
                interrupted.is_some_and(|context| set.contains(context.index()))
            }
            BoundNode::Kind(set) => {
                let kind = events.kind(index);
                let number = kind.and_then(|kind| self.kinds.index_of(kind));
                number.is_some_and(|number| set.contains(number))
            }
            BoundNode::Arguments(test) => {
                let kind = events.kind(index);
                let number = kind.and_then(|kind| self.kinds.index_of(kind));
                number.is_some_and(|number| test.matches(number, events, index))
            }
            BoundNode::ItemTexts(kinds, glob) => {
                let kind = events.kind(index);
                let number = kind.and_then(|kind| self.kinds.index_of(kind));
                let has_items = number.is_some_and(|number| kinds.contains(number));
                let mut items = events.extras().items(index).filter(|_| has_items);
                items.any(|item| match item.value {
                    ItemValue::Text(text) => glob.matches(&String::from_utf8_lossy(text)),
                    _ => false,
                })
            }
        }
    }
}

impl ArgumentTest {
    fn matches(&self, kind: usize, events: &Events, index: EventIndex) -> bool {
        let tested = self.arguments.get(kind);
        let tested = tested.map(AsRef::as_ref).unwrap_or_default();
        if tested.is_empty() {
            return false;
        }
        let Some(arguments) = events.arguments(index) else {
            return false;
        };
        let found = tested.iter().any(|(position, set)| {
            let position = usize::from(*position);
            let value = match arguments.get(position) {
                Some(value) => Some(*value),
                None => {
                    let more = events.extras().words(index);
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

impl NumericColumn {
    /// The event's number in this column, if it has one.
    fn value(self, trace: &Trace, index: EventIndex) -> Option<u64> {
        let events = &trace.events;
        match self {
            Self::Index => Some(trace.recording_event(index)),
            Self::Time => {
                let time = events.time(index);
                time.map(|time| trace.recording_time(time).0)
            }
            Self::Timestamp => events.timestamp(index),
            Self::Core => events.core(index).map(u64::from),
            Self::Id => events.kind(index).map(|kind| kind.0.into()),
            Self::Priority => priority_word(events, index, PriorityWord::priority).map(u64::from),
            Self::Threshold => priority_word(events, index, PriorityWord::threshold).map(u64::from),
            Self::Info(position) => events.arguments(index)?.get(position).copied(),
        }
    }
}

/// A property that an event's priority word has for its context.
fn priority_word<T>(
    events: &Events,
    index: EventIndex,
    property: impl Fn(PriorityWord, ContextId) -> Option<T>,
) -> Option<T> {
    property(events.priority_word(index)?, events.context(index)?)
}
