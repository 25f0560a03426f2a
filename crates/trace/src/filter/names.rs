//! Conditions on names of contexts and kinds.

use super::ast::{Comparator, FieldCondition, FilterValue};
use super::binder::{Binder, Result};
use super::glob::Glob;
use super::quantity::Quantity;
use super::set::BitSet;
use crate::{Context, ContextKind, EventKind, EventKindId, ObjectClass, Trace};
use std::borrow::Cow;

/// A condition on a name.
pub(super) struct NameTest<'e> {
    /// Whether the name must match none of the matchers.
    pub(super) negated: bool,
    pub(super) matchers: Vec<NameMatcher<'e>>,
}

/// Matches one name, or several.
pub(super) enum NameMatcher<'e> {
    /// One exact name.
    Exact(&'e FilterValue),
    /// The names that match a pattern.
    Pattern(Glob),
}

impl<'e> NameTest<'e> {
    /// Names that match a pattern.
    pub(super) fn like(pattern: Glob) -> Self {
        Self {
            negated: false,
            matchers: vec![NameMatcher::Pattern(pattern)],
        }
    }

    /// In addition, what has the number that a text is, if it is one.
    pub(super) fn or_number(mut self, text: &'e FilterValue) -> Self {
        let exact = NameMatcher::Exact(text);
        if exact.as_number().is_some() {
            self.matchers.push(exact);
        }
        self
    }

    /// `None` for conditions on numbers.
    pub(super) fn new(condition: &'e FieldCondition) -> Option<Self> {
        let (negated, matcher) = match condition {
            FieldCondition::Among(values) => {
                let matcher = values.iter().map(NameMatcher::Exact).collect();
                (false, matcher)
            }
            FieldCondition::Compare(comparator, value) => {
                let text = || String::from_utf8_lossy(value.literal.bytes());
                match comparator {
                    Comparator::Equal => (false, vec![NameMatcher::Exact(value)]),
                    Comparator::NotEqual => (true, vec![NameMatcher::Exact(value)]),
                    Comparator::Like => (false, vec![NameMatcher::Pattern(Glob::new(&text()))]),
                    Comparator::Unlike => (true, vec![NameMatcher::Pattern(Glob::new(&text()))]),
                    _ => return None,
                }
            }
            FieldCondition::Range { .. } | FieldCondition::Bits(_) => return None,
        };
        Some(Self {
            negated,
            matchers: matcher,
        })
    }
}

impl NameMatcher<'_> {
    /// The number that it is, if any.
    pub(super) fn as_number(&self) -> Option<u64> {
        match Quantity::parse(self.as_word()?) {
            Ok(Quantity::Plain(number)) => Some(number),
            _ => None,
        }
    }

    /// The bare word that it is, if any.
    pub(super) fn as_word(&self) -> Option<&str> {
        match self {
            Self::Exact(value) => value.literal.word(),
            Self::Pattern(_) => None,
        }
    }

    /// Whether a name matches: `shown` is its display form, `raw` what the
    /// target wrote.
    pub(super) fn matches(&self, shown: &str, raw: &[u8]) -> bool {
        match self {
            Self::Exact(value) => {
                let matcher = value.literal.bytes();
                matcher == shown.as_bytes() || matcher == raw
            }
            Self::Pattern(glob) => {
                let differs = shown.as_bytes() != raw;
                glob.matches(shown) || differs && glob.matches(&String::from_utf8_lossy(raw))
            }
        }
    }

    /// Whether a name matches, ignoring case.
    pub(super) fn matches_ignoring_case(&self, name: &str) -> bool {
        match self {
            Self::Exact(value) => value.literal.bytes().eq_ignore_ascii_case(name.as_bytes()),
            Self::Pattern(glob) => glob.matches(name),
        }
    }

    /// The value that must exist: a name, not a number.
    pub(super) fn required_name(&self) -> Option<&FilterValue> {
        match self {
            Self::Exact(value) if self.as_number().is_none() => Some(value),
            _ => None,
        }
    }
}

/// The numbers of the contexts that satisfy a condition.
pub(super) fn contexts(binder: &Binder<'_, '_>, test: &NameTest<'_>) -> Result<BitSet> {
    let trace = binder.trace;
    let mut members = vec![false; trace.contexts.len()];
    for matcher in &test.matchers {
        let mut found = false;
        let contexts = trace.contexts.iter().zip(binder.context_names());
        for (member, (context, shown)) in members.iter_mut().zip(contexts) {
            let fits = matches_context(matcher, trace, context, shown);
            *member |= fits;
            found |= fits;
        }
        if let Some(value) = matcher.required_name().filter(|_| !found) {
            let names = binder.context_names().iter().map(String::as_str);
            let names = ["interrupt", "initialize", "idle"].into_iter().chain(names);
            let name = value.literal.bytes();
            binder.unknown_name("context", name, value.span, names)?;
        }
    }
    let members = members.iter().map(|member| *member != test.negated);
    Ok(BitSet::from_members(members))
}

