//! Conditions on arguments.

use super::ast::{FieldCondition, FilterValue, argument_name};
use super::binder::{Binder, Result};
use super::bound::ArgumentTest;
use super::names::{NameMatcher, NameTest};
use super::set::{ValueRange, ValueSet, single_value};
use super::span::Span;
use crate::catalogue::{ArgumentDef, Meaning};
use crate::render::IDLE_NAME;
use crate::{EventKind, ObjectClass};
use std::borrow::Cow;
use std::net::Ipv4Addr;

/// How the pool of an event without a pool is displayed.
const STATIC_EVENT: &str = "static";

/// How a null pointer to an object is displayed.
const NO_OBJECT: &str = "none";

/// A condition on any object among the arguments.
pub(super) fn objects(binder: &Binder<'_, '_>, test: &NameTest<'_>) -> Result<ArgumentTest> {
    for matcher in &test.matchers {
        let mut found = matches_null(matcher);
        found |= addresses(binder, matcher, None).next().is_some();
        if let Some(value) = matcher.required_name().filter(|_| !found) {
            let names = binder.object_names().iter().map(String::as_str);
            binder.unknown_name("object", value.literal.bytes(), value.span, names)?;
        }
    }
    let mut sets = ValueSets::default();
    let arguments = arguments_by_kind(binder, |kind| {
        let arguments = (0_u8..).zip(kind.all_arguments());
        let objects = arguments.filter_map(|(position, argument)| {
            let meaning = argument?.meaning;
            meaning.object_class()?;
            Some((position, meaning))
        });
        let tested = objects.map(|(position, meaning)| {
            let set = sets.insert(meaning, || {
                let matchers = test.matchers.iter();
                ValueSet::from_ranges(
                    matchers.flat_map(|matcher| matching_ranges(binder, matcher, meaning)),
                )
            });
            (position, set)
        });
        tested.collect()
    });
    Ok(ArgumentTest {
        negated: test.negated,
        arguments,
        sets: sets.sets,
    })
}

/// A text among all arguments, by what they show; a number also among their values.
pub(super) fn containing(binder: &Binder<'_, '_>, test: &NameTest<'_>) -> ArgumentTest {
    let mut sets = ValueSets::default();
    let arguments = arguments_by_kind(binder, |kind| {
        let arguments = (0_u8..).zip(kind.all_arguments());
        let tested = arguments.filter_map(|(position, argument)| {
            let meaning = argument?.meaning;
            let set = sets.insert(meaning, || {
                let matchers = test.matchers.iter();
                let ranges = matchers.flat_map(|matcher| matching_ranges(binder, matcher, meaning));
                // "none" contains short texts that name no object.
                let is_null = |range: &ValueRange| has_null(meaning) && *range == single_value(0);
                ValueSet::from_ranges(ranges.filter(|range| !is_null(range)))
            });
            Some((position, set))
        });
        tested.collect()
    });
    ArgumentTest {
        negated: false,
        arguments,
        sets: sets.sets,
    }
}

/// A condition on the argument with a name.
pub(super) fn named(
    binder: &Binder<'_, '_>,
    name: &str,
    span: Span,
    condition: &FieldCondition,
) -> Result<ArgumentTest> {
    let known = || {
        let kinds = binder.trace.catalogue.iter();
        kinds.flat_map(|kind| kind.all_arguments().flatten())
    };
    let has_name = |argument: &ArgumentDef| argument_name(&argument.name) == name;
    if !known().any(has_name) {
        let names = known().map(|argument| argument_name(&argument.name));
        binder.unknown_name("argument", name.as_bytes(), span, names)?;
    }
    let test = NameTest::new(condition);
    if let Some(test) = &test {
        let meanings: Vec<_> = known().filter(|argument| has_name(argument)).collect();
        for matcher in &test.matchers {
            let value = matcher.required_name();
            if let Some(value) = value.filter(|_| !resolves(binder, matcher, &meanings)) {
                unknown_value(binder, value, &meanings)?;
            }
        }
    }
    let numbers = match &test {
        Some(_) => ValueSet::from_ranges([]),
        None => binder.matching_numbers(condition)?,
    };
    let mut sets = ValueSets::default();
    let arguments = arguments_by_kind(binder, |kind| {
        let mut arguments = (0_u8..).zip(kind.all_arguments());
        let found = arguments.find_map(|(position, argument)| {
            let argument = argument?;
            has_name(argument).then_some((position, argument.meaning))
        });
        let tested = found.map(|(position, meaning)| {
            let set = sets.insert(meaning, || match &test {
                None => numbers.clone(),
                Some(test) => {
                    let matchers = test.matchers.iter();
                    ValueSet::from_ranges(
                        matchers.flat_map(|matcher| matching_ranges(binder, matcher, meaning)),
                    )
                }
            });
            (position, set)
        });
        tested.into_iter().collect()
    });
    Ok(ArgumentTest {
        negated: test.is_some_and(|test| test.negated),
        arguments,
        sets: sets.sets,
    })
}

