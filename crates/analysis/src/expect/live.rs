//! Tests of a spec while the trace arrives.

use super::bind::{self, PartialPlan};
use super::error::SpecError;
use super::outcome::{TestOutcome, TestResult, Uncertainty};
use super::runner::{ComparisonState, LossPolicy, all_events};
use super::spec::Spec;
use rtoscope_trace::Trace;

/// Compares a trace with the tests of a spec while it arrives, part by part.
///
/// The result of a test is final as soon as no later record can change it.
/// Missing records in the compared part also decide it: it is inconclusive. A
/// name that no record has introduced yet matches nothing, and no test passes
/// with such a name.
pub struct LiveTests<'s> {
    spec: &'s Spec,
    tests: Vec<LiveTest>,
}

struct LiveTest {
    is_selected: bool,
    /// The last binding, if a part has arrived.
    bound: Option<PartialPlan>,
    state: Option<ComparisonState>,
    is_done: bool,
}

impl<'s> LiveTests<'s> {
    /// Creates the tests of a spec whose names are selected.
    pub fn new(spec: &'s Spec, selects: impl Fn(&str) -> bool) -> Self {
        let test = |name: Option<&str>| LiveTest {
            is_selected: selects(name.unwrap_or_default()),
            bound: None,
            state: None,
            is_done: false,
        };
        let tests = spec.tests.iter().map(|it| test(it.name.as_deref()));
        Self {
            spec,
            tests: tests.collect(),
        }
    }

    /// Number of tests that are not decided.
    pub fn undecided(&self) -> usize {
        self.tests.iter().filter(|test| test.is_undecided()).count()
    }

    /// Compares the next part of the trace, from its event `first` on. Returns
    /// the results of the tests that this decides, in the order of the spec.
    ///
    /// # Errors
    ///
    /// If a line of the spec can match nothing, whatever names will arrive.
    pub fn push(&mut self, trace: &Trace, first: u32) -> Result<Vec<TestResult>, SpecError> {
        let plans = bind::bind_partial(trace, self.spec)?;
        let events = first..all_events(trace).end;
        let mut results = Vec::new();
        for (test, bound) in self.tests.iter_mut().zip(plans) {
            if !test.is_undecided() {
                continue;
            }
            let plan = &bound.plan;
            let state = test.state.get_or_insert_with(|| ComparisonState::new(plan));
            let mut comparison = state.with(trace, plan);
            comparison.compare(events.clone(), LossPolicy::Decide);
            comparison.end_part();
            test.bound = Some(bound);
            results.extend(test.take_result());
        }
        Ok(results)
    }

    /// A record arrived damaged. `next_event` is the number of the next record.
    pub fn damaged_record(&mut self, next_event: u64) -> Vec<TestResult> {
        let mut results = Vec::new();
        for test in self.tests.iter_mut().filter(|test| test.is_undecided()) {
            if let Some(state) = &mut test.state {
                state.lose_record(next_event);
            }
            results.extend(test.take_result());
        }
        results
    }

    /// The stream ended with this part.
    pub fn finish(&mut self, trace: &Trace) -> Vec<TestResult> {
        let mut results = Vec::new();
        for test in self.tests.iter_mut().filter(|test| test.is_undecided()) {
            if let (Some(bound), Some(state)) = (&test.bound, &mut test.state) {
                state.with(trace, &bound.plan).finish(None);
            }
            results.extend(test.take_result());
        }
        results
    }

    /// The stream broke off: the other tests are not decided.
    pub fn interrupt(&mut self) -> Vec<TestResult> {
        let mut results = Vec::new();
        for test in self.tests.iter_mut().filter(|test| test.is_undecided()) {
            if let Some(state) = &mut test.state {
                state.give_up(Uncertainty::Interrupted);
            }
            results.extend(test.take_result());
        }
        results
    }

    /// The names that the records so far did not introduce, one a test.
    pub fn unknown_names(&self) -> impl Iterator<Item = &SpecError> {
        let bound = self.tests.iter().filter(|test| test.is_selected);
        bound.filter_map(|test| test.bound.as_ref()?.unknown.as_ref())
    }
}

impl LiveTest {
    fn is_undecided(&self) -> bool {
        self.is_selected && !self.is_done
    }

    /// The result, if it was just decided.
    fn take_result(&mut self) -> Option<TestResult> {
        let bound = self.bound.as_mut()?;
        let state = self.state.as_ref().filter(|state| state.is_decided())?;
        self.is_done = true;
        let mut result = state.result(&bound.plan);
        match (&bound.unknown, result.outcome) {
            (Some(unknown), TestOutcome::Pass) => {
                result.outcome = TestOutcome::Inconclusive;
                result.uncertainty = Some(Uncertainty::UnknownName { line: unknown.line });
            }
            (Some(_), TestOutcome::Fail) => {
                // The name may have come later.
                bound.unknown = None;
            }
            _ => {}
        }
        Some(result)
    }
}
