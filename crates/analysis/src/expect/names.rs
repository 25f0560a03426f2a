//! Resolves the names of a spec in a trace.

use super::lexer::SpecToken;
use rtoscope_trace::filter::{Filter, FilterError, FilterProblem, Glob, Quantity};
use rtoscope_trace::quoted::Quoted;
use rtoscope_trace::render::IDLE_NAME;
use rtoscope_trace::{ContextKind, EventKindId, Name, ObjectClass, Trace};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// A value that a spec expects.
#[derive(Debug, Clone)]
pub(super) enum ExpectedValue {
    Any,
    /// One of these words: a number, or the words that a negative number can
    /// be.
    Number(Rc<[u64]>),
    Named(Rc<NameMatcher>),
}

/// A name, or a pattern for names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NameMatcher {
    /// As recorded or displayed.
    Exact(Vec<u8>),
    Pattern(Glob),
}

impl ExpectedValue {
    pub(super) fn parse(token: &SpecToken) -> Self {
        let Some(word) = token.bare() else {
            return Self::Named(Rc::new(NameMatcher::Exact(token.bytes.clone())));
        };
        let number = |word| match Quantity::parse(word) {
            Ok(Quantity::Plain(number)) => Some(number),
            _ => None,
        };
        if word == "*" {
            return Self::Any;
        }
        if let Some(number) = number(word) {
            return Self::Number([number].into());
        }
        if let Some(number) = word.strip_prefix('-').and_then(number) {
            // In words of 8 bytes and of 4.
            let wide = number.wrapping_neg();
            let narrow = u32::try_from(number).ok().map(u32::wrapping_neg);
            let both = [Some(wide), narrow.map(u64::from)];
            return Self::Number(both.into_iter().flatten().collect());
        }
        Self::Named(Rc::new(NameMatcher::parse(token)))
    }

    /// Whether it is a name that must exist: no pattern, no number.
    pub(super) fn is_exact_name(&self) -> bool {
        matches!(self, Self::Named(matcher) if matches!(**matcher, NameMatcher::Exact(_)))
    }
}

impl NameMatcher {
    /// Parses a pattern if it has wildcards; quotation marks make them literal.
    pub(super) fn parse(token: &SpecToken) -> Self {
        match token.bare() {
            Some(word) if word.contains(['*', '?']) => Self::Pattern(Glob::new(word)),
            _ => Self::Exact(token.bytes.clone()),
        }
    }

    /// Whether a name matches: `raw` is what the target wrote. Patterns ignore
    /// case.
    pub(super) fn matches(&self, raw: &[u8]) -> bool {
        let shown = || Name::new(raw).to_string();
        match self {
            // The displayed and the recorded name differ only by escapes.
            Self::Exact(expected) => {
                expected == raw || expected.contains(&b'\\') && *expected == shown().into_bytes()
            }
            Self::Pattern(glob) => glob.matches(&shown()),
        }
    }

    /// Whether a name matches, ignoring case.
    pub(super) fn matches_ignoring_case(&self, name: &str) -> bool {
        match self {
            Self::Exact(expected) => expected.eq_ignore_ascii_case(name.as_bytes()),
            Self::Pattern(glob) => glob.matches(name),
        }
    }
}

/// Looks names up in a trace and caches the results.
pub(super) struct NameResolver<'t> {
    pub(super) trace: &'t Trace,
    kinds: OnceCell<Vec<EventKindId>>,
    found: RefCell<HashMap<ObjectKey, Rc<[u64]>>>,
}

/// A name, whether it is quoted, and the class of the objects.
type ObjectKey = (Vec<u8>, bool, Option<ObjectClass>);

impl<'t> NameResolver<'t> {
    pub(super) fn new(trace: &'t Trace) -> Self {
        Self {
            trace,
            kinds: OnceCell::new(),
            found: RefCell::default(),
        }
    }

    /// The kinds of the catalogue, and those that occur without being in it, by
    /// number.
    pub(super) fn kinds(&self) -> &[EventKindId] {
        self.kinds.get_or_init(|| {
            let catalogue = &self.trace.catalogue;
            let mut kinds: BTreeSet<EventKindId> = catalogue.iter().map(|kind| kind.id).collect();
            let mut last = None;
            self.trace.events.kinds().for_each(|id| {
                if last != Some(id) {
                    kinds.insert(id);
                    last = Some(id);
                }
            });
            kinds.into_iter().collect()
        })
    }

    /// The kinds with that name; if there are none, those of the groups with
    /// that name.
    pub(super) fn kinds_of(&self, token: &SpecToken) -> Rc<[EventKindId]> {
        let catalogue = &self.trace.catalogue;
        let select = |fits: &dyn Fn(EventKindId) -> bool| -> Rc<[EventKindId]> {
            let kinds = self.kinds().iter().copied();
            kinds.filter(|id| fits(*id)).collect()
        };
        if let Some(Ok(Quantity::Plain(number))) = token.bare().map(Quantity::parse) {
            // The kind need neither occur nor be in the catalogue.
            let number = u32::try_from(number).ok();
            return number.map(EventKindId).into_iter().collect();
        }
        let plain = NameMatcher::parse(token);
        let spaced = match token.quoted {
            true => plain.clone(),
            false => NameMatcher::parse(&SpecToken {
                bytes: dots_to_spaces(&token.text()).into(),
                ..token.clone()
            }),
        };
        let kinds = select(&|id| {
            let name = catalogue.name(id);
            let symbol = catalogue.get(id).map_or("", |kind| &kind.symbol);
            let symbol = Some(symbol).filter(|symbol| !symbol.is_empty());
            plain.matches_ignoring_case(&name)
                || spaced.matches_ignoring_case(&dots_to_spaces(&name))
                || symbol.is_some_and(|symbol| plain.matches_ignoring_case(symbol))
        });
        if !kinds.is_empty() {
            return kinds;
        }
        select(&|id| plain.matches_ignoring_case(catalogue.component(id)))
    }

