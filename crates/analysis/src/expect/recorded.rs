//! Tests in a recording: the target states the expectations for its own
//! records.

use super::outcome::{TestResult, Uncertainty};
use super::plan::{BetweenRules, Expectation, PatternLine, TestPlan};
use super::runner::{ComparisonState, LossPolicy, all_events};
use super::write;
use rtoscope_trace::filter::{BoundPattern, FilterBinder, argument_name};
use rtoscope_trace::{EventIndex, EventKindId, Trace};
use std::collections::BTreeSet;

/// An order of a target's unit test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetOrder {
    /// The event that gives it.
    pub event: EventIndex,
    /// The line of the target's source.
    pub line: u32,
    /// What it orders.
    pub kind: TargetOrderKind,
}

/// What a unit test of a target orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetOrderKind {
    /// Begins a test.
    Begin,
    /// Ends the test; no expectation may be open.
    End,
    /// No expectation may be open.
    Verify,
    /// Records of a component may occur without an expectation.
    IgnoreComponent(String),
    /// Records of a kind may occur without an expectation.
    Ignore(EventKindId),
    /// Expects a record of a kind next. From here on records of that kind are
    /// not ignored, unless their component is.
    Expect(EventKindId, Vec<ExpectedArgument>),
    /// An argument of the last expectation may have any value: the n-th of those
    /// that it names, from 0.
    IgnoreArgument(EventKindId, usize),
}

/// An expected argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedArgument {
    /// Its name in the catalogue.
    pub name: String,
    /// The allowed values, the plainest first; any value if empty.
    pub values: Vec<u64>,
}

/// The answer to a record of a target that waits for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordAnswer {
    /// The line of the order if the record is one and nothing differs; the line
    /// that failed if something does; else 0.
    pub line: u32,
    /// Why the test does not pass, if it does not so far.
    pub failure: Option<String>,
}

/// Compares the records of a target with the orders of its unit tests, while
/// they arrive.
///
/// Only records of one component are compared. An order takes effect at its
/// record: a record before its expectation is unexpected.
pub struct TargetTests {
    component: &'static str,
    policy: LossPolicy,
    /// Whether an order came.
    is_running: bool,
    open: Option<OpenTest>,
    /// The results of the tests that ended.
    results: Vec<TestResult>,
    /// Damaged records that were answered already.
    damaged: u64,
}

/// The test that receives orders.
struct OpenTest {
    plan: TestPlan,
    state: ComparisonState,
    /// Whether its start was ordered.
    has_begin: bool,
    /// Whether anything but its start was ordered.
    has_orders: bool,
    /// Whether its end, or a check of its expectations, was ordered.
    was_verified: bool,
    /// The last expectation, as ordered.
    last: Option<(EventKindId, Vec<ExpectedArgument>)>,
    /// Kinds of ignored components.
    ignored: BTreeSet<EventKindId>,
}

impl TargetTests {
    /// Creates tests of the records of a component, e.g. `sm`, in a finished
    /// recording.
    pub fn new(component: &'static str) -> Self {
        Self {
            component,
            policy: LossPolicy::Continue,
            is_running: false,
            open: None,
            results: Vec::new(),
            damaged: 0,
        }
    }

    /// Creates tests of a target that waits for an answer to each record:
    /// missing records decide the test.
    pub fn live(component: &'static str) -> Self {
        Self {
            policy: LossPolicy::Decide,
            ..Self::new(component)
        }
    }

    /// Compares the next part of a recording, from its event `first` on, with
    /// the orders in it.
    ///
    /// Calls `answer` for each record of a live target from the first order on,
    /// and for each missing one.
    pub fn push(
        &mut self,
        trace: &Trace,
        first: u32,
        orders: impl IntoIterator<Item = TargetOrder>,
        mut answer: impl FnMut(RecordAnswer),
    ) {
        let names = FilterBinder::new(trace);
        let mut orders = orders.into_iter().peekable();
        let mut gaps = trace.gaps.iter().peekable();
        for index in (first..all_events(trace).end).map(EventIndex) {
            while let Some(gap) = gaps.next_if(|gap| gap.next_event <= index) {
                if self.waits() && gap.next_event == index {
                    let missing = gap.missing.unwrap_or_default();
                    let unanswered = missing.saturating_sub(self.damaged);
                    // A gap of 8-bit sequence numbers is no longer.
                    for _ in 0..unanswered.min(MAX_MISSING_ANSWERS) {
                        answer(RecordAnswer::missing());
                    }
                    self.damaged = 0;
                }
            }
            if let Some(open) = &mut self.open {
                let mut comparison = open.state.with(trace, &open.plan);
                comparison.compare(index.0..index.0.saturating_add(1), self.policy);
            }
            let mut line = 0;
            let mut ended = None;
            while let Some(order) = orders.next_if(|order| order.event <= index) {
                if order.event == index {
                    line = order.line;
                    ended = self.apply(&names, order);
                }
            }
            if self.waits() {
                answer(self.answer(line, ended));
            }
        }
        if let Some(open) = &mut self.open {
            open.state.with(trace, &open.plan).end_part();
        }
    }