/// Sets of values, shared by arguments with the same meaning.
#[derive(Default)]
struct ValueSets {
    meanings: Vec<Meaning>,
    sets: Vec<ValueSet>,
}

impl ValueSets {
    fn insert(&mut self, meaning: Meaning, set: impl FnOnce() -> ValueSet) -> u32 {
        let found = self.meanings.iter().position(|known| *known == meaning);
        let number = found.unwrap_or_else(|| {
            self.meanings.push(meaning);
            self.sets.push(set());
            self.sets.len() - 1
        });
        u32::try_from(number).unwrap_or(u32::MAX)
    }
}

/// The tested arguments of each kind, by its index in the table.
fn arguments_by_kind(
    binder: &Binder<'_, '_>,
    arguments: impl FnMut(&EventKind) -> Box<[(u8, u32)]>,
) -> Vec<Box<[(u8, u32)]>> {
    // Assigns indices to the kinds, the catalogue's first and in its order.
    binder.kinds();
    binder.trace.catalogue.iter().map(arguments).collect()
}

/// The matching values of a meaning.
fn matching_ranges(
    binder: &Binder<'_, '_>,
    matcher: &NameMatcher<'_>,
    meaning: Meaning,
) -> Vec<ValueRange> {
    let number = matcher.as_number().map(single_value);
    let named: Vec<_> = match meaning {
        Meaning::Object(class) => addresses(binder, matcher, Some(class)).collect(),
        Meaning::AnyObject => addresses(binder, matcher, None).collect(),
        Meaning::ContextName => {
            let idle = matcher.matches_ignoring_case(IDLE_NAME).then_some(0);
            let named = addresses(binder, matcher, Some(ObjectClass::Thread));
            idle.into_iter().chain(named).collect()
        }
        Meaning::Named(names) => {
            let fitting = names
                .values
                .iter()
                .filter(|(_, name)| matcher.matches_ignoring_case(name));
            fitting.map(|(value, _)| *value).collect()
        }
        Meaning::EventPool => {
            let pools = addresses(binder, matcher, Some(ObjectClass::EventPool));
            let is_static = matcher.matches_ignoring_case(STATIC_EVENT).then_some(0);
            is_static
                .into_iter()
                .chain(pools.map(|pool| pool + 1))
                .collect()
        }
        Meaning::Text => {
            let texts = binder.texts().iter();
            let fitting = texts.filter(|(_, shown, raw)| matcher.matches(shown, raw));
            fitting.map(|(span, ..)| *span).collect()
        }
        // By the function that contains it.
        Meaning::Code => {
            let functions = binder.trace.code_locations.iter().filter_map(|span| {
                let name = span.function.as_ref()?;
                Some((span.address.0, name.to_string(), name.as_bytes()))
            });
            let fitting = functions.filter(|(_, shown, raw)| matcher.matches(shown, raw));
            fitting.map(|(address, ..)| address).collect()
        }
        Meaning::Ipv4 => {
            let address = matcher
                .as_word()
                .and_then(|word| word.parse::<Ipv4Addr>().ok());
            address
                .map(|address| u32::from(address).into())
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    };
    let null = (has_null(meaning) && matches_null(matcher)).then(|| single_value(0));
    number
        .into_iter()
        .chain(null)
        .chain(named.into_iter().map(single_value))
        .collect()
}

/// Whether a null pointer with that meaning is displayed as such.
fn has_null(meaning: Meaning) -> bool {
    meaning.object_class().is_some() && meaning != Meaning::ContextName
}

/// Whether the display form of the null pointer matches.
fn matches_null(matcher: &NameMatcher<'_>) -> bool {
    match matcher {
        NameMatcher::Exact(_) => matcher.as_word() == Some(NO_OBJECT),
        NameMatcher::Pattern(glob) => glob.matches(NO_OBJECT),
    }
}

/// The addresses of the objects with a matching name, of one class or all. The names
/// of contexts that are no threads count as threads'.
fn addresses<'b>(
    binder: &'b Binder<'_, '_>,
    matcher: &'b NameMatcher<'_>,
    class: Option<ObjectClass>,
) -> impl Iterator<Item = u64> + 'b {
    let objects = binder.trace.objects.iter().zip(binder.object_names());
    let of_class =
        objects.filter(move |(object, _)| class.is_none_or(|class| class.may_be(object.class)));
    let objects_with_name = of_class.filter(move |(object, shown)| {
        let raw = match object.name.is_empty() {
            true => shown.as_bytes(),
            false => object.name.as_bytes(),
        };
        matcher.matches(shown, raw)
    });
    let contexts = binder.trace.contexts.names();
    let contexts = contexts.filter(move |(_, name)| {
        class.is_none_or(|class| class == ObjectClass::Thread)
            && matcher.matches(&name.to_string(), name.as_bytes())
    });
    let contexts = contexts.map(|(address, _)| address.0);
    objects_with_name
        .map(|(object, _)| object.address.0)
        .chain(contexts)
}

