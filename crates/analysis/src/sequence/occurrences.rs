//! Finds and compares each occurrence of a sequence in a trace.

use super::comparison::{Comparison, Mismatch, Progress, Verdict};
use super::outcome::{ComparisonResult, Uncertainty};
use super::plan::{PatternLine, SequencePlan};
use super::{Sequence, bind};
use crate::check::{CheckResult, MAX_OFFENDERS, Offender, RuleError, RuleOutcome};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Event, EventIndex, Ticks, Trace};

/// Maximum number of occurrences that are open at a time: each is compared with every event.
pub(super) const MAX_OPEN: usize = 64;

impl Sequence {
    /// Compares each occurrence in a trace. A rule that accepts gaps holds although records are
    /// missing.
    ///
    /// # Errors
    ///
    /// If the trace has nothing of a name in the sequence, or a time has a unit and the trace's
    /// clock has no frequency.
    pub fn check(
        &self,
        trace: &Trace,
        name: &str,
        accepts_gaps: bool,
    ) -> Result<CheckResult, RuleError> {
        let plan = bind::bind(trace, self)?;
        Ok(match &plan.start {
            Some(_) => check_each(trace, &plan, accepts_gaps).result(name),
            None => check_once(trace, &plan, accepts_gaps).into_check_result(name),
        })
    }
}

/// Compares a trace from its first event on.
pub(super) fn check_once(
    trace: &Trace,
    plan: &SequencePlan,
    accepts_gaps: bool,
) -> ComparisonResult {
    let mut progress = Progress::default();
    let mut comparison = Comparison {
        trace,
        plan,
        progress: &mut progress,
    };
    let mut decided = None;
    for event in trace.events.iter() {
        decided = comparison.compare(&event).map(|it| (it, event.index));
        if decided.is_some() {
            break;
        }
    }
    let (verdict, until) = decided.unwrap_or_else(|| (comparison.end(), event_count(trace)));
    let difference = match verdict {
        Verdict::Matched => None,
        Verdict::Differs(mismatch) => Some(mismatch.describe(trace)),
    };
    let missing = Gaps::new(trace).between(None, until);
    ComparisonResult {
        expectations: plan.expectations(),
        matched: progress.matched,
        uncertainty: missing.filter(|_| !accepts_gaps || difference.is_some()),
        difference,
    }
}

/// The gaps of a trace.
struct Gaps<'t> {
    trace: &'t Trace,
    /// The event after the last one before each gap, in order, and the highest event after these
    /// gaps.
    begins: Vec<(u32, u32)>,
}

impl<'t> Gaps<'t> {
    fn new(trace: &'t Trace) -> Self {
        let gaps = trace.gaps.iter().map(|gap| {
            let last = trace.last_event_before(gap);
            let begin = last.map_or(0, |last| last.0.saturating_add(1));
            (begin, gap.next_event.0)
        });
        let mut begins: Vec<_> = gaps.collect();
        begins.sort_unstable();
        let mut highest = 0;
        for (_, next) in &mut begins {
            highest = highest.max(*next);
            *next = highest;
        }
        Self { trace, begins }
    }

    /// Whether records are missing after the event `start` and before the event `until`.
    fn between(&self, start: Option<EventIndex>, until: EventIndex) -> Option<Uncertainty> {
        let end = self.begins.partition_point(|(begin, _)| *begin <= until.0);
        let is_over = |next: u32| start.is_some_and(|start| next <= start.0);
        let first = self.begins.partition_point(|(_, next)| is_over(*next));
        let (_, next) = self.begins.get(first..end)?.first()?;
        let event = self.trace.recording_event(EventIndex(*next));
        Some(Uncertainty::MissingRecords(event))
    }
}

/// An occurrence that is not decided.
struct OpenOccurrence {
    start: EventIndex,
    progress: Progress,
}