    /// A record arrived damaged; returns the answer to it, if the target waits
    /// for one. `next_event` is the number of the next record.
    pub fn damaged_record(&mut self, next_event: u64) -> Option<RecordAnswer> {
        if let Some(open) = &mut self.open {
            open.state.lose_record(next_event);
        }
        self.damaged += 1;
        self.waits().then(RecordAnswer::missing)
    }

    /// Whether the target waits for an answer to each record.
    fn waits(&self) -> bool {
        self.is_running && self.policy == LossPolicy::Decide
    }

    /// Whether a test with orders has not ended.
    pub fn has_open_test(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.has_orders)
    }

    /// The results of the tests that ended since the last call.
    pub fn take_results(&mut self) -> Vec<TestResult> {
        std::mem::take(&mut self.results)
    }

    /// The recording ends with this part; returns the results of the tests that
    /// ended since the last call.
    pub fn finish(&mut self, trace: &Trace) -> Vec<TestResult> {
        if let Some(open) = &mut self.open {
            let line = open.plan.line;
            open.state.with(trace, &open.plan).finish(Some(line));
        }
        self.close_test(trace);
        self.take_results()
    }

    /// The stream broke off: an open test is not decided.
    pub fn interrupt(&mut self, trace: &Trace) -> Vec<TestResult> {
        if let Some(open) = &mut self.open {
            open.state.give_up(Uncertainty::Interrupted);
        }
        self.close_test(trace);
        self.take_results()
    }

    /// The answer to a record that is an order in a line, or none; `ended` is
    /// whether it ended a test.
    fn answer(&self, line: u32, ended: Option<usize>) -> RecordAnswer {
        let ended = ended.and_then(|number| self.results.get(number));
        let result = match (ended, &self.open) {
            (Some(result), _) => Some(result.clone()),
            (None, Some(open)) if open.state.is_decided() || !open.has_begin => Some(open.result()),
            (None, _) => None,
        };
        match result.as_ref().and_then(TestResult::problem) {
            Some(problem) => RecordAnswer {
                line: result.map_or(line, |result| result.answer_line()),
                failure: Some(problem),
            },
            None => RecordAnswer {
                line,
                failure: None,
            },
        }
    }

    /// Applies an order; returns the number of the result of the test that it
    /// ended.
    fn apply(&mut self, names: &FilterBinder<'_>, order: TargetOrder) -> Option<usize> {
        let trace = names.trace;
        let TargetOrder { event, line, kind } = order;
        self.is_running = true;
        if kind == TargetOrderKind::Begin {
            self.close_test(trace);
            self.open = Some(OpenTest::new(trace, self.component, event, line, true));
            return None;
        }
        // The end of a test that did not begin ends nothing.
        let is_check = matches!(kind, TargetOrderKind::End | TargetOrderKind::Verify);
        if is_check && self.open.is_none() {
            return None;
        }
        // If none was begun, the recording lacks the start of this one.
        let lacking = || OpenTest::new(trace, self.component, event, line, false);
        let open = self.open.get_or_insert_with(lacking);
        open.has_orders = true;
        match kind {
            TargetOrderKind::Begin => {}
            TargetOrderKind::Verify => open.verify(trace, line),
            TargetOrderKind::End => {
                open.verify(trace, line);
                let before = self.results.len();
                self.close_test(trace);
                return Some(before);
            }
            TargetOrderKind::IgnoreComponent(name) => {
                let kinds = component_kinds(trace, &name);
                open.ignored.extend(&kinds);
                open.state.ignored.extend(&kinds);
            }
            TargetOrderKind::Ignore(kind) => {
                open.state.ignored.insert(kind);
            }
            TargetOrderKind::Expect(kind, arguments) => open.expect(names, line, kind, arguments),
            TargetOrderKind::IgnoreArgument(kind, index) => {
                open.ignore_argument(names, line, kind, index);
            }
        }
        None
    }

    fn close_test(&mut self, trace: &Trace) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        // Targets also order a start when they begin to trace.
        if !open.has_orders {
            return;
        }
        open.state.with(trace, &open.plan).close();
        self.results.push(open.result());
    }
}

