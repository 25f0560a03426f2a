//! A filter bound to one trace.

use super::kinds::EventKindTable;
use super::names::NameMatcher;
use super::set::{BitSet, ValueSet};
use crate::catalogue::Meaning;
use crate::event::PriorityWord;
use crate::extras::{ItemType, ItemValue};
use crate::{ContextId, EventIndex, EventKind, Events, Trace};
use std::sync::Arc;

/// A filter whose names are resolved for one trace.
#[derive(Debug, Clone)]
pub struct BoundFilter<'t> {
    pub(super) trace: &'t Trace,
    /// Empty if no condition needs it.
    pub(super) kinds: Arc<EventKindTable>,
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
#[derive(Debug, Clone)]
pub(super) struct ArgumentTest {
    /// Whether the test is negated.
    negated: bool,
    /// The index of the first kind with tested arguments.
    first_kind: usize,
    /// From that kind on the tested arguments of each: the place, and the index of
    /// its test in `tests`.
    arguments: Vec<Box<[(ValuePlace, usize)]>>,
    tests: Vec<ValueTest>,
}

/// Where events of a kind have a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum ValuePlace {
    /// An argument by its position.
    Argument(usize),
    /// The self-describing item of this type with this number, from 0.
    Item(ItemType, usize),
    /// Every self-describing item that is a text.
    TextItems,
}

/// A test of a value.
#[derive(Debug, Clone)]
pub(super) enum ValueTest {
    /// One of these numbers.
    Numbers(ValueSet),
    /// A text, or a block of memory in hexadecimal, that matches one of these.
    Texts(Box<[NameMatcher]>),
}

impl<'t> BoundFilter<'t> {
    /// Whether the event matches. Reads only the columns that the filter names.
    /// A number after the last event never matches.
    pub fn matches(&self, index: EventIndex) -> bool {
        index.index() < self.trace.events.len() && self.node.matches(self.trace, &self.kinds, index)
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
}

impl BoundNode {
    /// Whether the event matches. Kinds have the indices of a table.
    pub(super) fn matches(&self, trace: &Trace, kinds: &EventKindTable, index: EventIndex) -> bool {
        let events = &trace.events;
        let kind_index = || kinds.index_of(events.kind(index)?);
        match self {
            Self::All(nodes) => nodes.iter().all(|node| node.matches(trace, kinds, index)),
            Self::Any(nodes) => nodes.iter().any(|node| node.matches(trace, kinds, index)),
            Self::Not(node) => !node.matches(trace, kinds, index),
            Self::Number(column, set) => {
                let value = column.value(trace, index);
                value.is_some_and(|value| set.contains(value))
            }
            Self::Context(set) => {
                let context = events.context(index);
                context.is_some_and(|context| set.contains(context.index()))
            }
            Self::Interrupted(set) => {
                let interrupted = priority_word(events, index, PriorityWord::interrupted_context);
                interrupted.is_some_and(|context| set.contains(context.index()))
            }
            Self::Kind(set) => kind_index().is_some_and(|kind| set.contains(kind)),
            Self::Arguments(test) => {
                kind_index().is_some_and(|kind| test.matches(kind, events, index))
            }
        }
    }
}

impl ArgumentTest {
    /// Tests the values at the places of each of the kinds, which are in the order of
    /// the table. Places with the same meaning share a test.
    pub(super) fn new(
        table: &EventKindTable,
        kinds: &[&EventKind],
        negated: bool,
        places: impl Fn(&EventKind) -> Vec<(ValuePlace, Meaning)>,
        mut test: impl FnMut(Meaning) -> ValueTest,
    ) -> Self {
        let mut all = Self {
            negated,
            first_kind: 0,
            arguments: Vec::new(),
            tests: Vec::new(),
        };
        let mut meanings: Vec<Meaning> = Vec::new();
        for kind in kinds {
            let tested = places(kind).into_iter().map(|(place, meaning)| {
                let known = meanings.iter().position(|known| *known == meaning);
                let number = known.unwrap_or_else(|| {
                    meanings.push(meaning);
                    all.tests.push(test(meaning));
                    all.tests.len() - 1
                });
                (place, number)
            });
            let tested: Box<[_]> = tested.collect();
            let Some(index) = table.index_of(kind.id).filter(|_| !tested.is_empty()) else {
                continue;
            };
            if all.arguments.is_empty() {
                all.first_kind = index;
            }
            let kinds_before = index.saturating_sub(all.first_kind);
            all.arguments.resize_with(kinds_before, Box::default);
            all.arguments.push(tested);
        }
        all
    }

    /// Whether events of a kind have tested arguments.
    pub(super) fn applies_to(&self, kind: usize) -> bool {
        !self.tested(kind).is_empty()
    }

    fn tested(&self, kind: usize) -> &[(ValuePlace, usize)] {
        let number = kind.checked_sub(self.first_kind);
        let tested = number.and_then(|number| self.arguments.get(number));
        tested.map(AsRef::as_ref).unwrap_or_default()
    }

    fn matches(&self, kind: usize, events: &Events, index: EventIndex) -> bool {
        let extras = events.extras();
        let mut has_value = false;
        let found = self.tested(kind).iter().any(|(place, test)| {
            let Some(test) = self.tests.get(*test) else {
                return false;
            };
            let of_type = |item_type| {
                let items = extras.items(index);
                items.filter(move |item| item.item_type == item_type)
            };
            let mut accepts = |accepted: bool| {
                has_value = true;
                accepted
            };
            match *place {
                ValuePlace::Argument(position) => {
                    let value = argument(events, index, position);
                    value.is_some_and(|value| accepts(test.accepts(events, value)))
                }
                ValuePlace::Item(item_type, number) => {
                    let item = of_type(item_type).nth(number);
                    item.is_some_and(|item| accepts(test.accepts_item(item.value)))
                }
                ValuePlace::TextItems => {
                    of_type(ItemType::Text).any(|item| accepts(test.accepts_item(item.value)))
                }
            }
        });
        found != self.negated && has_value
    }
}

/// An event's argument in the columns or after them.
fn argument(events: &Events, index: EventIndex, position: usize) -> Option<u64> {
    let columns = events.arguments(index)?;
    columns.get(position).copied().or_else(|| {
        let word = events.extras().words(index).get(position - columns.len());
        word.copied().map(u64::from)
    })
}

impl ValueTest {
    /// Whether an argument's value passes; that of a text is its position.
    fn accepts(&self, events: &Events, value: u64) -> bool {
        match self {
            Self::Numbers(set) => set.contains(value),
            Self::Texts(_) => self.accepts_item(ItemValue::Text(events.extras().text(value))),
        }
    }

    fn accepts_item(&self, value: ItemValue<'_>) -> bool {
        match (self, value) {
            (Self::Numbers(set), ItemValue::Number(number)) => set.contains(number.into()),
            (Self::Numbers(set), ItemValue::Signed(number)) => {
                set.contains(number.cast_unsigned().into())
            }
            (Self::Texts(matchers), ItemValue::Text(text)) => {
                matchers.iter().any(|matcher| matcher.matches(text))
            }
            (Self::Texts(matchers), ItemValue::Memory(block)) => {
                let shown = to_hex(block);
                let mut matchers = matchers.iter();
                matchers.any(|matcher| matcher.matches_ignoring_case(&shown))
            }
            _ => false,
        }
    }
}

/// A block of memory as a filter has it: two digits a byte.
pub fn to_hex(block: &[u8]) -> String {
    block.iter().map(|byte| format!("{byte:02x}")).collect()
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
