//! Resolves a spec against a trace.

use super::error::{Span, SpecError};
use super::lexer::SpecToken;
use super::names::{ExpectedValue, NameDomain, NameMatcher, NameResolver, dots_to_spaces};
use super::pattern::{ArgumentCheck, EventPattern, ValueSite, ValueTest};
use super::plan::{BetweenRules, Expectation, PatternLine, RangeStart, TestPlan};
use super::spec::{self, Spec, TimeLimit, TimeValue};
use super::value_site::{self, ValueType};
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::extras::ItemType;
use rtoscope_trace::filter::argument_name;
use rtoscope_trace::{EventKindId, Nanoseconds, NoTime, ObjectClass, Ticks, Trace};
use std::cell::RefCell;
use std::rc::Rc;

type Result<T> = std::result::Result<T, SpecError>;

/// Resolves the names of a spec in a trace.
pub(super) fn bind(trace: &Trace, spec: &Spec) -> Result<Vec<TestPlan>> {
    let binder = Binder::new(trace, spec, None);
    let tests = spec.tests.iter();
    tests
        .map(|test| binder.bind_test(&spec.common, test))
        .collect()
}

/// A test bound to the part of a trace that has arrived so far.
pub(super) struct PartialPlan {
    pub(super) plan: TestPlan,
    /// The first name, or time, that is not known yet.
    pub(super) unknown: Option<SpecError>,
}

/// Resolves the names of a spec in the part of a trace that has arrived so far.
/// A name that is not known yet matches nothing.
pub(super) fn bind_partial(trace: &Trace, spec: &Spec) -> Result<Vec<PartialPlan>> {
    let binder = Binder::new(trace, spec, Some(RefCell::default()));
    let tests = spec.tests.iter();
    tests
        .map(|test| {
            Ok(PartialPlan {
                plan: binder.bind_test(&spec.common, test)?,
                unknown: binder.unknown.as_ref().and_then(RefCell::take),
            })
        })
        .collect()
}

struct Binder<'e, 't> {
    text: &'e str,
    lines: Vec<&'e str>,
    trace: &'t Trace,
    names: NameResolver<'t>,
    /// If names may be unknown: the first unknown one of the test.
    unknown: Option<RefCell<Option<SpecError>>>,
}

/// An argument of a pattern.
struct BoundArgument<'p> {
    name: &'p SpecToken,
    /// Its name in the form used for comparison.
    key: Rc<str>,
    /// Number of arguments with the same name before it.
    ordinal: usize,
    value: &'p SpecToken,
    expected: ExpectedValue,
    /// Whether any kind has it.
    name_known: bool,
    /// Whether any kind's argument can have the value.
    value_possible: bool,
    /// The test for the value, by value type.
    tests: Vec<(ValueType, ValueTest)>,
}

impl<'e, 't> Binder<'e, 't> {
    fn new(trace: &'t Trace, spec: &'e Spec, unknown: Option<RefCell<Option<SpecError>>>) -> Self {
        Self {
            text: &spec.text,
            lines: spec.text.lines().collect(),
            trace,
            names: NameResolver::new(trace),
            unknown,
        }
    }
}

impl Binder<'_, '_> {
    /// A name is not known: an error unless it may become known.
    fn unknown_name(&self, error: SpecError) -> Result<()> {
        let Some(unknown) = &self.unknown else {
            return Err(error);
        };
        unknown.borrow_mut().get_or_insert(error);
        Ok(())
    }

    fn bind_test(&self, common: &spec::TestHeader, test: &spec::TestSpec) -> Result<TestPlan> {
        let head = &test.header;
        let only = common.only.iter().chain(&head.only);
        let ignored = common.ignore.iter().chain(&head.ignore);
        let never = common.never.iter().chain(&head.never);
        let start = head.start.as_ref().or(common.start.as_ref());
        let until = head.until.as_ref().or(common.until.as_ref());
        let start = start.map(|start| -> Result<RangeStart> {
            Ok(RangeStart {
                line: self.bind_line(&start.pattern)?,
                inclusive: start.inclusive,
            })
        });
        let until = until.map(|until| self.bind_pattern(until));
        let kinds: Result<Vec<_>> = ignored.map(|token| self.bind_kinds(token)).collect();
        let kinds = kinds?;
        Ok(TestPlan {
            name: test.name.clone().unwrap_or_default(),
            line: test.line,
            start: start.transpose()?,
            until: until.transpose()?,
            only: only
                .map(|only| self.bind_pattern(only))
                .collect::<Result<_>>()?,
            ignored: kinds
                .iter()
                .flat_map(|kinds| kinds.iter().copied())
                .collect(),
            never: never
                .map(|never| self.bind_line(never))
                .collect::<Result<_>>()?,
            steps: test
                .steps
                .iter()
                .map(|step| self.bind_step(step))
                .collect::<Result<_>>()?,
            after_last: self.bind_between(&test.after_last)?,
        })
    }

    fn bind_step(&self, step: &spec::ExpectationSpec) -> Result<Expectation> {
        Ok(Expectation {
            before: self.bind_between(&step.before)?,
            line: self.bind_line(&step.pattern)?,
            count: step.count,
        })
    }

