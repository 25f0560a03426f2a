//! Which contexts and kinds have the names that a filter wants.

use super::ast::{Comparator, Condition, Value};
use super::bind::{Binder, Result};
use super::glob::Glob;
use super::quantity::Quantity;
use super::set::BitSet;
use crate::{Context, ContextKind, Kind, KindId, ObjectClass, Trace};
use std::borrow::Cow;

/// What is asked of a name.
pub(super) struct NameTest<'e> {
    /// Whether it must be none of those that are wanted.
    pub(super) negated: bool,
    pub(super) wanted: Vec<Wanted<'e>>,
}

/// A name, or names, that a filter wants.
pub(super) enum Wanted<'e> {
    /// Exactly this one.
    Exact(&'e Value),
    /// Those that fit.
    Pattern(Glob),
}

impl<'e> NameTest<'e> {
    /// `None` for conditions that only numbers fulfil.
    pub(super) fn new(condition: &'e Condition) -> Option<Self> {
        let (negated, wanted) = match condition {
            Condition::Among(values) => {
                let wanted = values.iter().map(Wanted::Exact).collect();
                (false, wanted)
            }
            Condition::Compare(comparator, value) => {
                let text = || String::from_utf8_lossy(value.literal.bytes());
                match comparator {
                    Comparator::Equal => (false, vec![Wanted::Exact(value)]),
                    Comparator::NotEqual => (true, vec![Wanted::Exact(value)]),
                    Comparator::Like => (false, vec![Wanted::Pattern(Glob::new(&text()))]),
                    Comparator::Unlike => (true, vec![Wanted::Pattern(Glob::new(&text()))]),
                    _ => return None,
                }
            }
            Condition::Range { .. } | Condition::Bits(_) => return None,
        };
        Some(Self { negated, wanted })
    }
}

impl Wanted<'_> {
    /// The number that it also, or only, is.
    pub(super) fn number(&self) -> Option<u64> {
        match Quantity::read(self.word()?) {
            Ok(Quantity::Plain(number)) => Some(number),
            _ => None,
        }
    }

    /// The bare word that it is.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Self::Exact(value) => value.literal.word(),
            Self::Pattern(_) => None,
        }
    }

    /// Whether a name is wanted, of which `shown` is how people see it and
    /// `raw` what the target wrote.
    pub(super) fn fits(&self, shown: &str, raw: &[u8]) -> bool {
        match self {
            Self::Exact(value) => {
                let wanted = value.literal.bytes();
                wanted == shown.as_bytes() || wanted == raw
            }
            Self::Pattern(glob) => {
                let differs = shown.as_bytes() != raw;
                glob.matches(shown) || differs && glob.matches(&String::from_utf8_lossy(raw))
            }
        }
    }

    /// Whether a name is wanted in which case does not count.
    pub(super) fn fits_any_case(&self, name: &str) -> bool {
        match self {
            Self::Exact(value) => value.literal.bytes().eq_ignore_ascii_case(name.as_bytes()),
            Self::Pattern(glob) => glob.matches(name),
        }
    }

    /// The value that must exist: a name, not a number.
    pub(super) fn required(&self) -> Option<&Value> {
        match self {
            Self::Exact(value) if self.number().is_none() => Some(value),
            _ => None,
        }
    }
}

/// The contexts that fulfil a condition, by their numbers.
pub(super) fn contexts(binder: &Binder<'_, '_>, test: &NameTest<'_>) -> Result<BitSet> {
    let trace = binder.trace;
    let mut members = vec![false; trace.contexts.len()];
    for wanted in &test.wanted {
        let mut found = false;
        let contexts = trace.contexts.iter().zip(binder.context_names());
        for (member, (context, shown)) in members.iter_mut().zip(contexts) {
            let fits = fits_context(wanted, trace, context, shown);
            *member |= fits;
            found |= fits;
        }
        if let Some(value) = wanted.required().filter(|_| !found) {
            let names = binder.context_names().iter().map(String::as_str);
            let names = ["interrupt", "initialize", "idle"].into_iter().chain(names);
            let name = value.literal.bytes();
            binder.unknown("context", name, value.place, names)?;
        }
    }
    let members = members.iter().map(|member| *member != test.negated);
    Ok(BitSet::of(members))
}

