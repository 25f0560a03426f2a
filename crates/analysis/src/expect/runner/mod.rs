//! Compares the records of a trace with a test.

mod lost;
mod verdict;

pub(super) use lost::LossPolicy;

use super::outcome::{
    Difference, DifferenceKind, TestOutcome, TestResult, TraceRecord, Uncertainty,
};
use super::plan::{BetweenRules, Expectation, TestPlan};
use lost::LostRecords;
use rtoscope_trace::filter::BoundPattern;
use rtoscope_trace::{Event, EventIndex, EventKindId, Ticks, Trace};
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

/// Maximum number of previous matches in a difference.
const MAX_PREVIOUS_MATCHES: usize = 3;

/// The rules if no record may occur in between.
const STRICT: &BetweenRules = &BetweenRules {
    any: false,
    never: Vec::new(),
    within: None,
};

/// Compares a trace with a test, in one pass over its events up to the first
/// difference.
pub(super) fn run(trace: &Trace, plan: &TestPlan) -> TestResult {
    let mut state = ComparisonState::new(plan);
    let mut comparison = state.with(trace, plan);
    comparison.compare(all_events(trace), LossPolicy::Continue);
    comparison.finish(None);
    state.result(plan)
}

/// The events of a trace.
pub(super) fn all_events(trace: &Trace) -> Range<u32> {
    0..u32::try_from(trace.events.len()).unwrap_or(u32::MAX)
}

/// The state of a test between two parts of a recording. Numbers of events and
/// times are those of the recording.
#[derive(Debug)]
pub(super) struct ComparisonState {
    pub(super) ignored: BTreeSet<EventKindId>,
    /// Whether the start of the compared part is still to come.
    is_searching: bool,
    /// The event after which, or with which, the compared part begins; `None`
    /// if that is the whole recording.
    start: Option<u64>,
    /// The next expectation.
    next_expectation: usize,
    /// Repetitions of that expectation that were found.
    repetitions_done: u32,
    /// Time of the last match before that.
    last_match_time: Option<Ticks>,
    matched: u64,
    compared: u64,
    /// The last matches, with their lines.
    previous: VecDeque<(u32, PreviousMatch)>,
    lost: Option<LostRecords>,
    verdict: Option<Verdict>,
}

#[derive(Debug)]
enum PreviousMatch {
    /// In the part that is being compared.
    InPart(EventIndex),
    /// In an earlier part.
    Earlier(TraceRecord),
}

/// The end of a comparison.
#[derive(Debug)]
struct Verdict {
    difference: Option<Box<Difference>>,
    /// Whether no missing record could have changed it.
    certain: bool,
    /// What makes it uncertain, besides missing records.
    uncertainty: Option<Uncertainty>,
}

/// A test, and the part of a recording to compare it with.
pub(super) struct Comparison<'a> {
    trace: &'a Trace,
    plan: &'a TestPlan,
    state: &'a mut ComparisonState,
}

impl ComparisonState {
    pub(super) fn new(plan: &TestPlan) -> Self {
        Self {
            ignored: plan.ignored.clone(),
            is_searching: plan.start.is_some(),
            start: None,
            next_expectation: 0,
            repetitions_done: 0,
            last_match_time: None,
            matched: 0,
            compared: 0,
            previous: VecDeque::with_capacity(MAX_PREVIOUS_MATCHES),
            lost: None,
            verdict: None,
        }
    }

    /// The state of a test whose compared part begins after an event.
    pub(super) fn after(plan: &TestPlan, event: u64) -> Self {
        Self {
            start: Some(event),
            ..Self::new(plan)
        }
    }