    fn bind_between(&self, between: &spec::BetweenSpec) -> Result<BetweenRules> {
        let never = between.never.iter();
        Ok(BetweenRules {
            any: between.any,
            never: never
                .map(|never| self.bind_line(never))
                .collect::<Result<_>>()?,
            within: match between.within {
                Some(within) => self.bind_ticks(within)?,
                None => None,
            },
        })
    }

    /// The limit in ticks; `None` if it is not known yet.
    fn bind_ticks(&self, within: TimeLimit) -> Result<Option<Ticks>> {
        let time = match within.time {
            TimeValue::Ticks(ticks) => return Ok(Some(Ticks(ticks))),
            TimeValue::Nanoseconds(time) => Nanoseconds(time),
        };
        let error = match self.trace.timescale().last_tick(time) {
            Ok(ticks) => return Ok(Some(ticks)),
            Err(NoTime::UnknownFrequency) => {
                let what = "the frequency of the trace's clock is not known";
                let expected = "a number of ticks, or a known frequency";
                SpecError::new(self.text, within.span, what, expected)
            }
            Err(why @ (NoTime::StaticClock | NoTime::EventCounter)) => {
                SpecError::new(self.text, within.span, why.to_string(), "a number of ticks")
            }
        };
        self.unknown_name(error)?;
        Ok(None)
    }

    fn bind_line(&self, pattern: &spec::PatternSpec) -> Result<PatternLine> {
        Ok(PatternLine {
            number: pattern.span.line,
            text: self.source_text(pattern.span).into(),
            pattern: self.bind_pattern(pattern)?,
        })
    }

    fn source_text(&self, span: Span) -> &str {
        let number = usize::try_from(span.line).unwrap_or(usize::MAX);
        let line = number.checked_sub(1).and_then(|at| self.lines.get(at));
        let part = line.and_then(|line| line.get(span.start..span.end));
        part.unwrap_or_default()
    }

    fn bind_kinds(&self, token: &SpecToken) -> Result<Rc<[EventKindId]>> {
        let kinds = self.names.kinds_of(token);
        if !kinds.is_empty() {
            return Ok(kinds);
        }
        let name = token.text();
        let what = format!("no kind or group is called `{name}`");
        let expected = "a name that `rtoscope catalogue` lists";
        let of_kinds = self
            .names
            .closest_names(NameDomain::Kinds, &dots_to_spaces(&name));
        let of_kinds = of_kinds.iter().map(|name| name.replace(' ', "."));
        let mut closest: Vec<_> = of_kinds.collect();
        if closest.is_empty() {
            closest = self.names.closest_names(NameDomain::Groups, &name);
        }
        let error = SpecError::new(self.text, token.span, what, expected);
        self.unknown_name(error.with_suggestions(closest))?;
        Ok(kinds)
    }

    fn bind_pattern(&self, pattern: &spec::PatternSpec) -> Result<EventPattern> {
        let kinds = match &pattern.kind {
            Some(token) => self.bind_kinds(token)?,
            None => self.names.kinds().into(),
        };
        if pattern.arguments.is_empty() || kinds.is_empty() {
            return Ok(EventPattern::from_kinds(kinds));
        }
        let mut arguments = arguments(pattern);
        let mut bound = Vec::new();
        for id in kinds.iter().copied() {
            if let Some(checks) = self.bind_checks(id, &mut arguments) {
                bound.push((id, checks));
            }
        }
        for argument in &arguments {
            if !argument.name_known {
                return Err(self.unknown_argument(pattern, argument, &kinds));
            }
            if !argument.value_possible {
                self.unknown_name(self.unknown_value(argument))?;
            }
        }
        if bound.is_empty() {
            let what = "no kind has all these arguments";
            let expected = "arguments of one kind";
            return Err(SpecError::new(self.text, pattern.span, what, expected));
        }
        Ok(EventPattern::new(bound))
    }