fn matches_context(
    matcher: &NameMatcher<'_>,
    trace: &Trace,
    context: &Context,
    shown: &str,
) -> bool {
    let fixed = match context.kind {
        ContextKind::Interrupt => Some("interrupt"),
        ContextKind::Initialize => Some("initialize"),
        ContextKind::Idle => Some("idle"),
        ContextKind::Thread => None,
    };
    let is_fixed = || {
        let word = matcher.as_word().zip(fixed);
        word.is_some_and(|(word, fixed)| word.eq_ignore_ascii_case(fixed))
    };
    let object = context.object.and_then(|id| trace.objects.get(id));
    let raw = object.filter(|object| !object.name.is_empty());
    let raw = raw.map_or(shown.as_bytes(), |object| object.name.as_bytes());
    let addressed = matcher.as_number() == Some(context.address.0);
    addressed || matcher.matches(shown, raw) || is_fixed()
}

/// The names of a kind.
type KindLabels<'t> = [Option<Cow<'t, str>>; 2];

/// The kinds whose name or symbol satisfies a condition.
pub(super) fn kinds(binder: &Binder<'_, '_>, test: &NameTest<'_>) -> Result<BitSet> {
    let catalogue = &binder.trace.catalogue;
    let labels = |id| {
        let symbol = catalogue.get(id).map(|kind| kind.symbol.as_ref());
        let symbol = symbol.filter(|symbol| !symbol.is_empty());
        [Some(catalogue.name(id)), symbol.map(Cow::Borrowed)]
    };
    kinds_with_label(binder, test, "kind", &[], true, labels)
}

/// The kinds whose component satisfies a condition.
pub(super) fn components(binder: &Binder<'_, '_>, test: &NameTest<'_>) -> Result<BitSet> {
    let catalogue = &binder.trace.catalogue;
    let labels = |id| [Some(Cow::Borrowed(catalogue.component(id))), None];
    let known: &[_] = match catalogue.has_user_numbers() {
        true => &["unknown", "user"],
        false => &["unknown"],
    };
    kinds_with_label(binder, test, "component", known, false, labels)
}

/// The kinds whose object class satisfies a condition.
pub(super) fn classes(binder: &Binder<'_, '_>, test: &NameTest<'_>) -> Result<BitSet> {
    let catalogue = &binder.trace.catalogue;
    let class = |id| catalogue.get(id).and_then(EventKind::object_class);
    let labels = |id| [class(id).map(|class| Cow::Borrowed(class.name())), None];
    let all: Vec<_> = ObjectClass::ALL.iter().map(|class| class.name()).collect();
    kinds_with_label(binder, test, "object class", &all, false, labels)
}

/// The kinds with a label that satisfies a condition, by their indices in the
/// table; kinds without labels never do. The names in `known` are valid without
/// a kind.
fn kinds_with_label<'t>(
    binder: &Binder<'_, 't>,
    test: &NameTest<'_>,
    what: &'static str,
    known: &[&'static str],
    numbered: bool,
    labels: impl Fn(EventKindId) -> KindLabels<'t>,
) -> Result<BitSet> {
    let kinds: Vec<_> = binder.kinds().iter().map(|id| (id, labels(id))).collect();
    let mut members = vec![false; kinds.len()];
    for matcher in &test.matchers {
        let number = matcher.as_number().filter(|_| numbered);
        let mut found = known.iter().any(|name| matcher.matches_ignoring_case(name));
        for (member, (id, labels)) in members.iter_mut().zip(&kinds) {
            let mut labels_of_kind = labels.iter().flatten();
            let fits = number == Some(id.0.into())
                || labels_of_kind.any(|name| matcher.matches_ignoring_case(name));
            *member |= fits;
            found |= fits;
        }
        let required = match matcher {
            NameMatcher::Exact(value) if number.is_none() => Some(value),
            _ => None,
        };
        if let Some(value) = required.filter(|_| !found) {
            let labels_of_kind = kinds.iter().flat_map(|(_, labels)| labels.iter().flatten());
            let known = known.iter().copied().map(Cow::Borrowed);
            let (name, span) = (value.literal.bytes(), value.span);
            binder.unknown_name(what, name, span, known.chain(labels_of_kind.cloned()))?;
        }
    }
    let labelled = kinds
        .iter()
        .map(|(_, labels)| labels.iter().any(Option::is_some));
    let members = members.iter().zip(labelled);
    Ok(BitSet::from_members(members.map(|(member, labelled)| {
        labelled && *member != test.negated
    })))
}