    /// Continues with a part of the recording.
    pub(super) fn with<'a>(&'a mut self, trace: &'a Trace, plan: &'a TestPlan) -> Comparison<'a> {
        Comparison {
            trace,
            plan,
            state: self,
        }
    }

    pub(super) fn is_decided(&self) -> bool {
        self.verdict.is_some()
    }

    /// A record before this event was lost: decides the test if its compared part
    /// has begun.
    pub(super) fn lose_record(&mut self, next_event: u64) {
        if self.is_decided() {
            return;
        }
        self.lost.get_or_insert(LostRecords::one_before(next_event));
        if self.has_started() {
            self.verdict = Some(Verdict {
                difference: None,
                certain: false,
                uncertainty: None,
            });
        }
    }

    /// Whether the compared part has begun.
    fn has_started(&self) -> bool {
        !self.is_searching
    }

    /// The stream broke off: nothing can be decided.
    pub(super) fn give_up(&mut self, uncertainty: Uncertainty) {
        self.verdict.get_or_insert(Verdict {
            difference: None,
            certain: false,
            uncertainty: Some(uncertainty),
        });
    }

    /// Whether it is only unknown how the test ends: nothing differed yet, or
    /// records were missing at its end.
    pub(super) fn is_open_end(&self) -> bool {
        let difference = self.verdict.as_ref();
        let difference = difference.and_then(|verdict| verdict.difference.as_ref());
        difference.is_none_or(|difference| difference.kind == DifferenceKind::Missing)
    }

    /// The result so far.
    pub(super) fn result(&self, plan: &TestPlan) -> TestResult {
        self.doubted_result(plan, None)
    }

    /// The result so far, with a doubt besides missing records.
    pub(super) fn doubted_result(&self, plan: &TestPlan, doubt: Option<Uncertainty>) -> TestResult {
        let verdict = self.verdict.as_ref();
        let difference = verdict.and_then(|verdict| verdict.difference.as_deref());
        let lost = self.lost.as_ref().map(LostRecords::uncertainty);
        let given_up = verdict.and_then(|verdict| verdict.uncertainty);
        let uncertainty = lost.or(given_up).or(doubt);
        let is_certain = verdict.is_some_and(|verdict| verdict.certain);
        let outcome = match (difference, uncertainty) {
            (None, None) => TestOutcome::Pass,
            (Some(_), _) if is_certain => TestOutcome::Fail,
            (_, Some(_)) => TestOutcome::Inconclusive,
            (Some(_), None) => TestOutcome::Fail,
        };
        let expectations = plan.steps.iter().map(|step| u64::from(step.count));
        TestResult {
            name: plan.name.clone(),
            line: plan.line,
            outcome,
            expectations: expectations.fold(0, u64::saturating_add),
            matched: self.matched,
            compared: self.compared,
            difference: difference.cloned(),
            uncertainty: uncertainty.filter(|_| outcome == TestOutcome::Inconclusive),
        }
    }
}

