//! Compares a trace with a test.

mod difference;
mod doubt;

use super::outcome::{Difference, DifferenceKind, Outcome, TestResult};
use super::pattern::Pattern;
use super::plan::{Between, Change, Part, Plan, Step};
use rtoscope_trace::{Event, EventIndex, KindId, Ticks, Trace};
use std::collections::{BTreeSet, VecDeque};

/// How many of the last matches a difference tells.
const TOLD: usize = 3;

/// What holds where nothing may come in between.
const STRICT: &Between = &Between {
    any: false,
    never: Vec::new(),
    within: None,
};

/// Compares a trace with a test: once over its events, up to the first
/// difference.
pub(super) fn run(trace: &Trace, plan: &Plan) -> TestResult {
    let mut course = Course {
        trace,
        plan,
        ignored: plan.ignored.clone(),
        turn: 0,
        step: 0,
        done: 0,
        last: Ticks::default(),
        matched: 0,
        compared: 0,
        before: VecDeque::with_capacity(TOLD),
    };
    let expectations = plan.steps.iter().map(|step| u64::from(step.count));
    let expectations = expectations.fold(0, u64::saturating_add);
    let (verdict, anchor) = match course.anchor() {
        Ok(anchor) => (course.compare(anchor), anchor.event),
        Err(verdict) => (verdict, None),
    };
    let doubt = course.doubt(&verdict, anchor);
    let outcome = match (&verdict.difference, doubt) {
        (None, None) => Outcome::Pass,
        (Some(_), _) if verdict.certain => Outcome::Fail,
        (_, Some(_)) => Outcome::Inconclusive,
        (Some(_), None) => Outcome::Fail,
    };
    TestResult {
        name: plan.name.clone(),
        line: plan.line,
        outcome,
        expectations,
        matched: course.matched,
        compared: course.compared,
        difference: verdict.difference.map(|difference| *difference),
        doubt: doubt.filter(|_| outcome == Outcome::Inconclusive),
    }
}

/// Where comparing begins.
#[derive(Clone, Copy)]
struct Anchor {
    /// The first event that is compared.
    first: u32,
    /// The event behind which, or with which, the part begins.
    event: Option<EventIndex>,
    /// Whether the first event belongs to the test whatever it is.
    inclusive: bool,
}

/// What was found, and the last event that mattered.
struct Verdict {
    difference: Option<Box<Difference>>,
    /// Whether no missing record could have changed it.
    certain: bool,
    until: EventIndex,
}

struct Course<'a> {
    trace: &'a Trace,
    plan: &'a Plan,
    ignored: BTreeSet<KindId>,
    /// The next turn.
    turn: usize,
    /// The next expectation.
    step: usize,
    /// How often that was met already.
    done: u32,
    /// When the last expectation was met before that.
    last: Ticks,
    matched: u64,
    compared: u64,
    /// The last matches, with their lines.
    before: VecDeque<(u32, EventIndex)>,
}

impl<'a> Course<'a> {
    fn end(&self) -> u32 {
        u32::try_from(self.trace.events.len()).unwrap_or(u32::MAX)
    }