    /// The addresses of the objects with a matching name: those of a class, or
    /// all.
    pub(super) fn addresses(
        &self,
        token: &SpecToken,
        matcher: &NameMatcher,
        class: Option<ObjectClass>,
    ) -> Rc<[u64]> {
        let key = (token.bytes.clone(), token.quoted, class);
        if let Some(found) = self.found.borrow().get(&key) {
            return Rc::clone(found);
        }
        let has_null = !class.is_some_and(ObjectClass::is_numbered);
        let fits_null = has_null && !token.quoted && matcher.matches(NO_OBJECT);
        // An object with that name must be quoted.
        let only_null = fits_null && token.bytes == NO_OBJECT;
        let objects = self.trace.objects.iter().filter(|_| !only_null);
        let of_class =
            objects.filter(|object| class.is_none_or(|class| class.may_be(object.class)));
        let named = of_class.filter(|object| {
            // As with displayed values: an object without a name is shown by
            // its address.
            !object.name.is_empty() && matcher.matches(object.name.as_bytes())
        });
        let mut addresses: BTreeSet<u64> = named.map(|object| object.address.0).collect();
        if fits_null {
            addresses.insert(0);
        }
        let addresses: Rc<[u64]> = addresses.into_iter().collect();
        let mut found = self.found.borrow_mut();
        found.insert(key, Rc::clone(&addresses));
        addresses
    }

    /// The addresses of the matching names of contexts; 0 for the idle loop's.
    pub(super) fn context_names(&self, matcher: &NameMatcher) -> Rc<[u64]> {
        let of_threads = self.trace.objects.iter();
        let of_threads = of_threads.map(|object| (object.address, &object.name));
        let named = of_threads.chain(self.trace.contexts.names());
        let named = named.filter(|(_, name)| matcher.matches(name.as_bytes()));
        let mut addresses: BTreeSet<u64> = named.map(|(address, _)| address.0).collect();
        if matcher.matches(IDLE_NAME.as_bytes()) {
            addresses.insert(0);
        }
        addresses.into_iter().collect()
    }

    /// The numbers of the contexts with a matching name.
    pub(super) fn contexts(&self, matcher: &NameMatcher) -> Rc<[u64]> {
        let contexts = self.trace.contexts.iter();
        let fitting = contexts.filter(|context| {
            let fixed = match context.kind {
                ContextKind::Interrupt => "interrupt",
                ContextKind::Initialize => "initialize",
                ContextKind::Idle => "idle",
                ContextKind::Thread => {
                    let object = context.object.and_then(|id| self.trace.objects.get(id));
                    let named = object.filter(|object| !object.name.is_empty());
                    return named.is_some_and(|object| matcher.matches(object.name.as_bytes()));
                }
            };
            let shown = self.trace.context_name(context.id);
            matcher.matches_ignoring_case(fixed) || matcher.matches_ignoring_case(&shown)
        });
        fitting.map(|context| u64::from(context.id.0)).collect()
    }

    /// The numbers of the contexts with one of these addresses.
    pub(super) fn contexts_at(&self, addresses: &[u64]) -> Rc<[u64]> {
        let contexts = self.trace.contexts.iter();
        let there = contexts.filter(|context| addresses.contains(&context.address.0));
        there.map(|context| u64::from(context.id.0)).collect()
    }

    /// Existing names that are similar to an unknown one.
    pub(super) fn closest_names(&self, vocabulary: NameDomain<'_>, name: &str) -> Vec<String> {
        let (field, what) = match vocabulary {
            NameDomain::Kinds => ("kind".to_owned(), "kind"),
            NameDomain::Groups => ("component".to_owned(), "component"),
            NameDomain::Contexts => ("context".to_owned(), "context"),
            NameDomain::Objects => ("object".to_owned(), "object"),
            NameDomain::Arguments => (argument_field(name), "argument"),
            NameDomain::Values(argument) => (argument_field(argument), "value of this argument"),
        };
        let filter = Filter::parse(&format!("{field} == {}", quote(name.as_bytes())));
        let bound = filter.and_then(|filter| filter.bind(self.trace).map(|_| ()));
        match bound.as_ref().map_err(FilterError::problem) {
            Err(FilterProblem::UnknownName {
                noun: unknown,
                closest,
                ..
            }) if *unknown == what => closest.clone(),
            _ => Vec::new(),
        }
    }
}

/// The set of names to search for similar ones, as in the filter language.
#[derive(Debug, Clone, Copy)]
pub(super) enum NameDomain<'n> {
    Kinds,
    Groups,
    Contexts,
    Objects,
    Arguments,
    /// Values of this argument.
    Values(&'n str),
}

/// How a null pointer to an object is displayed.
const NO_OBJECT: &[u8] = b"none";

/// Names of kinds have spaces, for which a spec has dots.
pub(super) fn dots_to_spaces(name: &str) -> String {
    name.replace('.', " ")
}

/// Quotes a text, as in filters and specs.
pub(super) fn quote(text: &[u8]) -> String {
    Quoted(&Name::new(text)).to_string()
}

/// The field of the filter language that stands for an argument.
fn argument_field(name: &str) -> String {
    format!("arg.{}", quote(name.as_bytes()))
}
