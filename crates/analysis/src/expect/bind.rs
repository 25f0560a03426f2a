//! From what was written to what it means for a trace.

use super::error::{Place, SpecError};
use super::lexer::Piece;
use super::names::{Matcher, Names, Vocabulary, Wanted, argument_name, dots_to_blanks};
use super::pattern::{Check, Pattern, Site, Test};
use super::plan::{Between, Line, Part, Plan, Start, Step};
use super::site::{self, Sort};
use super::spec::{self, Spec, Time, Within};
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::extras::Form;
use rtoscope_trace::{KindId, Nanoseconds, ObjectClass, Ticks, Trace};
use std::rc::Rc;

type Result<T> = std::result::Result<T, SpecError>;

/// Resolves the names of a spec in a trace.
pub(super) fn bind(trace: &Trace, spec: &Spec) -> Result<Vec<Plan>> {
    let binder = Binder {
        text: &spec.text,
        lines: spec.text.lines().collect(),
        trace,
        names: Names::new(trace),
    };
    let tests = spec.tests.iter();
    tests.map(|test| binder.test(&spec.common, test)).collect()
}

struct Binder<'e, 't> {
    text: &'e str,
    lines: Vec<&'e str>,
    trace: &'t Trace,
    names: Names<'t>,
}

/// An argument that a pattern names.
struct Argument<'p> {
    name: &'p Piece,
    /// As names of arguments are compared.
    key: Rc<str>,
    /// How many of that name stand before it.
    ordinal: usize,
    value: &'p Piece,
    wanted: Wanted,
    /// Whether any kind has it.
    known: bool,
    /// Whether any kind's can have the value.
    possible: bool,
    /// What it must be, by what the values of a kind are.
    tests: Vec<(Sort, Test)>,
}

impl Binder<'_, '_> {
    fn test(&self, common: &spec::Head, test: &spec::Test) -> Result<Plan> {
        let head = &test.head;
        let only = common.only.iter().chain(&head.only);
        let ignored = common.ignore.iter().chain(&head.ignore);
        let never = common.never.iter().chain(&head.never);
        let start = head.start.as_ref().or(common.start.as_ref());
        let until = head.until.as_ref().or(common.until.as_ref());
        let start = start.map(|start| -> Result<Start> {
            Ok(Start {
                line: self.line(&start.pattern)?,
                inclusive: start.inclusive,
            })
        });
        let until = until.map(|until| self.pattern(until));
        let kinds: Result<Vec<_>> = ignored.map(|piece| self.kinds(piece)).collect();
        let kinds = kinds?;
        Ok(Plan {
            name: test.name.clone().unwrap_or_default(),
            line: test.line,
            part: Part::Found {
                start: start.transpose()?,
                until: until.transpose()?,
            },
            only: only.map(|only| self.pattern(only)).collect::<Result<_>>()?,
            ignored: kinds
                .iter()
                .flat_map(|kinds| kinds.iter().copied())
                .collect(),
            never: never.map(|never| self.line(never)).collect::<Result<_>>()?,
            steps: test
                .steps
                .iter()
                .map(|step| self.step(step))
                .collect::<Result<_>>()?,
            rest: self.between(&test.rest)?,
            turns: Vec::new(),
        })
    }

    fn step(&self, step: &spec::Step) -> Result<Step> {
        Ok(Step {
            before: self.between(&step.before)?,
            line: self.line(&step.pattern)?,
            count: step.count,
            since: None,
        })
    }

    fn between(&self, between: &spec::Between) -> Result<Between> {
        let never = between.never.iter();
        Ok(Between {
            any: between.any,
            never: never.map(|never| self.line(never)).collect::<Result<_>>()?,
            within: between
                .within
                .map(|within| self.ticks(within))
                .transpose()?,
        })
    }