/// Maximum number of answers to records missing in one gap: sequence numbers
/// have 8 bits.
const MAX_MISSING_ANSWERS: u64 = 255;

impl RecordAnswer {
    fn missing() -> Self {
        Self {
            line: 0,
            failure: Some("the record was lost or damaged".to_owned()),
        }
    }
}

impl OpenTest {
    fn new(trace: &Trace, component: &str, first: EventIndex, line: u32, has_begin: bool) -> Self {
        let kinds = component_kinds(trace, component);
        let plan = TestPlan {
            name: format!("line {line}"),
            line,
            start: None,
            until: None,
            only: vec![BoundPattern::of_kinds(&kinds)],
            ignored: BTreeSet::new(),
            never: Vec::new(),
            steps: Vec::new(),
            after_last: BetweenRules::default(),
        };
        Self {
            state: ComparisonState::after(&plan, trace.recording_event(first)),
            plan,
            has_begin,
            has_orders: false,
            was_verified: false,
            last: None,
            ignored: BTreeSet::new(),
        }
    }

    /// The result so far.
    fn result(&self) -> TestResult {
        // A difference before the recording ended is certain.
        let doubt = match (self.has_begin, self.was_verified) {
            (false, _) => Some(Uncertainty::NoBeginning),
            (true, false) if self.state.is_open_end() => Some(Uncertainty::NoEnd),
            (true, _) => None,
        };
        self.state.doubted_result(&self.plan, doubt)
    }

    fn verify(&mut self, trace: &Trace, line: u32) {
        self.was_verified = true;
        self.state.with(trace, &self.plan).verify(line);
    }

    fn expect(
        &mut self,
        names: &FilterBinder<'_>,
        line: u32,
        kind: EventKindId,
        arguments: Vec<ExpectedArgument>,
    ) {
        if !self.ignored.contains(&kind) {
            self.state.ignored.remove(&kind);
        }
        let step = expectation(names, line, kind, &arguments);
        self.plan.steps.push(step);
        self.last = Some((kind, arguments));
    }

    fn ignore_argument(
        &mut self,
        names: &FilterBinder<'_>,
        line: u32,
        kind: EventKindId,
        index: usize,
    ) {
        if let Some((last, arguments)) = &mut self.last
            && *last == kind
            && let Some(argument) = arguments.get_mut(index)
            && let Some(step) = self.plan.steps.last_mut()
        {
            argument.values.clear();
            *step = expectation(names, step.line.number, kind, arguments);
            return;
        }
        let name = write::kind_name(names.trace, kind);
        let problem = format!(
            "cannot ignore argument {} of {name}: the last expectation has no such argument",
            index.saturating_add(1)
        );
        self.state
            .with(names.trace, &self.plan)
            .refuse(line, problem);
    }
}

fn expectation(
    names: &FilterBinder<'_>,
    line: u32,
    kind: EventKindId,
    arguments: &[ExpectedArgument],
) -> Expectation {
    let trace = names.trace;
    let known = trace.catalogue.get(kind);
    let mut text = write::kind_name(trace, kind);
    let mut values = Vec::new();
    for argument in arguments {
        let name = argument_name(&argument.name);
        let mut of_kind = known
            .into_iter()
            .flat_map(|kind| kind.all_arguments().flatten());
        let found = of_kind.find(|argument| argument_name(&argument.name) == name);
        let written = match (argument.values.first(), found) {
            (Some(value), Some(found)) => write::format_value(trace, found.meaning, *value),
            (Some(value), None) => value.to_string(),
            (None, _) => "*".to_owned(),
        };
        text.push_str(&format!(" {name}={written}"));
        if !argument.values.is_empty() {
            values.push((name, argument.values.as_slice()));
        }
    }
    let values = values.iter().map(|(name, values)| (name.as_str(), *values));
    Expectation {
        before: BetweenRules::default(),
        line: PatternLine {
            number: line,
            text: text.into(),
            pattern: names.pattern_of_values(kind, values),
        },
        count: 1,
    }
}

fn component_kinds(trace: &Trace, component: &str) -> Vec<EventKindId> {
    let kinds = trace.catalogue.iter();
    let of_component = kinds.filter(|kind| kind.component == component);
    of_component.map(|kind| kind.id).collect()
}
