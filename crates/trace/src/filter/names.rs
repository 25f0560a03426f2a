//! Conditions on names of contexts and kinds.

use super::ast::{Comparator, FieldCondition, FilterValue};
use super::binder::{FilterBinder, Result};
use super::glob::Glob;
use super::quantity::Quantity;
use super::set::BitSet;
use crate::{Context, ContextKind, EventKind, EventKindId, Name, ObjectClass, Trace};
use std::borrow::Cow;

/// A condition on a name.
pub(super) struct NameTest {
    /// Whether the name must match none of the matchers.
    pub(super) negated: bool,
    pub(super) matchers: Vec<NameMatcher>,
}

/// Matches one name, or several.
#[derive(Debug, Clone)]
pub(super) enum NameMatcher {
    /// One exact name.
    Exact(FilterValue),
    /// The names that match a pattern.
    Pattern(Glob),
}

impl From<NameMatcher> for NameTest {
    fn from(matcher: NameMatcher) -> Self {
        Self {
            negated: false,
            matchers: vec![matcher],
        }
    }
}

impl NameTest {
    /// In addition, what has the number that a text is, if it is one.
    pub(super) fn or_number(mut self, text: &FilterValue) -> Self {
        let exact = NameMatcher::Exact(text.clone());
        if exact.as_number().is_some() {
            self.matchers.push(exact);
        }
        self
    }

    /// `None` for conditions on numbers.
    pub(super) fn new(condition: &FieldCondition) -> Option<Self> {
        let exact = |value: &FilterValue| NameMatcher::Exact(value.clone());
        let (negated, matchers) = match condition {
            FieldCondition::Among(values) => (false, values.iter().map(exact).collect()),
            FieldCondition::Compare(comparator, value) => {
                let like = || NameMatcher::Pattern(Glob::new(&value.text()));
                match comparator {
                    Comparator::Equal => (false, vec![exact(value)]),
                    Comparator::NotEqual => (true, vec![exact(value)]),
                    Comparator::Like => (false, vec![like()]),
                    Comparator::Unlike => (true, vec![like()]),
                    _ => return None,
                }
            }
            FieldCondition::Range { .. } | FieldCondition::Bits(_) => return None,
        };
        Some(Self { negated, matchers })
    }
}

impl NameMatcher {
    /// A pattern if the value has wildcards, else an exact name.
    pub(super) fn new(value: &FilterValue) -> Self {
        match value.is_pattern() {
            true => Self::Pattern(Glob::new(&value.text())),
            false => Self::Exact(value.clone()),
        }
    }

    /// The number that it is, if any.
    pub(super) fn as_number(&self) -> Option<u64> {
        parse_number(self.as_word()?)
    }

    /// The words of 8 and of 4 bytes that a negative number is.
    pub(super) fn as_negative(&self) -> [Option<u64>; 2] {
        let digits = self.as_word().and_then(|word| word.strip_prefix('-'));
        let number = digits.and_then(parse_number);
        let narrow = number.and_then(|number| u32::try_from(number).ok());
        let narrow = narrow.map(|number| u64::from(number.wrapping_neg()));
        [number.map(u64::wrapping_neg), narrow]
    }

    /// The bare word that it is, if any.
    pub(super) fn as_word(&self) -> Option<&str> {
        match self {
            Self::Exact(value) => value.literal.word(),
            Self::Pattern(_) => None,
        }
    }

