//! Unit tests in a recording: the target states the expectations for its own records.

use super::comparison::{Comparison, Progress, Verdict};
use super::occurrences::event_count;
use super::outcome::{ComparisonResult, Difference, DifferenceKind, Uncertainty};
use super::plan::{BetweenRules, Expectation, PatternLine, SequencePlan};
use super::write;
use crate::check::CheckResult;
use rtoscope_trace::filter::{BoundPattern, FilterBinder, argument_name};
use rtoscope_trace::unit_test::{ArgumentExpectation, DirectiveKind, RecordedTests, TestDirective};
use rtoscope_trace::{EventIndex, EventKindId, Trace};
use std::collections::BTreeSet;

/// The results of the unit tests in a finished recording.
pub(crate) fn check_recorded(trace: &Trace, tests: &RecordedTests) -> Vec<CheckResult> {
    let mut target = TargetTests::new(tests.component, false);
    target.push(trace, 0, tests.directives.iter().cloned(), |_| {});
    target.finish(trace)
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
    /// Whether the target waits for answers: missing records decide a test.
    is_live: bool,
    /// Whether an order came.
    is_running: bool,
    open: Option<OpenTest>,
    /// The tests that ended.
    ended: Vec<EndedTest>,
    /// Damaged records that were answered already.
    damaged: u64,
}

/// A test that ended.
#[derive(Debug, Clone)]
pub(super) struct EndedTest {
    /// The line where it begins.
    pub(super) line: u32,
    pub(super) result: ComparisonResult,
    /// The line in the answer to the target if it did not pass.
    pub(super) answer_line: u32,
}

/// The test that receives orders.
struct OpenTest {
    plan: SequencePlan,
    progress: Progress,
    /// The event of the recording before which a record is missing.
    lost_before: Option<u64>,
    decision: Option<Decision>,
    /// Whether its start was ordered.
    has_begin: bool,
    /// Whether anything but its start was ordered.
    has_orders: bool,
    /// Whether its end, or a check of its expectations, was ordered.
    was_verified: bool,
    /// The last expectation, as ordered.
    last: Option<(EventKindId, Vec<ArgumentExpectation>)>,
    /// Kinds of ignored components.
    ignored: BTreeSet<EventKindId>,
}

/// What decided a test.
struct Decision {
    difference: Option<Difference>,
    answer_line: u32,
}