    /// The checks for events of a kind; `None` if the kind lacks an argument.
    fn bind_checks(
        &self,
        id: EventKindId,
        arguments: &mut [BoundArgument<'_>],
    ) -> Option<Box<[ArgumentCheck]>> {
        let kind = self.trace.catalogue.get(id);
        let mut checks = Vec::new();
        let mut complete = true;
        for argument in arguments {
            let Some((site, value_type)) = value_site::find(kind, &argument.key, argument.ordinal)
            else {
                complete = false;
                continue;
            };
            argument.name_known = true;
            let test = self.value_test(argument, value_type);
            argument.value_possible |=
                !matches!(&test, ValueTest::Among(values) if values.is_empty());
            if !matches!(test, ValueTest::Any) || matches!(site, ValueSite::Item(..)) {
                checks.push(ArgumentCheck {
                    name: Rc::clone(&argument.key),
                    ordinal: argument.ordinal,
                    site,
                    test,
                });
            }
        }
        complete.then(|| checks.into())
    }

    fn value_test(&self, argument: &mut BoundArgument<'_>, value_type: ValueType) -> ValueTest {
        let known = argument
            .tests
            .iter()
            .find(|(known, _)| *known == value_type);
        if let Some((_, test)) = known {
            return test.clone();
        }
        let test = self.resolve(argument.value, &argument.expected, value_type);
        argument.tests.push((value_type, test.clone()));
        test
    }

    fn resolve(
        &self,
        token: &SpecToken,
        expected: &ExpectedValue,
        value_type: ValueType,
    ) -> ValueTest {
        let matcher = match expected {
            ExpectedValue::Any => return ValueTest::Any,
            ExpectedValue::Named(matcher) => Rc::clone(matcher),
            ExpectedValue::Number(values) => match value_type {
                // Digits are text there.
                ValueType::Word(Meaning::Text)
                | ValueType::Item(ItemType::Text | ItemType::Memory) => {
                    Rc::new(NameMatcher::parse(token))
                }
                ValueType::Context => return ValueTest::Among(self.names.contexts_at(values)),
                _ => return ValueTest::Among(Rc::clone(values)),
            },
        };
        let objects = |class| ValueTest::Among(self.names.addresses(token, &matcher, class));
        match value_type {
            ValueType::Word(Meaning::Text) | ValueType::Item(ItemType::Text) => {
                ValueTest::Text(matcher)
            }
            ValueType::Word(Meaning::Object(class)) => objects(Some(class)),
            ValueType::Word(Meaning::AnyObject) | ValueType::Item(ItemType::Object) => {
                objects(None)
            }
            ValueType::Word(Meaning::ContextName) => {
                ValueTest::Among(self.names.context_names(&matcher))
            }
            ValueType::Item(ItemType::Function) => objects(Some(ObjectClass::Function)),
            ValueType::Item(ItemType::Signal) => objects(Some(ObjectClass::Signal)),
            ValueType::Item(ItemType::Memory) => ValueTest::Memory(matcher),
            // A number has no name.
            ValueType::Item(_) => ValueTest::Among(Rc::default()),
            ValueType::Context => ValueTest::Among(self.names.contexts(&matcher)),
            ValueType::Word(Meaning::Named(names)) if !names.bits => {
                let values = names.values.iter();
                let fitting = values.filter(|(_, name)| matcher.matches_ignoring_case(name));
                let mut values: Vec<u64> = fitting.map(|(value, _)| *value).collect();
                values.sort_unstable();
                ValueTest::Among(values.into())
            }
            ValueType::Word(meaning) => ValueTest::Shown(meaning, matcher),
        }
    }

    fn unknown_argument(
        &self,
        pattern: &spec::PatternSpec,
        argument: &BoundArgument<'_>,
        kinds: &[EventKindId],
    ) -> SpecError {
        let name = argument.name.text();
        let what = match (&pattern.kind, argument.ordinal) {
            (Some(kind), 0) => format!("`{}` has no argument `{name}`", kind.text()),
            (None, 0) => format!("no kind has an argument `{name}`"),
            (_, before) => format!("there are only {before} arguments `{name}`"),
        };
        let closest = self
            .names
            .closest_names(NameDomain::Arguments, &argument.key);
        let (expected, closest) = match kinds {
            [only] => (
                value_site::names(self.trace.catalogue.get(*only)).join(", "),
                Vec::new(),
            ),
            _ => ("an argument of one of the kinds".to_owned(), closest),
        };
        SpecError::new(self.text, argument.name.span, what, expected).with_suggestions(closest)
    }

    fn unknown_value(&self, argument: &BoundArgument<'_>) -> SpecError {
        let value = argument.value.text();
        let what = format!("no value of `{}` is called `{value}`", argument.key);
        let is = |expected: fn(ValueType) -> bool| {
            argument
                .tests
                .iter()
                .any(|(value_type, _)| expected(*value_type))
        };
        let mut closest = match is(|value_type| value_type == ValueType::Context) {
            true => self.names.closest_names(NameDomain::Contexts, &value),
            false => {
                let values = NameDomain::Values(&argument.key);
                self.names.closest_names(values, &value)
            }
        };
        if closest.is_empty() && is(ValueType::is_object) {
            closest = self.names.closest_names(NameDomain::Objects, &value);
        }
        let expected = "a name in the trace, a number or a pattern";
        SpecError::new(self.text, argument.value.span, what, expected).with_suggestions(closest)
    }
}

fn arguments(pattern: &spec::PatternSpec) -> Vec<BoundArgument<'_>> {
    let mut arguments: Vec<BoundArgument<'_>> = Vec::new();
    for (name, value) in &pattern.arguments {
        let key: Rc<str> = argument_name(&name.text()).into();
        let same = arguments.iter().filter(|argument| argument.key == key);
        let ordinal = same.count();
        let expected = ExpectedValue::parse(value);
        arguments.push(BoundArgument {
            name,
            key,
            ordinal,
            value,
            // A pattern, or a number, may match nothing.
            value_possible: !expected.is_exact_name(),
            expected,
            name_known: false,
            tests: Vec::new(),
        });
    }
    arguments
}
