//! Conditions on arguments.

use super::ast::{FieldCondition, FilterValue, argument_name, has_argument_name};
use super::binder::{FilterBinder, Result};
use super::bound::{ArgumentTest, ValuePlace, ValueTest};
use super::names::{NameMatcher, NameTest};
use super::set::{ALL_VALUES, ValueRange, ValueSet, single_value};
use super::span::Span;
use crate::catalogue::{ArgumentDef, ExtrasLayout, Meaning};
use crate::extras::ItemType;
use crate::render::IDLE_NAME;
use crate::{EventKind, Name, ObjectClass};
use std::borrow::Cow;
use std::collections::HashSet;
use std::net::Ipv4Addr;
use std::rc::Rc;

/// How the pool of an event without a pool is displayed.
const STATIC_EVENT: &str = "static";

/// How a null pointer to an object is displayed.
const NO_OBJECT: &str = "none";

/// The arguments of a kind with their places.
fn places(kind: &EventKind) -> impl Iterator<Item = (ValuePlace, &ArgumentDef)> {
    let places = (0..).map(ValuePlace::Argument).zip(kind.all_arguments());
    places.filter_map(|(place, argument)| Some((place, argument?)))
}

/// The places of the arguments of a kind with their meanings.
fn meanings(kind: &EventKind) -> impl Iterator<Item = (ValuePlace, Meaning)> {
    places(kind).map(|(place, argument)| (place, argument.meaning))
}

/// The types of self-describing items of a kind.
fn item_types(kind: &EventKind) -> &'static [ItemType] {
    match kind.extras {
        ExtrasLayout::Items => ItemType::ALL,
        ExtrasLayout::Arguments(_) => &[],
    }
}

/// The meaning of a self-describing item.
pub const fn item_meaning(item_type: ItemType) -> Meaning {
    match item_type {
        ItemType::Text | ItemType::Memory => Meaning::Text,
        ItemType::Object => Meaning::AnyObject,
        ItemType::Function => Meaning::Object(ObjectClass::Function),
        ItemType::Signal => Meaning::Object(ObjectClass::Signal),
        ItemType::X32 => Meaning::Hex,
        _ => Meaning::Number,
    }
}

/// The argument of a kind with a name, after `ordinal` others with that name.
pub(super) fn argument_place(
    kind: &EventKind,
    name: &str,
    ordinal: usize,
) -> Option<(ValuePlace, Meaning)> {
    let mut named = places(kind).filter(|(_, it)| has_argument_name(&it.name, name));
    if let Some((place, argument)) = named.nth(ordinal) {
        return Some((place, argument.meaning));
    }
    let mut types = item_types(kind).iter().copied();
    let item_type = types.find(|item_type| item_type.name() == name)?;
    let place = ValuePlace::Item(item_type, ordinal);
    Some((place, item_meaning(item_type)))
}

/// The names of the arguments of a kind.
pub(super) fn argument_names(kind: &EventKind) -> impl Iterator<Item = String> {
    let arguments = places(kind).map(|(_, argument)| argument_name(&argument.name));
    arguments.chain(item_types(kind).iter().map(|it| it.name().to_owned()))
}

/// A condition on any object among the arguments.
pub(super) fn objects(binder: &FilterBinder<'_>, test: &NameTest) -> Result<ArgumentTest> {
    for matcher in &test.matchers {
        let mut found = matches_null(matcher);
        found |= addresses(binder, matcher, None).next().is_some();
        if let Some(value) = matcher.required_name().filter(|_| !found) {
            let names = binder.object_names().iter().map(String::as_str);
            binder.unknown_name("object", value.literal.bytes(), value.span, names)?;
        }
    }
    let is_object = |meaning: Meaning| meaning.object_class().is_some();
    let objects = |kind: &EventKind| meanings(kind).filter(|it| is_object(it.1)).collect();
    let values = |meaning| value_test(binder, test, meaning, |_| true);
    let kinds: Vec<_> = binder.trace.catalogue.iter().collect();
    let test = ArgumentTest::new(binder.kinds(), &kinds, test.negated, objects, values);
    Ok(test)
}

/// A text among all arguments, by what they show; a number also among their values.
pub(super) fn containing(binder: &FilterBinder<'_>, test: &NameTest) -> ArgumentTest {
    let all = |kind: &EventKind| {
        let has_items = !item_types(kind).is_empty();
        let items = has_items.then_some((ValuePlace::TextItems, Meaning::Text));
        meanings(kind).chain(items).collect()
    };
    // "none" contains short texts that name no object.
    let is_null = |meaning, range: &ValueRange| has_null(meaning) && *range == single_value(0);
    let values = |meaning| value_test(binder, test, meaning, |it| !is_null(meaning, it));
    let kinds: Vec<_> = binder.trace.catalogue.iter().collect();
    ArgumentTest::new(binder.kinds(), &kinds, false, all, values)
}