impl TargetTests {
    /// Creates tests of the records of a component, e.g. `sm`; in a live recording, missing records
    /// decide a test, as the target waits for an answer to each record.
    pub fn new(component: &'static str, is_live: bool) -> Self {
        Self {
            component,
            is_live,
            is_running: false,
            open: None,
            ended: Vec::new(),
            damaged: 0,
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
        orders: impl IntoIterator<Item = TestDirective>,
        mut answer: impl FnMut(RecordAnswer),
    ) {
        let names = FilterBinder::new(trace);
        let mut orders = orders.into_iter().peekable();
        let mut gaps = trace.gaps.iter().peekable();
        for index in (first..event_count(trace).0).map(EventIndex) {
            let mut is_lost = false;
            while let Some(gap) = gaps.next_if(|gap| gap.next_event <= index) {
                is_lost |= gap.next_event == index;
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
                if is_lost {
                    open.lose_record(trace.recording_event(index), self.is_live);
                }
                open.compare(trace, index);
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
    }

    /// A record arrived damaged; returns the answer to it, if the target waits
    /// for one. `next_event` is the number of the next record.
    pub fn damaged_record(&mut self, next_event: u64) -> Option<RecordAnswer> {
        if let Some(open) = &mut self.open {
            open.lose_record(next_event, true);
        }
        self.damaged += 1;
        self.waits().then(RecordAnswer::missing)
    }

    /// Whether the target waits for an answer to each record.
    fn waits(&self) -> bool {
        self.is_running && self.is_live
    }

    /// The recording ends; returns the results of all tests.
    pub fn finish(self, trace: &Trace) -> Vec<CheckResult> {
        let ended = self.end(trace).into_iter();
        let results = ended.map(|EndedTest { line, result, .. }| {
            result.into_check_result(&format!("unit test, line {line}"))
        });
        results.collect()
    }

    pub(super) fn end(mut self, trace: &Trace) -> Vec<EndedTest> {
        let end = event_count(trace);
        if let Some(open) = &mut self.open
            && open.decision.is_none()
            && trace.gaps.last().is_some_and(|gap| gap.next_event >= end)
        {
            open.lost_before.get_or_insert(trace.recording_event(end));
        }
        self.close_test(trace);
        self.ended
    }

    /// The answer to a record that is an order in a line, or none; `ended` is
    /// whether it ended a test.
    fn answer(&self, line: u32, ended: Option<usize>) -> RecordAnswer {
        let ended = ended.and_then(|number| self.ended.get(number)).cloned();
        let open = self.open.as_ref();
        let open = open.filter(|open| open.decision.is_some() || !open.has_begin);
        let test = ended.or_else(|| open.map(OpenTest::state));
        let failure = test.as_ref().and_then(|test| test.result.problem());
        let failed_line = test.filter(|_| failure.is_some());
        RecordAnswer {
            line: failed_line.map_or(line, |test| test.answer_line),
            failure,
        }
    }

    /// Applies an order; returns the number of the result of the test that it
    /// ended.
    fn apply(&mut self, names: &FilterBinder<'_>, order: TestDirective) -> Option<usize> {
        let trace = names.trace;
        let TestDirective { line, kind, .. } = order;
        self.is_running = true;
        if kind == DirectiveKind::Begin {
            self.close_test(trace);
            self.open = Some(OpenTest::new(trace, self.component, line, true));
            return None;
        }
        // The end of a test that did not begin ends nothing.
        let is_check = matches!(kind, DirectiveKind::End | DirectiveKind::Verify);
        if is_check && self.open.is_none() {
            return None;
        }
        // If none was begun, the recording lacks the start of this one.
        let lacking = || OpenTest::new(trace, self.component, line, false);
        let open = self.open.get_or_insert_with(lacking);
        open.has_orders = true;
        match kind {
            DirectiveKind::Begin => {}
            DirectiveKind::Verify => open.verify(trace, line),
            DirectiveKind::End => {
                open.verify(trace, line);
                let before = self.ended.len();
                self.close_test(trace);
                return Some(before);
            }
            DirectiveKind::IgnoreComponent(name) => {
                let kinds = component_kinds(trace, &name);
                open.ignored.extend(&kinds);
                open.plan.ignored.extend(&kinds);
            }
            DirectiveKind::Ignore(kind) => {
                open.plan.ignored.insert(kind);
            }
            DirectiveKind::Expect(kind, arguments) => open.expect(names, line, kind, arguments),
            DirectiveKind::IgnoreArgument(kind, index) => {
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
        open.close(trace);
        self.ended.push(open.state());
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
    fn new(trace: &Trace, component: &str, line: u32, has_begin: bool) -> Self {
        Self {
            plan: SequencePlan {
                line,
                only: vec![BoundPattern::of_kinds(&component_kinds(trace, component))],
                ..SequencePlan::default()
            },
            progress: Progress::default(),
            lost_before: None,
            decision: None,
            has_begin,
            has_orders: false,
            was_verified: false,
            last: None,
            ignored: BTreeSet::new(),
        }
    }

    /// The result so far.
    fn state(&self) -> EndedTest {
        let decision = self.decision.as_ref();
        let difference = decision.and_then(|it| it.difference.as_ref());
        let has_open_end = difference.is_none_or(|it| it.kind == DifferenceKind::Missing);
        let missing = self.lost_before.map(Uncertainty::MissingRecords);
        // A difference before the recording ended is certain.
        let doubt = match (self.has_begin, self.was_verified) {
            (false, _) => Some(Uncertainty::NoBeginning),
            (true, false) if has_open_end => Some(Uncertainty::NoEnd),
            (true, _) => None,
        };
        EndedTest {
            line: self.plan.line,
            result: ComparisonResult {
                expectations: self.plan.expectations(),
                matched: self.progress.matched,
                difference: difference.cloned(),
                uncertainty: missing.or(doubt),
            },
            answer_line: decision.map_or(self.plan.line, |it| it.answer_line),
        }
    }

    fn comparison<'o>(&'o mut self, trace: &'o Trace) -> Comparison<'o, 'o> {
        Comparison {
            trace,
            plan: &self.plan,
            progress: &mut self.progress,
        }
    }

    /// A record before this event was lost; if the target waits, it decides the test.
    fn lose_record(&mut self, next_event: u64, decides: bool) {
        if self.decision.is_some() {
            return;
        }
        self.lost_before.get_or_insert(next_event);
        if decides {
            self.decide(None, self.plan.line);
        }
    }

    fn compare(&mut self, trace: &Trace, index: EventIndex) {
        let event = trace.events.get(index).filter(|_| self.decision.is_none());
        let Some(event) = event else {
            return;
        };
        if let Some(Verdict::Differs(mismatch)) = self.comparison(trace).compare(&event) {
            let difference = mismatch.describe(trace);
            let answer_line = match difference.kind {
                DifferenceKind::Extra => self.plan.line,
                _ => difference.line,
            };
            self.decide(Some(difference), answer_line);
        }
    }

    fn decide(&mut self, difference: Option<Difference>, answer_line: u32) {
        self.decision.get_or_insert(Decision {
            difference,
            answer_line,
        });
    }

    /// No expectation may be open, in a line of the target's source.
    fn verify(&mut self, trace: &Trace, line: u32) {
        self.was_verified = true;
        self.expect_no_more(trace, line);
    }

    fn expect_no_more(&mut self, trace: &Trace, line: u32) {
        if self.decision.is_none()
            && let Verdict::Differs(mismatch) = self.comparison(trace).end()
        {
            let difference = mismatch.describe(trace);
            self.decide(Some(difference), line);
        }
    }

    /// The test ends.
    fn close(&mut self, trace: &Trace) {
        self.expect_no_more(trace, self.plan.line);
    }

    fn expect(
        &mut self,
        names: &FilterBinder<'_>,
        line: u32,
        kind: EventKindId,
        arguments: Vec<ArgumentExpectation>,
    ) {
        if !self.ignored.contains(&kind) {
            self.plan.ignored.remove(&kind);
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
        let difference = Difference {
            kind: DifferenceKind::Misuse,
            line,
            expected: problem,
            reason: String::new(),
            found: None,
            is_certain: false,
        };
        self.decide(Some(difference), line);
    }
}

fn expectation(
    names: &FilterBinder<'_>,
    line: u32,
    kind: EventKindId,
    arguments: &[ArgumentExpectation],
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