/// What the occurrences so far have shown.
struct Occurrences<'t, 'p> {
    trace: &'t Trace,
    plan: &'p SequencePlan,
    gaps: Gaps<'t>,
    accepts_gaps: bool,
    /// Number of occurrences that began.
    begun: u64,
    complete: u64,
    violations: u64,
    /// The worst violations, the worst first, with the start of each.
    worst: Vec<(EventIndex, Mismatch<'p>)>,
    /// Number of occurrences with missing records, the first, and the reason.
    uncertain: u64,
    first_uncertain: Option<(EventIndex, Uncertainty)>,
    /// Number of occurrences that were not compared.
    skipped: u64,
    /// Number of occurrences that are not over at the end of the recording.
    unfinished: u64,
}

fn check_each<'t, 'p>(
    trace: &'t Trace,
    plan: &'p SequencePlan,
    accepts_gaps: bool,
) -> Occurrences<'t, 'p> {
    let mut found = Occurrences {
        trace,
        plan,
        gaps: Gaps::new(trace),
        accepts_gaps,
        begun: 0,
        complete: 0,
        violations: 0,
        worst: Vec::new(),
        uncertain: 0,
        first_uncertain: None,
        skipped: 0,
        unfinished: 0,
    };
    let mut open = Vec::with_capacity(MAX_OPEN);
    for event in trace.events.iter() {
        open.retain_mut(|occurrence: &mut OpenOccurrence| {
            let verdict = found.comparison(occurrence).compare(&event);
            verdict.is_none_or(|verdict| !found.decide(occurrence.start, verdict, event.index))
        });
        found.begin(&mut open, &event);
    }
    found.finish(open);
    found
}

impl<'p> Occurrences<'_, 'p> {
    fn comparison<'o>(&'o self, occurrence: &'o mut OpenOccurrence) -> Comparison<'o, 'p> {
        Comparison {
            trace: self.trace,
            plan: self.plan,
            progress: &mut occurrence.progress,
        }
    }

    /// Begins an occurrence if an event starts one.
    fn begin(&mut self, open: &mut Vec<OpenOccurrence>, event: &Event) {
        let Some(start) = &self.plan.start else {
            return;
        };
        let is_covered = self.begun > 0 && self.plan.is_open_ended();
        if is_covered || !start.line.pattern.matches(self.trace, event.index) {
            return;
        }
        if start.inclusive && !self.plan.includes(self.trace, event.index) {
            return;
        }
        self.begun += 1;
        if open.len() == MAX_OPEN {
            let now = self.trace.recording_time(event.time);
            open.retain_mut(|occurrence| {
                let overdue = self
                    .comparison(occurrence)
                    .overdue(now)
                    .map(Verdict::Differs);
                overdue.is_none_or(|it| !self.decide(occurrence.start, it, event.index))
            });
        }
        if open.len() == MAX_OPEN {
            self.skipped += 1;
            return;
        }
        let mut occurrence = OpenOccurrence {
            start: event.index,
            progress: Progress::default(),
        };
        let verdict = self
            .comparison(&mut occurrence)
            .start(event, start.inclusive);
        match verdict {
            Some(verdict) => _ = self.decide(event.index, verdict, event.index),
            None => open.push(occurrence),
        }
    }

    /// Counts an occurrence that an event decides; returns true.
    fn decide(&mut self, start: EventIndex, verdict: Verdict<'p>, at: EventIndex) -> bool {
        self.complete += 1;
        let missing = self.gaps.between(Some(start), at);
        match (verdict, missing) {
            (Verdict::Differs(mismatch), missing) if mismatch.is_certain || missing.is_none() => {
                self.violations += 1;
                let severity = mismatch.severity();
                let place = self
                    .worst
                    .partition_point(|(_, it)| it.severity() >= severity);
                self.worst.insert(place, (start, mismatch));
                self.worst.truncate(MAX_OFFENDERS);
            }
            (Verdict::Matched, Some(_)) if self.accepts_gaps => {}
            (_, Some(missing)) => {
                self.uncertain += 1;
                self.first_uncertain.get_or_insert((start, missing));
            }
            _ => {}
        }
        true
    }

    /// The recording ends.
    fn finish(&mut self, mut open: Vec<OpenOccurrence>) {
        let end = event_count(self.trace);
        let last = self.trace.events.get(EventIndex(end.0.saturating_sub(1)));
        let now = last.map_or(Ticks(0), |event| self.trace.recording_time(event.time));
        let is_first = self.complete == 0;
        for occurrence in &mut open {
            let comparison = self.comparison(occurrence);
            let (overdue, verdict) = (comparison.overdue(now), comparison.end());
            let is_limited = comparison
                .next_step()
                .is_some_and(|it| it.before.within.is_some());
            let verdict = match (overdue, verdict) {
                (Some(overdue), _) => Verdict::Differs(overdue),
                (None, Verdict::Matched) => verdict,
                // The time is not over.
                (None, _) if is_limited => continue,
                (None, _) if is_first => verdict,
                (None, _) => {
                    self.unfinished += 1;
                    continue;
                }
            };
            self.decide(occurrence.start, verdict, end);
        }
    }

    fn result(self, name: &str) -> CheckResult {
        let all = pluralise(self.begun, "occurrence", "occurrences");
        let mut result = if self.violations > 0 {
            let message = format!("{} of {all}", self.violations);
            let worst = self.worst.iter().map(|it| self.offender(*it));
            CheckResult::failed(name, message, worst.collect())
        } else if let Some(doubt) = self.doubt() {
            CheckResult::undecided(name, format!("{all}, but {doubt}"))
        } else if let (Some(start), 0) = (&self.plan.start, self.begun) {
            let PatternLine { number, text, .. } = &start.line;
            let message = format!("line {number}: no record matches the start: {text}");
            CheckResult::failed(name, message, Vec::new())
        } else {
            CheckResult::new(name, RuleOutcome::Passed, all)
        };
        result.violations = usize::try_from(self.violations).unwrap_or(usize::MAX);
        result.occurrences = Some(self.begun);
        result
    }

    /// A violation, with the event where to look.
    fn offender(&self, (start, mismatch): (EventIndex, Mismatch<'_>)) -> Offender {
        let start = self.trace.recording_event(start);
        let difference = mismatch.describe(self.trace);
        let line = difference.line;
        let found = format!("line {line}: {difference}, in the occurrence from event {start}");
        let (subject, event) = match difference.found {
            Some(found) => (found.context, found.event),
            None => (String::new(), start),
        };
        Offender {
            subject,
            found,
            event: u32::try_from(event).ok(),
        }
    }

    /// Why the recording does not show that each occurrence matches, if so.
    fn doubt(&self) -> Option<String> {
        if let Some((start, missing)) = self.first_uncertain {
            let (count, start) = (self.uncertain, self.trace.recording_event(start));
            return Some(format!(
                "{missing}: in {count}, the first from event {start}"
            ));
        }
        let mut gaps = self.trace.gaps.iter();
        if let Some(gap) = gaps.find(|gap| !gap.is_restart && !self.accepts_gaps) {
            let event = self.trace.recording_event(gap.next_event);
            let missing = Uncertainty::MissingRecords(event);
            return Some(format!("{missing}, where others may have begun"));
        }
        match (self.skipped, self.unfinished, self.complete) {
            (0, 0, 0) if self.begun > 0 => {
                Some("none is over at the end of the recording".to_owned())
            }
            (0, 0, _) => None,
            (0, unfinished, _) => Some(format!(
                "without a limit, {unfinished} open at the end of the recording"
            )),
            (skipped, ..) => Some(format!(
                "{skipped} began while {MAX_OPEN} others were open, and were not checked"
            )),
        }
    }
}

/// The number of the event after the last one.
pub(super) fn event_count(trace: &Trace) -> EventIndex {
    EventIndex(u32::try_from(trace.events.len()).unwrap_or(u32::MAX))
}