    /// Looks for the start of the part that is compared.
    fn anchor(&mut self) -> Result<Anchor, Verdict> {
        let start = match &self.plan.part {
            Part::Given { first, .. } => {
                return Ok(Anchor {
                    first: first.0.saturating_add(1),
                    event: Some(*first),
                    inclusive: false,
                });
            }
            Part::Found { start: None, .. } => {
                return Ok(Anchor {
                    first: 0,
                    event: None,
                    inclusive: false,
                });
            }
            Part::Found {
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
        self.last = found.time;
        Ok(Anchor {
            first: found.index.0.saturating_add(u32::from(!start.inclusive)),
            event: Some(found.index),
            inclusive: start.inclusive,
        })
    }

    fn compare(&mut self, anchor: Anchor) -> Verdict {
        let (until, end) = match &self.plan.part {
            Part::Found { until, .. } => (until.as_ref(), self.end()),
            Part::Given { end, .. } => (None, end.0),
        };
        let mut last = EventIndex(end);
        for index in (anchor.first..end).map(EventIndex) {
            let Some(event) = self.trace.events.get(index) else {
                break;
            };
            if let Some(difference) = self.turns(index) {
                return self.differs(difference, index);
            }
            let is_first = anchor.inclusive && index.0 == anchor.first;
            if !is_first && until.is_some_and(|until| until.matches(self.trace, &event)) {
                last = index;
                break;
            }
            match self.event(&event) {
                Ok(()) => {}
                Err(verdict) => return verdict,
            }
            if self.is_settled() {
                last = index;
                break;
            }
        }
        if let Some(difference) = self.turns(EventIndex(end)) {
            return self.differs(difference, last);
        }
        let missing = self.plan.steps.get(self.step).map(|step| {
            let answer_line = match self.plan.part {
                Part::Found { .. } => step.line.number,
                Part::Given { .. } => self.plan.line,
            };
            self.missing(step, answer_line)
        });
        Verdict {
            difference: missing.map(Box::new),
            certain: false,
            until: last,
        }
    }

    /// Whether whatever comes cannot change that the test passed.
    fn is_settled(&self) -> bool {
        let Plan {
            steps, rest, never, ..
        } = self.plan;
        let met = self.step >= steps.len() && self.turn >= self.plan.turns.len();
        met && rest.any && rest.never.is_empty() && never.is_empty()
    }

    /// Makes the changes that are due before an event.
    fn turns(&mut self, index: EventIndex) -> Option<Difference> {
        while let Some(turn) = self.plan.turns.get(self.turn) {
            if turn.at > index {
                break;
            }
            self.turn += 1;
            match &turn.what {
                Change::Ignore(kinds) => self.ignored.extend(kinds),
                Change::Heed(kind) => {
                    self.ignored.remove(kind);
                }
                Change::Verify(line) => {
                    let step = self.plan.steps.get(self.step);
                    let left = step.filter(|step| step.since.is_none_or(|since| since < turn.at));
                    if let Some(step) = left {
                        return Some(self.missing(step, *line));
                    }
                }
                Change::Misuse(line, problem) => {
                    return Some(Difference {
                        kind: DifferenceKind::Misuse,
                        line: *line,
                        expected: problem.clone(),
                        reason: String::new(),
                        found: None,
                        before: self.told(),
                        answer_line: *line,
                    });
                }
            }
        }
        None
    }

    /// Compares an event.
    fn event(&mut self, event: &Event) -> Result<(), Verdict> {
        let plan = self.plan;
        let fits = |pattern: &Pattern| pattern.matches(self.trace, event);
        if !plan.only.is_empty() && !plan.only.iter().any(fits) {
            return Ok(());
        }
        if let Some(never) = plan.never.iter().find(|never| fits(&never.pattern)) {
            let mut verdict = self.finds(DifferenceKind::Forbidden, never, event);
            verdict.certain = true;
            return Err(verdict);
        }
        let step = plan.steps.get(self.step);
        let step = step.filter(|step| step.since.is_none_or(|since| since < event.index));
        if let Some(step) = step.filter(|step| fits(&step.line.pattern)) {
            return self.meets(step, event);
        }
        let between = match step {
            Some(step) if self.done == 0 => &step.before,
            None if self.step >= plan.steps.len() => &plan.rest,
            _ => STRICT,
        };
        if let Some(never) = between.never.iter().find(|never| fits(&never.pattern)) {
            return Err(self.finds(DifferenceKind::Forbidden, never, event));
        }
        if self.ignored.contains(&event.kind) {
            return Ok(());
        }
        self.compared += 1;
        match step {
            _ if between.any => Ok(()),
            Some(step) => {
                let mut verdict = self.finds(DifferenceKind::Other, &step.line, event);
                if let Some(difference) = &mut verdict.difference {
                    difference.reason = self.reason(&step.line.pattern, event);
                }
                Err(verdict)
            }
            None => Err(self.differs(self.extra(event), event.index)),
        }
    }

    /// An event is the one that is expected next.
    fn meets(&mut self, step: &'a Step, event: &Event) -> Result<(), Verdict> {
        self.compared += 1;
        let passed = Ticks(event.time.0.saturating_sub(self.last.0));
        if let Some(limit) = step.before.within.filter(|limit| passed > *limit) {
            let mut verdict = self.finds(DifferenceKind::Late, &step.line, event);
            if let Some(difference) = &mut verdict.difference {
                let (passed, limit) = (self.duration(passed), self.duration(limit));
                difference.reason = format!("came after {passed}, the limit is {limit}");
            }
            return Err(verdict);
        }
        if self.before.len() == TOLD {
            self.before.pop_front();
        }
        self.before.push_back((step.line.number, event.index));
        self.matched += 1;
        self.done += 1;
        if self.done >= step.count {
            self.step += 1;
            self.done = 0;
            self.last = event.time;
        }
        Ok(())
    }
}
