//! Resolves a spec against a trace.

use super::error::SpecError;
use super::plan::{BetweenRules, Expectation, PatternLine, RangeStart, TestPlan};
use super::spec::{self, Spec, TimeLimit};
use rtoscope_trace::filter::{
    BoundPattern, FilterBinder, FilterError, FilterProblem, FilterValue, Quantity,
};
use rtoscope_trace::{EventKindId, Nanoseconds, Ticks, Trace};
use std::cell::RefCell;

type Result<T> = std::result::Result<T, SpecError>;

/// Resolves the names of a spec in a trace.
pub(super) fn bind(trace: &Trace, spec: &Spec) -> Result<Vec<TestPlan>> {
    let binder = Binder::new(spec, FilterBinder::new(trace));
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
    let binder = Binder::new(spec, FilterBinder::partial(trace));
    let tests = spec.tests.iter();
    tests
        .map(|test| {
            Ok(PartialPlan {
                plan: binder.bind_test(&spec.common, test)?,
                unknown: binder.unknown.take(),
            })
        })
        .collect()
}

struct Binder<'e, 't> {
    text: &'e str,
    names: FilterBinder<'t>,
    /// The first unknown name of the test, if names may be unknown.
    unknown: RefCell<Option<SpecError>>,
}

impl<'e, 't> Binder<'e, 't> {
    fn new(spec: &'e Spec, names: FilterBinder<'t>) -> Self {
        Self {
            text: &spec.text,
            names,
            unknown: RefCell::default(),
        }
    }
}

impl Binder<'_, '_> {
    /// The result of binding something in a line.
    fn in_line<T>(&self, line: u32, result: std::result::Result<T, FilterError>) -> Result<T> {
        let error = |error| SpecError::new(self.text, line, error);
        if let Some(unknown) = self.names.take_unknown().into_iter().next() {
            self.unknown
                .borrow_mut()
                .get_or_insert_with(|| error(unknown));
        }
        result.map_err(error)
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
        let kinds: Result<Vec<_>> = ignored.map(|name| self.bind_kinds(name)).collect();
        let kinds = kinds?;
        let steps = test.steps.iter();
        Ok(TestPlan {
            name: test.name.clone().unwrap_or_default(),
            line: test.line,
            start: start.transpose()?,
            until: until.transpose()?,
            only: only
                .map(|only| self.bind_pattern(only))
                .collect::<Result<_>>()?,
            ignored: kinds.into_iter().flatten().collect(),
            never: never
                .map(|never| self.bind_line(never))
                .collect::<Result<_>>()?,
            steps: steps
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
            Quantity::Plain(ticks) => return Ok(Some(Ticks(ticks))),
            Quantity::Nanoseconds(time) => Nanoseconds(time),
        };
        match self.names.trace.timescale().last_tick(time) {
            Ok(ticks) => Ok(Some(ticks)),
            Err(why) => {
                let problem = format!("{why}; expected a number of ticks");
                let error = FilterError::new(within.span, FilterProblem::Rule(problem));
                let unknown = self.names.unknown(error);
                self.in_line(within.line, unknown).map(|()| None)
            }
        }
    }

    fn bind_line(&self, pattern: &spec::PatternSpec) -> Result<PatternLine> {
        Ok(PatternLine {
            number: pattern.line,
            text: pattern.text.clone(),
            pattern: self.bind_pattern(pattern)?,
        })
    }

    fn bind_pattern(&self, spec: &spec::PatternSpec) -> Result<BoundPattern> {
        self.in_line(spec.line, self.names.bind_pattern(&spec.pattern))
    }

    fn bind_kinds(&self, (line, name): &(u32, FilterValue)) -> Result<Vec<EventKindId>> {
        self.in_line(*line, self.names.bind_kinds(name))
    }
}
