//! Compares a trace with a test.

mod verdict;

use super::outcome::{Difference, DifferenceKind, TestOutcome, TestResult};
use super::pattern::EventPattern;
use super::plan::{BetweenRules, Expectation, RuleChangeKind, TestPlan, TraceRange};
use rtoscope_trace::{Event, EventIndex, EventKindId, Ticks, Trace};
use std::collections::{BTreeSet, VecDeque};

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
    let mut comparison = Comparison {
        trace,
        plan,
        ignored: plan.ignored.clone(),
        next_rule_change: 0,
        next_expectation: 0,
        repetitions_done: 0,
        last_match_time: Ticks::default(),
        matched: 0,
        compared: 0,
        previous: VecDeque::with_capacity(MAX_PREVIOUS_MATCHES),
    };
    let expectations = plan.steps.iter().map(|step| u64::from(step.count));
    let expectations = expectations.fold(0, u64::saturating_add);
    let (verdict, start) = match comparison.find_start() {
        Ok(start) => (comparison.compare(start), start.event),
        Err(verdict) => (verdict, None),
    };
    let uncertainty = comparison.uncertainty(&verdict, start);
    let outcome = match (&verdict.difference, uncertainty) {
        (None, None) => TestOutcome::Pass,
        (Some(_), _) if verdict.certain => TestOutcome::Fail,
        (_, Some(_)) => TestOutcome::Inconclusive,
        (Some(_), None) => TestOutcome::Fail,
    };
    TestResult {
        name: plan.name.clone(),
        line: plan.line,
        outcome,
        expectations,
        matched: comparison.matched,
        compared: comparison.compared,
        difference: verdict.difference.map(|difference| *difference),
        uncertainty: uncertainty.filter(|_| outcome == TestOutcome::Inconclusive),
    }
}

/// Where the comparison starts.
#[derive(Clone, Copy)]
struct ComparisonStart {
    /// The first compared event.
    first: u32,
    /// The event after which, or with which, the part begins.
    event: Option<EventIndex>,
    /// Whether the first event belongs to the test, whatever it is.
    inclusive: bool,
}

/// The result, and the last event that affected it.
struct Verdict {
    difference: Option<Box<Difference>>,
    /// Whether no missing record could have changed it.
    certain: bool,
    until: EventIndex,
}

struct Comparison<'a> {
    trace: &'a Trace,
    plan: &'a TestPlan,
    ignored: BTreeSet<EventKindId>,
    /// The next change of the rules.
    next_rule_change: usize,
    /// The next expectation.
    next_expectation: usize,
    /// Repetitions of that expectation that were found.
    repetitions_done: u32,
    /// Time of the last match before that.
    last_match_time: Ticks,
    matched: u64,
    compared: u64,
    /// The last matches, with their lines.
    previous: VecDeque<(u32, EventIndex)>,
}

impl<'a> Comparison<'a> {
    fn end(&self) -> u32 {
        u32::try_from(self.trace.events.len()).unwrap_or(u32::MAX)
    }

    /// Finds the start of the compared part.
    fn find_start(&mut self) -> Result<ComparisonStart, Verdict> {
        let start = match &self.plan.range {
            TraceRange::Fixed { first, .. } => {
                return Ok(ComparisonStart {
                    first: first.0.saturating_add(1),
                    event: Some(*first),
                    inclusive: false,
                });
            }
            TraceRange::Searched { start: None, .. } => {
                return Ok(ComparisonStart {
                    first: 0,
                    event: None,
                    inclusive: false,
                });
            }
            TraceRange::Searched {
                start: Some(start), ..
            } => start,
        };
        let mut events = self.trace.events.iter();
        let found = events.find(|event| start.line.pattern.matches(self.trace, event));
        let Some(found) = found else {
            let difference = self.difference(DifferenceKind::NoStart, &start.line, None);
            return Err(Verdict {
                difference: Some(Box::new(difference)),
                certain: false,
                until: EventIndex(self.end()),
            });
        };
        self.last_match_time = found.time;
        Ok(ComparisonStart {
            first: found.index.0.saturating_add(u32::from(!start.inclusive)),
            event: Some(found.index),
            inclusive: start.inclusive,
        })
    }

    fn compare(&mut self, start: ComparisonStart) -> Verdict {
        let (until, end) = match &self.plan.range {
            TraceRange::Searched { until, .. } => (until.as_ref(), self.end()),
            TraceRange::Fixed { end, .. } => (None, end.0),
        };
        let mut last = EventIndex(end);
        for index in (start.first..end).map(EventIndex) {
            let Some(event) = self.trace.events.get(index) else {
                break;
            };
            if let Some(difference) = self.apply_rule_changes(index) {
                return self.fail_until(difference, index);
            }
            let is_first = start.inclusive && index.0 == start.first;
            if !is_first && until.is_some_and(|until| until.matches(self.trace, &event)) {
                last = index;
                break;
            }
            match self.compare_event(&event) {
                Ok(()) => {}
                Err(verdict) => return verdict,
            }
            if self.is_settled() {
                last = index;
                break;
            }
        }
        if let Some(difference) = self.apply_rule_changes(EventIndex(end)) {
            return self.fail_until(difference, last);
        }
        let missing = self.plan.steps.get(self.next_expectation).map(|step| {
            let answer_line = match self.plan.range {
                TraceRange::Searched { .. } => step.line.number,
                TraceRange::Fixed { .. } => self.plan.line,
            };
            self.missing(step, answer_line)
        });
        Verdict {
            difference: missing.map(Box::new),
            certain: false,
            until: last,
        }
    }