/// A condition on the argument of these kinds with a name, after a number of others
/// with that name. A text must be one of the trace's if `texts_exist`.
pub(super) fn named(
    binder: &FilterBinder<'_>,
    kinds: &[&EventKind],
    (name, ordinal): (&str, usize),
    span: Span,
    condition: &FieldCondition,
    texts_exist: bool,
) -> Result<ArgumentTest> {
    let place = |kind: &EventKind| Vec::from_iter(argument_place(kind, name, ordinal));
    let places = || kinds.iter().flat_map(|kind| place(kind));
    let meanings: HashSet<Meaning> = places().map(|(_, meaning)| meaning).collect();
    let has_items = places().any(|(place, _)| matches!(place, ValuePlace::Item(..)));
    if meanings.is_empty() {
        let names = kinds.iter().flat_map(|kind| argument_names(kind));
        binder.unknown_name("argument", name.as_bytes(), span, names)?;
    }
    let Some(test) = NameTest::new(condition) else {
        let numbers = binder.matching_numbers(condition)?;
        let values = |_| ValueTest::Numbers(numbers.clone());
        let test = ArgumentTest::new(binder.kinds(), kinds, false, place, values);
        return Ok(test);
    };
    for matcher in &test.matchers {
        let resolves = |meaning: &Meaning| match *meaning {
            Meaning::Text if has_items || !texts_exist => true,
            Meaning::Text => binder.texts().iter().any(|text| matcher.matches(text)),
            meaning => !matching_ranges(binder, matcher, meaning).is_empty(),
        };
        if let Some(value) = matcher.required_name()
            && !meanings.iter().any(resolves)
        {
            unknown_value(binder, value, &meanings)?;
        }
    }
    let values = |meaning| value_test(binder, &test, meaning, |_| true);
    let test = ArgumentTest::new(binder.kinds(), kinds, test.negated, place, values);
    Ok(test)
}

/// The test of values with a meaning, with some of the matching ranges.
fn value_test(
    binder: &FilterBinder<'_>,
    test: &NameTest,
    meaning: Meaning,
    selects: impl Fn(&ValueRange) -> bool,
) -> ValueTest {
    if meaning == Meaning::Text {
        return ValueTest::Texts(test.matchers.clone().into());
    }
    let matchers = test.matchers.iter();
    let ranges = matchers.flat_map(|it| matching_ranges(binder, it, meaning).to_vec());
    ValueTest::Numbers(ValueSet::from_ranges(ranges.filter(selects)))
}

/// The matching values of a meaning other than text.
fn matching_ranges(
    binder: &FilterBinder<'_>,
    matcher: &NameMatcher,
    meaning: Meaning,
) -> Rc<[ValueRange]> {
    let NameMatcher::Exact(value) = matcher else {
        return find_ranges(binder, matcher, meaning);
    };
    let key = (value.literal.clone(), meaning);
    if let Some(known) = binder.values.borrow().get(&key) {
        return Rc::clone(known);
    }
    let found = find_ranges(binder, matcher, meaning);
    binder.values.borrow_mut().insert(key, Rc::clone(&found));
    found
}

