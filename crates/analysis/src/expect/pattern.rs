//! Patterns for the records of a trace.

use super::names::NameMatcher;
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::extras::{ItemType, ItemValue, TypedItem};
use rtoscope_trace::{Event, EventKindId, Trace};
use std::rc::Rc;

/// A pattern for records, with every name resolved.
#[derive(Debug, Clone)]
pub(super) struct EventPattern {
    /// The kinds, sorted.
    kinds: Rc<[EventKindId]>,
    /// By kind, or empty if there is nothing to check.
    checks: Box<[ArgumentChecks]>,
}

/// The checks for the arguments of a kind.
pub(super) type ArgumentChecks = Box<[ArgumentCheck]>;

/// A check for an argument.
#[derive(Debug, Clone)]
pub(super) struct ArgumentCheck {
    /// The name of the argument in a spec.
    pub(super) name: Rc<str>,
    /// Index among the arguments with that name.
    pub(super) ordinal: usize,
    pub(super) site: ValueSite,
    pub(super) test: ValueTest,
}

/// The position of a value in an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ValueSite {
    /// In the columns.
    Column(u8),
    /// Among the words after the columns.
    Word(usize),
    /// The item of that type, counted from 0.
    Item(ItemType, usize),
    /// Not an argument: the context.
    Context,
}

/// The allowed values of an argument.
#[derive(Debug, Clone)]
pub(super) enum ValueTest {
    Any,
    /// One of these, sorted.
    Among(Rc<[u64]>),
    /// The text that the value refers to.
    Text(Rc<NameMatcher>),
    /// The displayed value.
    Shown(Meaning, Rc<NameMatcher>),
    /// A block of memory in hexadecimal.
    Memory(Rc<NameMatcher>),
}

impl EventPattern {
    /// Matches records of kinds, with any arguments. The kinds are sorted.
    pub(super) fn from_kinds(kinds: Rc<[EventKindId]>) -> Self {
        Self {
            kinds,
            checks: Box::default(),
        }
    }

    /// Matches records of kinds, sorted, with the checks for the arguments of
    /// each.
    pub(super) fn new(kinds: impl IntoIterator<Item = (EventKindId, ArgumentChecks)>) -> Self {
        let (kinds, checks): (Vec<_>, Vec<_>) = kinds.into_iter().unzip();
        Self {
            kinds: kinds.into(),
            checks: checks.into(),
        }
    }

    /// Whether an event matches.
    pub(super) fn matches(&self, trace: &Trace, event: &Event) -> bool {
        let checks = self.checks(event.kind);
        checks.is_some_and(|checks| checks.iter().all(|check| check.passes(trace, event)))
    }

    /// Whether events of a kind can match.
    pub(super) fn has_kind(&self, kind: EventKindId) -> bool {
        self.kinds.binary_search(&kind).is_ok()
    }

    /// The first check that an event of one of the kinds fails.
    pub(super) fn first_failed(&self, trace: &Trace, event: &Event) -> Option<&ArgumentCheck> {
        let mut checks = self.checks(event.kind)?.iter();
        checks.find(|check| !check.passes(trace, event))
    }

    fn checks(&self, kind: EventKindId) -> Option<&[ArgumentCheck]> {
        let number = self.kinds.binary_search(&kind).ok()?;
        Some(self.checks.get(number).map_or(&[], |checks| checks))
    }
}

impl ArgumentCheck {
    /// Whether it checks the context rather than an argument.
    pub(super) fn is_context(&self) -> bool {
        self.site == ValueSite::Context
    }

    fn passes(&self, trace: &Trace, event: &Event) -> bool {
        match self.site {
            ValueSite::Column(column) => {
                let value = event.arguments.get(usize::from(column));
                value.is_some_and(|value| self.test.matches(trace, *value))
            }
            ValueSite::Word(number) => {
                let value = trace.events.extras().words(event.index).get(number);
                value.is_some_and(|value| self.test.matches(trace, (*value).into()))
            }
            ValueSite::Context => self.test.matches(trace, event.context.0.into()),
            ValueSite::Item(item_type, number) => {
                let items = trace.events.extras().items(event.index);
                let item = items.filter(|item| item.item_type == item_type).nth(number);
                item.is_some_and(|item| self.test.matches_item(&item))
            }
        }
    }
}

impl ValueTest {
    fn matches(&self, trace: &Trace, value: u64) -> bool {
        match self {
            Self::Any => true,
            Self::Among(values) => values.binary_search(&value).is_ok(),
            Self::Text(matcher) => matcher.matches(trace.events.extras().text(value)),
            Self::Shown(meaning, matcher) => {
                matcher.matches_ignoring_case(&format!("{:#}", trace.value(*meaning, value)))
            }
            Self::Memory(_) => false,
        }
    }

    fn matches_item(&self, item: &TypedItem<'_>) -> bool {
        match (self, item.value) {
            (Self::Any, _) => true,
            (Self::Among(values), ItemValue::Number(value)) => {
                values.binary_search(&value.into()).is_ok()
            }
            (Self::Among(values), ItemValue::Signed(value)) => {
                let value = u64::from(value.cast_unsigned());
                values.binary_search(&value).is_ok()
            }
            (Self::Text(matcher), ItemValue::Text(text)) => matcher.matches(text),
            (Self::Memory(matcher), ItemValue::Memory(block)) => {
                matcher.matches_ignoring_case(&to_hex(block))
            }
            _ => false,
        }
    }
}

/// A block of memory as a spec has it: two digits a byte.
pub(super) fn to_hex(block: &[u8]) -> String {
    block.iter().map(|byte| format!("{byte:02x}")).collect()
}