    /// Whether no later record can change that the test passed.
    fn is_settled(&self) -> bool {
        let TestPlan {
            steps,
            after_last: rest,
            never,
            ..
        } = self.plan;
        let matched_all = self.next_expectation >= steps.len()
            && self.next_rule_change >= self.plan.rule_changes.len();
        matched_all && rest.any && rest.never.is_empty() && never.is_empty()
    }

    /// Applies the changes of the rules that are due before an event.
    fn apply_rule_changes(&mut self, index: EventIndex) -> Option<Difference> {
        while let Some(change) = self.plan.rule_changes.get(self.next_rule_change) {
            if change.at > index {
                break;
            }
            self.next_rule_change += 1;
            match &change.change {
                RuleChangeKind::Ignore(kinds) => self.ignored.extend(kinds),
                RuleChangeKind::Unignore(kind) => {
                    self.ignored.remove(kind);
                }
                RuleChangeKind::Verify(line) => {
                    let step = self.plan.steps.get(self.next_expectation);
                    let left = step.filter(|step| step.since.is_none_or(|since| since < change.at));
                    if let Some(step) = left {
                        return Some(self.missing(step, *line));
                    }
                }
                RuleChangeKind::InvalidOrder(line, problem) => {
                    return Some(Difference {
                        kind: DifferenceKind::Misuse,
                        line: *line,
                        expected: problem.clone(),
                        reason: String::new(),
                        found: None,
                        before: self.previous_matches(),
                        answer_line: *line,
                    });
                }
            }
        }
        None
    }

    /// Compares an event.
    fn compare_event(&mut self, event: &Event) -> Result<(), Verdict> {
        let plan = self.plan;
        let fits = |pattern: &EventPattern| pattern.matches(self.trace, event);
        if !plan.only.is_empty() && !plan.only.iter().any(fits) {
            return Ok(());
        }
        if let Some(never) = plan.never.iter().find(|never| fits(&never.pattern)) {
            let mut verdict = self.fail_at(DifferenceKind::Forbidden, never, event);
            verdict.certain = true;
            return Err(verdict);
        }
        let step = plan.steps.get(self.next_expectation);
        let step = step.filter(|step| step.since.is_none_or(|since| since < event.index));
        if let Some(step) = step.filter(|step| fits(&step.line.pattern)) {
            return self.accept(step, event);
        }
        let between = match step {
            Some(step) if self.repetitions_done == 0 => &step.before,
            None if self.next_expectation >= plan.steps.len() => &plan.after_last,
            _ => STRICT,
        };
        if let Some(never) = between.never.iter().find(|never| fits(&never.pattern)) {
            return Err(self.fail_at(DifferenceKind::Forbidden, never, event));
        }
        if self.ignored.contains(&event.kind) {
            return Ok(());
        }
        self.compared += 1;
        match step {
            _ if between.any => Ok(()),
            Some(step) => {
                let mut verdict = self.fail_at(DifferenceKind::Other, &step.line, event);
                if let Some(difference) = &mut verdict.difference {
                    difference.reason = self.reason(&step.line.pattern, event);
                }
                Err(verdict)
            }
            None => Err(self.fail_until(self.extra(event), event.index)),
        }
    }

    /// The event matches the next expectation.
    fn accept(&mut self, step: &'a Expectation, event: &Event) -> Result<(), Verdict> {
        self.compared += 1;
        let passed = Ticks(event.time.0.saturating_sub(self.last_match_time.0));
        if let Some(limit) = step.before.within.filter(|limit| passed > *limit) {
            let mut verdict = self.fail_at(DifferenceKind::Late, &step.line, event);
            if let Some(difference) = &mut verdict.difference {
                let (passed, limit) = (self.format_duration(passed), self.format_duration(limit));
                difference.reason = format!("came after {passed}, the limit is {limit}");
            }
            return Err(verdict);
        }
        if self.previous.len() == MAX_PREVIOUS_MATCHES {
            self.previous.pop_front();
        }
        self.previous.push_back((step.line.number, event.index));
        self.matched += 1;
        self.repetitions_done += 1;
        if self.repetitions_done >= step.count {
            self.next_expectation += 1;
            self.repetitions_done = 0;
            self.last_match_time = event.time;
        }
        Ok(())
    }
}