fn find_ranges(
    binder: &FilterBinder<'_>,
    matcher: &NameMatcher,
    meaning: Meaning,
) -> Rc<[ValueRange]> {
    let null = has_null(meaning) && matches_null(matcher);
    // An object with that name must be quoted.
    if null && matcher.as_word().is_some() {
        return [single_value(0)].into();
    }
    if matches!(matcher, NameMatcher::Pattern(glob) if glob.matches_all()) {
        return [ALL_VALUES].into();
    }
    let named: Vec<u64> = match meaning {
        Meaning::Object(class) => addresses(binder, matcher, Some(class)).collect(),
        Meaning::AnyObject => addresses(binder, matcher, None).collect(),
        Meaning::ContextName => {
            let idle = matcher.matches_ignoring_case(IDLE_NAME).then_some(0);
            let named = addresses(binder, matcher, Some(ObjectClass::Thread));
            idle.into_iter().chain(named).collect()
        }
        Meaning::Named(names) => {
            let values = names.values.iter();
            let fitting = values.filter(|(_, name)| matcher.matches_ignoring_case(name));
            fitting.map(|(value, _)| *value).collect()
        }
        Meaning::EventPool => {
            let pools = addresses(binder, matcher, Some(ObjectClass::EventPool));
            let is_static = matcher.matches_ignoring_case(STATIC_EVENT).then_some(0);
            let pools = pools.map(|pool| pool.saturating_add(1));
            is_static.into_iter().chain(pools).collect()
        }
        // By the function that contains it.
        Meaning::Code => {
            let spans = binder.trace.code_locations.iter();
            let fitting = spans.filter(|span| {
                let function = span.function.as_ref();
                function.is_some_and(|name| matcher.matches(name.as_bytes()))
            });
            fitting.map(|span| span.address.0).collect()
        }
        Meaning::Ipv4 => {
            let address = matcher.as_word().map(str::parse::<Ipv4Addr>);
            let address = address.into_iter().flatten();
            address.map(|address| u32::from(address).into()).collect()
        }
        _ => Vec::new(),
    };
    let [wide, narrow] = matcher.as_negative();
    let numbers = [matcher.as_number(), wide, narrow, null.then_some(0)];
    let values = numbers.into_iter().flatten().chain(named);
    values.map(single_value).collect()
}

/// Whether a null pointer with that meaning is displayed as such.
fn has_null(meaning: Meaning) -> bool {
    let is_number = |class: Option<ObjectClass>| class.is_some_and(ObjectClass::is_numbered);
    let class = meaning.object_class();
    class.is_some_and(|class| !is_number(class)) && meaning != Meaning::ContextName
}

/// Whether the display form of the null pointer matches.
fn matches_null(matcher: &NameMatcher) -> bool {
    match matcher {
        NameMatcher::Exact(_) => matcher.as_word() == Some(NO_OBJECT),
        NameMatcher::Pattern(glob) => glob.matches(NO_OBJECT),
    }
}

/// The addresses of the objects with a matching name, of one class or all. The names
/// of contexts that are no threads count as threads'.
fn addresses<'b>(
    binder: &'b FilterBinder<'_>,
    matcher: &'b NameMatcher,
    class: Option<ObjectClass>,
) -> impl Iterator<Item = u64> + 'b {
    let objects = binder.trace.objects.iter().zip(binder.object_names());
    let of_class =
        objects.filter(move |(object, _)| class.is_none_or(|class| class.may_be(object.class)));
    let objects_with_name = of_class.filter(|(object, shown)| {
        matcher.matches(match object.name.is_empty() {
            true => shown.as_bytes(),
            false => object.name.as_bytes(),
        })
    });
    let contexts = binder.trace.contexts.names();
    let contexts = contexts.filter(move |(_, name)| {
        class.is_none_or(|class| class == ObjectClass::Thread) && matcher.matches(name.as_bytes())
    });
    let contexts = contexts.map(|(address, _)| address.0);
    objects_with_name
        .map(|(object, _)| object.address.0)
        .chain(contexts)
}

fn unknown_value(
    binder: &FilterBinder<'_>,
    value: &FilterValue,
    meanings: &HashSet<Meaning>,
) -> Result<()> {
    let mut names = Vec::new();
    for meaning in meanings {
        match meaning {
            Meaning::Named(known) => {
                names.extend(known.values.iter().map(|(_, name)| Cow::Borrowed(*name)));
            }
            Meaning::AnyObject => {
                let objects = binder.object_names().iter();
                names.extend(objects.map(|name| Cow::Borrowed(name.as_str())));
            }
            Meaning::Object(class) => names.extend(object_names(binder, *class)),
            Meaning::Text => {
                let texts = binder
                    .texts()
                    .iter()
                    .map(|text| Name::new(text).to_string());
                names.extend(texts.map(Cow::Owned));
            }
            Meaning::ContextName => {
                names.push(Cow::Borrowed(IDLE_NAME));
                names.extend(object_names(binder, ObjectClass::Thread));
                let contexts = binder.trace.contexts.names();
                names.extend(contexts.map(|(_, name)| Cow::Owned(name.to_string())));
            }
            _ => {}
        }
    }
    let name = value.literal.bytes();
    binder.unknown_name("value of this argument", name, value.span, names)
}

/// The displayed names of the objects of a class.
fn object_names<'b>(
    binder: &'b FilterBinder<'_>,
    class: ObjectClass,
) -> impl Iterator<Item = Cow<'b, str>> {
    let objects = binder.trace.objects.iter().zip(binder.object_names());
    let of_class = objects.filter(move |(object, _)| object.class == class);
    of_class.map(|(_, name)| Cow::Borrowed(name.as_str()))
}