/// Whether a name is a value of any of these arguments.
fn resolves(
    binder: &Binder<'_, '_>,
    matcher: &NameMatcher<'_>,
    arguments: &[&ArgumentDef],
) -> bool {
    let mut seen: Vec<Meaning> = Vec::new();
    for argument in arguments {
        if !seen.contains(&argument.meaning) {
            seen.push(argument.meaning);
        }
    }
    seen.iter()
        .any(|meaning| !matching_ranges(binder, matcher, *meaning).is_empty())
}

fn unknown_value(
    binder: &Binder<'_, '_>,
    value: &FilterValue,
    arguments: &[&ArgumentDef],
) -> Result<()> {
    let mut names = Vec::new();
    for argument in arguments {
        match argument.meaning {
            Meaning::Named(known) => {
                names.extend(known.values.iter().map(|(_, name)| Cow::Borrowed(*name)));
            }
            Meaning::AnyObject => {
                names.extend(
                    binder
                        .object_names()
                        .iter()
                        .map(|name| Cow::Borrowed(name.as_str())),
                );
            }
            Meaning::Object(class) => names.extend(object_names(binder, class)),
            Meaning::ContextName => {
                names.push(Cow::Borrowed(IDLE_NAME));
                names.extend(object_names(binder, ObjectClass::Thread));
                let contexts = binder.trace.contexts.names();
                names.extend(contexts.map(|(_, name)| Cow::Owned(name.to_string())));
            }
            Meaning::Text => {
                let texts = binder.texts().iter();
                names.extend(texts.map(|(_, shown, _)| Cow::Borrowed(shown.as_str())));
            }
            _ => {}
        }
    }
    names.sort_unstable();
    names.dedup();
    let name = value.literal.bytes();
    binder.unknown_name("value of this argument", name, value.span, names)
}

/// The displayed names of the objects of a class.
fn object_names<'b>(
    binder: &'b Binder<'_, '_>,
    class: ObjectClass,
) -> impl Iterator<Item = Cow<'b, str>> {
    let objects = binder.trace.objects.iter().zip(binder.object_names());
    let of_class = objects.filter(move |(object, _)| object.class == class);
    of_class.map(|(_, name)| Cow::Borrowed(name.as_str()))
}