    /// Whether a name that the target wrote matches, as recorded or as displayed.
    pub(super) fn matches(&self, recorded: &[u8]) -> bool {
        let shown = || Name::new(recorded).to_string();
        match self {
            // Both differ only by escapes.
            Self::Exact(value) => {
                let wanted = value.literal.bytes();
                wanted == recorded || wanted.contains(&b'\\') && wanted == shown().as_bytes()
            }
            Self::Pattern(glob) => {
                let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && *byte != b'\\';
                glob.matches(&String::from_utf8_lossy(recorded))
                    || !recorded.iter().all(is_plain) && glob.matches(&shown())
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
        let is_number = self.as_number().is_some() || self.as_negative() != [None, None];
        match self {
            Self::Exact(value) if !is_number => Some(value),
            _ => None,
        }
    }
}

fn parse_number(word: &str) -> Option<u64> {
    match Quantity::parse(word) {
        Ok(Quantity::Plain(number)) => Some(number),
        _ => None,
    }
}

/// The numbers of the contexts that satisfy a condition.
pub(super) fn contexts(binder: &FilterBinder<'_>, test: &NameTest) -> Result<BitSet> {
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

fn matches_context(matcher: &NameMatcher, trace: &Trace, context: &Context, shown: &str) -> bool {
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
    addressed || matcher.matches(raw) || matcher.matches(shown.as_bytes()) || is_fixed()
}

/// The names of a kind.
type KindLabels<'t> = [Option<Cow<'t, str>>; 3];

/// The kinds whose name or symbol satisfies a condition. A name may have dots for
/// spaces. A missing name is unknown as `noun`, if there is one.
pub(super) fn kinds(
    binder: &FilterBinder<'_>,
    test: &NameTest,
    noun: Option<&'static str>,
) -> Result<BitSet> {
    let catalogue = &binder.trace.catalogue;
    let labels = |id| {
        let symbol = catalogue.get(id).map(|kind| kind.symbol.as_ref());
        let symbol = symbol.filter(|symbol| !symbol.is_empty());
        let name = catalogue.name(id);
        let dotted = name.contains(' ').then(|| name.replace(' ', "."));
        [
            dotted.map(Cow::Owned),
            Some(name),
            symbol.map(Cow::Borrowed),
        ]
    };
    kinds_with_label(binder, test, noun, &[], true, labels)
}

/// The kinds whose component satisfies a condition.
pub(super) fn components(
    binder: &FilterBinder<'_>,
    test: &NameTest,
    noun: Option<&'static str>,
) -> Result<BitSet> {
    let catalogue = &binder.trace.catalogue;
    let labels = |id| [Some(Cow::Borrowed(catalogue.component(id))), None, None];
    let known: &[_] = match catalogue.has_user_numbers() {
        true => &["unknown", "user"],
        false => &["unknown"],
    };
    kinds_with_label(binder, test, noun, known, false, labels)
}

/// The kinds whose object class satisfies a condition.
pub(super) fn classes(binder: &FilterBinder<'_>, test: &NameTest) -> Result<BitSet> {
    let catalogue = &binder.trace.catalogue;
    let class = |id| catalogue.get(id).and_then(EventKind::object_class);
    let labels = |id| {
        [
            class(id).map(|class| Cow::Borrowed(class.name())),
            None,
            None,
        ]
    };
    let all: Vec<_> = ObjectClass::ALL.iter().map(|class| class.name()).collect();
    kinds_with_label(binder, test, Some("object class"), &all, false, labels)
}

/// The kinds with a label that satisfies a condition, by their indices in the
/// table; kinds without labels never do. The names in `known` are valid without
/// a kind. Other names without a kind are unknown, as `noun`.
fn kinds_with_label<'t>(
    binder: &FilterBinder<'t>,
    test: &NameTest,
    noun: Option<&'static str>,
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
        if let (NameMatcher::Exact(value), None, false, Some(noun)) = (matcher, number, found, noun)
        {
            // The name with dots needs no quotes.
            let shown = |[first, second, symbol]: &KindLabels<'t>| {
                let name = first.as_ref().or(second.as_ref());
                name.into_iter().chain(symbol).cloned().collect::<Vec<_>>()
            };
            let labels_of_kind = kinds.iter().flat_map(|(_, labels)| shown(labels));
            let known = known.iter().copied().map(Cow::Borrowed);
            let (name, span) = (value.literal.bytes(), value.span);
            binder.unknown_name(noun, name, span, known.chain(labels_of_kind))?;
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
