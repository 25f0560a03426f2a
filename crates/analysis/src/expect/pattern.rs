//! Which records of a trace are meant.

use super::names::Matcher;
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::extras::{Form, Item, ItemValue};
use rtoscope_trace::{Event, KindId, Trace};
use std::rc::Rc;

/// Which records are meant, with every name resolved.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    /// Of these kinds, sorted.
    kinds: Rc<[KindId]>,
    /// By kind, or empty if there is nothing to check.
    checks: Box<[Checks]>,
}

/// What the arguments of a kind must be.
pub(super) type Checks = Box<[Check]>;

/// What an argument must be.
#[derive(Debug, Clone)]
pub(super) struct Check {
    /// How the argument is called in a spec.
    pub(super) name: Rc<str>,
    /// Which of the arguments of that name, from 0.
    pub(super) ordinal: usize,
    pub(super) site: Site,
    pub(super) test: Test,
}

/// Where a value is in an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Site {
    /// In the columns.
    Column(u8),
    /// Among the words behind them.
    Word(usize),
    /// The item of that form, counted from 0.
    Item(Form, usize),
    /// Not an argument: the context.
    Context,
}

/// Which values an argument may have.
#[derive(Debug, Clone)]
pub(super) enum Test {
    Any,
    /// One of these, sorted.
    Among(Rc<[u64]>),
    /// The text that the value names.
    Text(Rc<Matcher>),
    /// The value as it is shown.
    Shown(Meaning, Rc<Matcher>),
    /// A block of memory in hexadecimal.
    Memory(Rc<Matcher>),
}

impl Pattern {
    /// Records of kinds, whatever their arguments are. The kinds are sorted.
    pub(super) fn of_kinds(kinds: Rc<[KindId]>) -> Self {
        Self {
            kinds,
            checks: Box::default(),
        }
    }

    /// Records of kinds, sorted, with what the arguments of each must be.
    pub(super) fn new(kinds: impl IntoIterator<Item = (KindId, Checks)>) -> Self {
        let (kinds, checks): (Vec<_>, Vec<_>) = kinds.into_iter().unzip();
        Self {
            kinds: kinds.into(),
            checks: checks.into(),
        }
    }

    /// Whether an event is meant.
    pub(super) fn matches(&self, trace: &Trace, event: &Event) -> bool {
        let checks = self.checks(event.kind);
        checks.is_some_and(|checks| checks.iter().all(|check| check.passes(trace, event)))
    }

    /// Whether events of a kind can be meant.
    pub(super) fn has_kind(&self, kind: KindId) -> bool {
        self.kinds.binary_search(&kind).is_ok()
    }

    /// The first thing that an event of one of the kinds is not as it must be.
    pub(super) fn failed(&self, trace: &Trace, event: &Event) -> Option<&Check> {
        let mut checks = self.checks(event.kind)?.iter();
        checks.find(|check| !check.passes(trace, event))
    }

    fn checks(&self, kind: KindId) -> Option<&[Check]> {
        let number = self.kinds.binary_search(&kind).ok()?;
        Some(self.checks.get(number).map_or(&[], |checks| checks))
    }
}

impl Check {
    /// Whether it is about the context rather than an argument.
    pub(super) fn is_context(&self) -> bool {
        self.site == Site::Context
    }

    fn passes(&self, trace: &Trace, event: &Event) -> bool {
        match self.site {
            Site::Column(column) => {
                let value = event.arguments.get(usize::from(column));
                value.is_some_and(|value| self.test.fits(trace, *value))
            }
            Site::Word(number) => {
                let value = trace.events.extras.words(event.index).get(number);
                value.is_some_and(|value| self.test.fits(trace, (*value).into()))
            }
            Site::Context => self.test.fits(trace, event.context.0.into()),
            Site::Item(form, number) => {
                let items = trace.events.extras.items(event.index);
                let item = items.filter(|item| item.form == form).nth(number);
                item.is_some_and(|item| self.test.fits_item(&item))
            }
        }
    }
}

impl Test {
    fn fits(&self, trace: &Trace, value: u64) -> bool {
        match self {
            Self::Any => true,
            Self::Among(values) => values.binary_search(&value).is_ok(),
            Self::Text(matcher) => matcher.fits(trace.events.extras.text(value)),
            Self::Shown(meaning, matcher) => {
                matcher.fits_any_case(&format!("{:#}", trace.value(*meaning, value)))
            }
            Self::Memory(_) => false,
        }
    }

    fn fits_item(&self, item: &Item<'_>) -> bool {
        match (self, item.value) {
            (Self::Any, _) => true,
            (Self::Among(values), ItemValue::Number(value)) => {
                values.binary_search(&value.into()).is_ok()
            }
            (Self::Among(values), ItemValue::Signed(value)) => {
                let value = u64::from(value.cast_unsigned());
                values.binary_search(&value).is_ok()
            }
            (Self::Text(matcher), ItemValue::Text(text)) => matcher.fits(text),
            (Self::Memory(matcher), ItemValue::Memory(block)) => {
                matcher.fits_any_case(&in_hexadecimal(block))
            }
            _ => false,
        }
    }
}

/// A block of memory as a spec names it: two digits a byte.
pub(super) fn in_hexadecimal(block: &[u8]) -> String {
    block.iter().map(|byte| format!("{byte:02x}")).collect()
}