impl Comparison<'_> {
    /// Compares events of the part, unless the test is decided.
    pub(super) fn compare(&mut self, events: Range<u32>, policy: LossPolicy) {
        if self.state.is_decided() {
            return;
        }
        for index in events.clone().map(EventIndex) {
            let Some(event) = self.trace.events.get(index) else {
                break;
            };
            let verdict = if policy == LossPolicy::Decide && self.is_lost_before(index) {
                Some(Verdict {
                    difference: None,
                    certain: false,
                    uncertainty: None,
                })
            } else {
                self.compare_next(&event)
            };
            if let Some(verdict) = verdict {
                self.state.verdict = Some(verdict);
                self.note_lost(events.start, |_, last| last.is_none_or(|last| last < index));
                return;
            }
        }
        self.note_lost(events.start, |gap, _| gap.next_event.0 < events.end);
    }

    /// The recording ends with this part, after the compared events. The answer
    /// about an open expectation has its line, unless another is given.
    pub(super) fn finish(&mut self, answer_line: Option<u32>) {
        if self.state.is_decided() {
            return;
        }
        let start = self.plan.start.as_ref().filter(|_| self.state.is_searching);
        self.state.verdict = Some(match start {
            Some(start) => {
                let kind = DifferenceKind::NoStart;
                self.fail(self.difference(kind, &start.line, None))
            }
            None => self.end(answer_line),
        });
        self.note_lost(all_events(self.trace).end, |_, _| true);
    }

    /// Keeps what the next part does not contain.
    pub(super) fn end_part(&mut self) {
        if self.state.is_decided() {
            self.state.previous.clear();
            return;
        }
        let mut previous = std::mem::take(&mut self.state.previous);
        for (_, earlier) in &mut previous {
            if let PreviousMatch::InPart(index) = earlier
                && let Some(event) = self.trace.events.get(*index)
            {
                *earlier = PreviousMatch::Earlier(self.record(&event));
            }
        }
        self.state.previous = previous;
    }

    /// The target checks that no expectation is open, in a line of its source.
    pub(super) fn verify(&mut self, line: u32) {
        if self.state.is_decided() {
            return;
        }
        if let Some(step) = self.plan.steps.get(self.state.next_expectation) {
            self.state.verdict = Some(self.fail(self.missing(step, line)));
        }
    }

    /// The test contradicts itself.
    pub(super) fn refuse(&mut self, line: u32, problem: String) {
        if self.state.is_decided() {
            return;
        }
        self.state.verdict = Some(self.fail(Difference {
            kind: DifferenceKind::Misuse,
            line,
            expected: problem,
            reason: String::new(),
            found: None,
            before: self.previous_matches(),
            answer_line: line,
        }));
    }

    /// The test ends before the target checked its expectations.
    pub(super) fn close(&mut self) {
        if !self.state.is_decided() {
            self.state.verdict = Some(self.end(Some(self.plan.line)));
        }
    }

    /// The verdict at the end of the compared part. The answer about an open
    /// expectation has its line, unless another is given.
    fn end(&self, answer_line: Option<u32>) -> Verdict {
        let step = self.plan.steps.get(self.state.next_expectation);
        let missing = step.map(|step| self.missing(step, answer_line.unwrap_or(step.line.number)));
        Verdict {
            difference: missing.map(Box::new),
            certain: false,
            uncertainty: None,
        }
    }

    /// Compares an event; returns the verdict if it decides.
    fn compare_next(&mut self, event: &Event) -> Option<Verdict> {
        let time = self.trace.recording_time(event.time);
        if self.state.is_searching {
            let start = self.plan.start.as_ref()?;
            if !start.line.pattern.matches(self.trace, event.index) {
                return None;
            }
            self.state.is_searching = false;
            self.state.start = Some(self.trace.recording_event(event.index));
            self.state.lost = None;
            self.state.last_match_time = Some(time);
            if !start.inclusive {
                return None;
            }
        } else if let Some(until) = &self.plan.until
            && until.matches(self.trace, event.index)
        {
            return Some(self.end(None));
        }
        self.state.last_match_time.get_or_insert(time);
        if let Err(verdict) = self.compare_event(event) {
            return Some(verdict);
        }
        self.is_settled().then(|| self.end(None))
    }

    /// Whether no later record can change that the test passed.
    fn is_settled(&self) -> bool {
        let TestPlan {
            steps,
            after_last: rest,
            never,
            ..
        } = self.plan;
        let matched_all = self.state.next_expectation >= steps.len();
        matched_all && rest.any && rest.never.is_empty() && never.is_empty()
    }

    /// Compares an event of the compared part.
    fn compare_event(&mut self, event: &Event) -> Result<(), Verdict> {
        let plan = self.plan;
        let fits = |pattern: &BoundPattern| pattern.matches(self.trace, event.index);
        if !plan.only.is_empty() && !plan.only.iter().any(fits) {
            return Ok(());
        }
        if let Some(never) = plan.never.iter().find(|never| fits(&never.pattern)) {
            let mut verdict = self.fail_at(DifferenceKind::Forbidden, never, event);
            verdict.certain = true;
            return Err(verdict);
        }
        let step = plan.steps.get(self.state.next_expectation);
        if let Some(step) = step.filter(|step| fits(&step.line.pattern)) {
            return self.accept(step, event);
        }
        let between = match step {
            Some(step) if self.state.repetitions_done == 0 => &step.before,
            None => &plan.after_last,
            _ => STRICT,
        };
        if let Some(never) = between.never.iter().find(|never| fits(&never.pattern)) {
            return Err(self.fail_at(DifferenceKind::Forbidden, never, event));
        }
        if self.state.ignored.contains(&event.kind) {
            return Ok(());
        }
        self.state.compared += 1;
        match step {
            _ if between.any => Ok(()),
            Some(step) => {
                let mut verdict = self.fail_at(DifferenceKind::Other, &step.line, event);
                if let Some(difference) = &mut verdict.difference {
                    difference.reason = self.reason(&step.line.pattern, event);
                }
                Err(verdict)
            }
            None => Err(self.fail(self.extra(event))),
        }
    }

    /// The event matches the next expectation.
    fn accept(&mut self, step: &Expectation, event: &Event) -> Result<(), Verdict> {
        self.state.compared += 1;
        let time = self.trace.recording_time(event.time);
        let last_match = self.state.last_match_time.unwrap_or(time);
        let passed = Ticks(time.0.saturating_sub(last_match.0));
        if let Some(limit) = step.before.within.filter(|limit| passed > *limit) {
            let mut verdict = self.fail_at(DifferenceKind::Late, &step.line, event);
            if let Some(difference) = &mut verdict.difference {
                let (passed, limit) = (self.format_duration(passed), self.format_duration(limit));
                difference.reason = format!("came after {passed}, the limit is {limit}");
            }
            return Err(verdict);
        }
        let state = &mut *self.state;
        if state.previous.len() == MAX_PREVIOUS_MATCHES {
            state.previous.pop_front();
        }
        let matched = PreviousMatch::InPart(event.index);
        state.previous.push_back((step.line.number, matched));
        state.matched += 1;
        state.repetitions_done += 1;
        if state.repetitions_done >= step.count {
            state.next_expectation += 1;
            state.repetitions_done = 0;
            state.last_match_time = Some(time);
        }
        Ok(())
    }
}