fn fits_context(wanted: &Wanted<'_>, trace: &Trace, context: &Context, shown: &str) -> bool {
    let fixed = match context.kind {
        ContextKind::Interrupt => Some("interrupt"),
        ContextKind::Initialize => Some("initialize"),
        ContextKind::Idle => Some("idle"),
        ContextKind::Thread => None,
    };
    let is_fixed = || {
        let word = wanted.word().zip(fixed);
        word.is_some_and(|(word, fixed)| word.eq_ignore_ascii_case(fixed))
    };
    let object = context.object.and_then(|id| trace.objects.get(id));
    let raw = object.filter(|object| !object.name.is_empty());
    let raw = raw.map_or(shown.as_bytes(), |object| object.name.as_bytes());
    let addressed = wanted.number() == Some(context.address.0);
    addressed || wanted.fits(shown, raw) || is_fixed()
}

/// The names of a kind that can be wanted.
type Labels<'t> = [Option<Cow<'t, str>>; 2];

/// The kinds of which the name or the symbol fulfils a condition.
pub(super) fn kinds(binder: &Binder<'_, '_>, test: &NameTest<'_>) -> Result<BitSet> {
    let catalogue = &binder.trace.catalogue;
    let labels = |id| {
        let symbol = catalogue.get(id).map(|kind| kind.symbol.as_ref());
        let symbol = symbol.filter(|symbol| !symbol.is_empty());
        [Some(catalogue.name(id)), symbol.map(Cow::Borrowed)]
    };
    by_kind(binder, test, "kind of event", &[], true, labels)
}

/// The kinds of which the component fulfils a condition.
pub(super) fn components(binder: &Binder<'_, '_>, test: &NameTest<'_>) -> Result<BitSet> {
    let catalogue = &binder.trace.catalogue;
    let labels = |id| [Some(Cow::Borrowed(catalogue.component(id))), None];
    by_kind(binder, test, "component", &["unknown"], false, labels)
}

/// The kinds of which the object's class fulfils a condition.
pub(super) fn classes(binder: &Binder<'_, '_>, test: &NameTest<'_>) -> Result<BitSet> {
    let catalogue = &binder.trace.catalogue;
    let class = |id| catalogue.get(id).and_then(Kind::object_class);
    let labels = |id| [class(id).map(|class| Cow::Borrowed(class.name())), None];
    let all: Vec<_> = ObjectClass::ALL.iter().map(|class| class.name()).collect();
    by_kind(binder, test, "class of objects", &all, false, labels)
}

/// The kinds of which a label fulfils a condition, by their numbers in the
/// table; those without labels never do. The names in `known` need no kind.
fn by_kind<'t>(
    binder: &Binder<'_, 't>,
    test: &NameTest<'_>,
    what: &'static str,
    known: &[&'static str],
    numbered: bool,
    labels: impl Fn(KindId) -> Labels<'t>,
) -> Result<BitSet> {
    let kinds: Vec<_> = binder.kinds().iter().map(|id| (id, labels(id))).collect();
    let mut members = vec![false; kinds.len()];
    for wanted in &test.wanted {
        let number = wanted.number().filter(|_| numbered);
        let mut found = known.iter().any(|name| wanted.fits_any_case(name));
        for (member, (id, labels)) in members.iter_mut().zip(&kinds) {
            let mut given = labels.iter().flatten();
            let fits = number == Some(id.0.into()) || given.any(|name| wanted.fits_any_case(name));
            *member |= fits;
            found |= fits;
        }
        let required = match wanted {
            Wanted::Exact(value) if number.is_none() => Some(value),
            _ => None,
        };
        if let Some(value) = required.filter(|_| !found) {
            let given = kinds.iter().flat_map(|(_, labels)| labels.iter().flatten());
            let known = known.iter().copied().map(Cow::Borrowed);
            let (name, place) = (value.literal.bytes(), value.place);
            binder.unknown(what, name, place, known.chain(given.cloned()))?;
        }
    }
    let labelled = kinds
        .iter()
        .map(|(_, labels)| labels.iter().any(Option::is_some));
    let members = members.iter().zip(labelled);
    Ok(BitSet::of(members.map(|(member, labelled)| {
        labelled && *member != test.negated
    })))
}