    fn ticks(&self, within: Within) -> Result<Ticks> {
        match (within.time, self.trace.clock.timebase()) {
            (Time::Ticks(ticks), _) => Ok(Ticks(ticks)),
            (Time::Nanoseconds(time), Some(frequency)) => {
                Ok(frequency.last_tick(Nanoseconds(time)))
            }
            (Time::Nanoseconds(_), None) => {
                let what = "the frequency of the trace's clock is not known";
                let expected = "a number of ticks, or a frequency that is given";
                Err(SpecError::new(self.text, within.place, what, expected))
            }
        }
    }

    fn line(&self, pattern: &spec::Pattern) -> Result<Line> {
        Ok(Line {
            number: pattern.place.line,
            text: self.written(pattern.place).into(),
            pattern: self.pattern(pattern)?,
        })
    }

    fn written(&self, place: Place) -> &str {
        let number = usize::try_from(place.line).unwrap_or(usize::MAX);
        let line = number.checked_sub(1).and_then(|at| self.lines.get(at));
        let part = line.and_then(|line| line.get(place.start..place.end));
        part.unwrap_or_default()
    }

    fn kinds(&self, piece: &Piece) -> Result<Rc<[KindId]>> {
        let kinds = self.names.kinds_of(piece);
        if !kinds.is_empty() {
            return Ok(kinds);
        }
        let name = piece.text();
        let what = format!("no kind of event and no group is called `{name}`");
        let expected = "a name that `rtoscope catalogue` lists";
        let of_kinds = self
            .names
            .closest(Vocabulary::Kinds, &dots_to_blanks(&name));
        let of_kinds = of_kinds.iter().map(|name| name.replace(' ', "."));
        let mut closest: Vec<_> = of_kinds.collect();
        if closest.is_empty() {
            closest = self.names.closest(Vocabulary::Groups, &name);
        }
        Err(SpecError::new(self.text, piece.place, what, expected).meant(closest))
    }

    fn pattern(&self, pattern: &spec::Pattern) -> Result<Pattern> {
        let kinds = match &pattern.kind {
            Some(piece) => self.kinds(piece)?,
            None => self.names.kinds().into(),
        };
        if pattern.arguments.is_empty() {
            return Ok(Pattern::of_kinds(kinds));
        }
        let mut arguments = arguments(pattern);
        let mut bound = Vec::new();
        for id in kinds.iter().copied() {
            if let Some(checks) = self.checks(id, &mut arguments) {
                bound.push((id, checks));
            }
        }
        for argument in &arguments {
            if !argument.known {
                return Err(self.unknown_argument(pattern, argument, &kinds));
            }
            if !argument.possible {
                return Err(self.unknown_value(argument));
            }
        }
        if bound.is_empty() {
            let what = "no kind of event has all these arguments";
            let expected = "arguments that are of one kind";
            return Err(SpecError::new(self.text, pattern.place, what, expected));
        }
        Ok(Pattern::new(bound))
    }

