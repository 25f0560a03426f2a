//! Resolves a sequence in a trace.

use super::plan::{BetweenRules, Expectation, PatternLine, RangeStart, SequencePlan};
use super::spec::{BetweenSpec, ExpectationSpec, PatternSpec, Sequence, SequenceText, TimeLimit};
use crate::check::RuleError;
use rtoscope_trace::filter::{
    BoundPattern, FilterBinder, FilterError, FilterProblem, FilterValue, Quantity,
};
use rtoscope_trace::{EventKindId, Nanoseconds, Ticks, Trace};

type Result<T> = std::result::Result<T, RuleError>;

/// Resolves the names of a sequence in a trace.
pub(super) fn bind(trace: &Trace, sequence: &Sequence) -> Result<SequencePlan> {
    let binder = Binder {
        source: &sequence.source,
        names: FilterBinder::new(trace),
    };
    let start = sequence.start.as_ref().map(|start| {
        Ok(RangeStart {
            line: binder.bind_line(&start.pattern)?,
            inclusive: start.inclusive,
        })
    });
    let until = sequence.until.as_ref();
    let only = sequence.only.iter().map(|it| binder.bind_pattern(it));
    let ignored = sequence.ignore.iter().map(|name| binder.bind_kinds(name));
    let ignored: Vec<_> = ignored.collect::<Result<_>>()?;
    let steps = sequence.steps.iter().map(|step| binder.bind_step(step));
    Ok(SequencePlan {
        line: sequence.source.first_line,
        start: start.transpose()?,
        until: until.map(|it| binder.bind_pattern(it)).transpose()?,
        only: only.collect::<Result<_>>()?,
        ignored: ignored.into_iter().flatten().collect(),
        never: binder.bind_lines(&sequence.never)?,
        steps: steps.collect::<Result<_>>()?,
        after_last: binder.bind_between(&sequence.after_last)?,
    })
}

struct Binder<'s, 't> {
    source: &'s SequenceText,
    names: FilterBinder<'t>,
}

impl Binder<'_, '_> {
    /// The result of binding something in a line.
    fn in_line<T>(&self, line: u32, result: std::result::Result<T, FilterError>) -> Result<T> {
        result.map_err(|error| self.source.error(line, error))
    }

    fn bind_step(&self, step: &ExpectationSpec) -> Result<Expectation> {
        Ok(Expectation {
            before: self.bind_between(&step.before)?,
            line: self.bind_line(&step.pattern)?,
            count: step.count,
        })
    }

    fn bind_between(&self, between: &BetweenSpec) -> Result<BetweenRules> {
        let within = between.within.map(|within| self.bind_ticks(within));
        Ok(BetweenRules {
            any: between.any,
            never: self.bind_lines(&between.never)?,
            within: within.transpose()?,
        })
    }

    fn bind_ticks(&self, within: TimeLimit) -> Result<Ticks> {
        let time = match within.time {
            Quantity::Plain(ticks) => return Ok(Ticks(ticks)),
            Quantity::Nanoseconds(time) => Nanoseconds(time),
        };
        let ticks = self.names.trace.timescale().last_tick(time);
        let ticks = ticks.map_err(|why| {
            let problem = format!("{why}; expected a number of ticks");
            FilterError::new(within.span, FilterProblem::Rule(problem))
        });
        self.in_line(within.line, ticks)
    }

    fn bind_lines(&self, patterns: &[PatternSpec]) -> Result<Vec<PatternLine>> {
        patterns.iter().map(|it| self.bind_line(it)).collect()
    }

    fn bind_line(&self, pattern: &PatternSpec) -> Result<PatternLine> {
        Ok(PatternLine {
            number: pattern.line,
            text: pattern.text.clone(),
            pattern: self.bind_pattern(pattern)?,
        })
    }

    fn bind_pattern(&self, spec: &PatternSpec) -> Result<BoundPattern> {
        self.in_line(spec.line, self.names.bind_pattern(&spec.pattern))
    }

    fn bind_kinds(&self, (line, name): &(u32, FilterValue)) -> Result<Vec<EventKindId>> {
        self.in_line(*line, self.names.bind_kinds(name))
    }
}