    /// What events of a kind must be; `None` if they lack an argument.
    fn checks(&self, id: KindId, arguments: &mut [Argument<'_>]) -> Option<Box<[Check]>> {
        let kind = self.trace.catalogue.get(id);
        let mut checks = Vec::new();
        let mut complete = true;
        for argument in arguments {
            let Some((site, sort)) = site::find(kind, &argument.key, argument.ordinal) else {
                complete = false;
                continue;
            };
            argument.known = true;
            let test = self.test_of(argument, sort);
            argument.possible |= !matches!(&test, Test::Among(values) if values.is_empty());
            if !matches!(test, Test::Any) || matches!(site, Site::Item(..)) {
                checks.push(Check {
                    name: Rc::clone(&argument.key),
                    ordinal: argument.ordinal,
                    site,
                    test,
                });
            }
        }
        complete.then(|| checks.into())
    }

    fn test_of(&self, argument: &mut Argument<'_>, sort: Sort) -> Test {
        let known = argument.tests.iter().find(|(known, _)| *known == sort);
        if let Some((_, test)) = known {
            return test.clone();
        }
        let test = self.resolve(argument.value, &argument.wanted, sort);
        argument.tests.push((sort, test.clone()));
        test
    }

    fn resolve(&self, piece: &Piece, wanted: &Wanted, sort: Sort) -> Test {
        let matcher = match wanted {
            Wanted::Any => return Test::Any,
            Wanted::Named(matcher) => Rc::clone(matcher),
            Wanted::Number(values) => match sort {
                // Digits are a text there.
                Sort::Word(Meaning::Text) | Sort::Item(Form::Text | Form::Memory) => {
                    Rc::new(Matcher::read(piece))
                }
                Sort::Context => return Test::Among(self.names.contexts_at(values)),
                _ => return Test::Among(Rc::clone(values)),
            },
        };
        let objects = |class| Test::Among(self.names.addresses(piece, &matcher, class));
        match sort {
            Sort::Word(Meaning::Text) | Sort::Item(Form::Text) => Test::Text(matcher),
            Sort::Word(Meaning::Object(class)) => objects(Some(class)),
            Sort::Word(Meaning::AnyObject) | Sort::Item(Form::Object) => objects(None),
            Sort::Item(Form::Function) => objects(Some(ObjectClass::Function)),
            Sort::Item(Form::Signal) => objects(Some(ObjectClass::Signal)),
            Sort::Item(Form::Memory) => Test::Memory(matcher),
            // A number has no name.
            Sort::Item(_) => Test::Among(Rc::default()),
            Sort::Context => Test::Among(self.names.contexts(&matcher)),
            Sort::Word(Meaning::Named(names)) if !names.bits => {
                let values = names.values.iter();
                let fitting = values.filter(|(_, name)| matcher.fits_any_case(name));
                let mut values: Vec<u64> = fitting.map(|(value, _)| *value).collect();
                values.sort_unstable();
                Test::Among(values.into())
            }
            Sort::Word(meaning) => Test::Shown(meaning, matcher),
        }
    }

    fn unknown_argument(
        &self,
        pattern: &spec::Pattern,
        argument: &Argument<'_>,
        kinds: &[KindId],
    ) -> SpecError {
        let name = argument.name.text();
        let what = match (&pattern.kind, argument.ordinal) {
            (Some(kind), 0) => format!("`{}` has no argument `{name}`", kind.text()),
            (None, 0) => format!("no kind of event has an argument `{name}`"),
            (_, before) => format!("there are no more than {before} arguments `{name}`"),
        };
        let closest = self.names.closest(Vocabulary::Arguments, &argument.key);
        let (expected, closest) = match kinds {
            [only] => (
                site::names(self.trace.catalogue.get(*only)).join(", "),
                Vec::new(),
            ),
            _ => ("an argument that one of the kinds has".to_owned(), closest),
        };
        SpecError::new(self.text, argument.name.place, what, expected).meant(closest)
    }

    fn unknown_value(&self, argument: &Argument<'_>) -> SpecError {
        let value = argument.value.text();
        let what = format!("nothing that `{}` can be is called `{value}`", argument.key);
        let is = |wanted: fn(Sort) -> bool| argument.tests.iter().any(|(sort, _)| wanted(*sort));
        let mut closest = match is(|sort| sort == Sort::Context) {
            true => self.names.closest(Vocabulary::Contexts, &value),
            false => {
                let values = Vocabulary::Values(&argument.key);
                self.names.closest(values, &value)
            }
        };
        if closest.is_empty() && is(Sort::is_object) {
            closest = self.names.closest(Vocabulary::Objects, &value);
        }
        let expected = "a name as the trace shows it, a number or a pattern";
        SpecError::new(self.text, argument.value.place, what, expected).meant(closest)
    }
}

fn arguments(pattern: &spec::Pattern) -> Vec<Argument<'_>> {
    let mut arguments: Vec<Argument<'_>> = Vec::new();
    for (name, value) in &pattern.arguments {
        let key: Rc<str> = argument_name(&name.text()).into();
        let same = arguments.iter().filter(|argument| argument.key == key);
        let ordinal = same.count();
        let wanted = Wanted::read(value);
        arguments.push(Argument {
            name,
            key,
            ordinal,
            value,
            // A pattern may fit nothing; so may a number.
            possible: !wanted.is_exact_name(),
            wanted,
            known: false,
            tests: Vec::new(),
        });
    }
    arguments
}
