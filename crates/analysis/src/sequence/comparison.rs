//! Compares the records of a trace with a sequence.

use super::outcome::{Difference, DifferenceKind, TraceRecord};
use super::plan::{BetweenRules, Expectation, PatternLine, SequencePlan};
use super::write::{argument_values, record_line};
use rtoscope_trace::filter::BoundPattern;
use rtoscope_trace::{Event, EventIndex, Ticks, Trace};

/// The rules if no record may occur in between.
const STRICT: &BetweenRules = &BetweenRules {
    any: false,
    never: Vec::new(),
    within: None,
};

/// How far an occurrence has matched. Times are those of the recording.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Progress {
    /// The next expectation.
    next_step: usize,
    /// Repetitions of that expectation that were found.
    repetitions_done: u32,
    /// Time of the last match before that, or of the start.
    last_match: Option<Ticks>,
    pub(super) matched: u64,
}

/// The end of a comparison.
#[derive(Debug, Clone, Copy)]
pub(super) enum Verdict<'p> {
    Matched,
    Differs(Mismatch<'p>),
}

/// The first difference, not described yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mismatch<'p> {
    kind: DifferenceKind,
    line: u32,
    /// What that line expects or forbids; `None` if no more records are expected.
    pattern: Option<&'p PatternLine>,
    found: Option<EventIndex>,
    note: Note,
    /// Whether no missing record could have changed it.
    pub(super) is_certain: bool,
}

#[derive(Debug, Clone, Copy)]
enum Note {
    None,
    /// The time since the last match, and its limit.
    Late(Ticks, Ticks),
    /// The repetitions found, and their number.
    Repetitions(u32, u32),
}

/// A sequence, and how far an occurrence in a trace has matched.
pub(super) struct Comparison<'a, 'p> {
    pub(super) trace: &'a Trace,
    pub(super) plan: &'p SequencePlan,
    pub(super) progress: &'a mut Progress,
}

impl<'p> Comparison<'_, 'p> {
    /// Compares the event with which, or after which, an occurrence starts.
    pub(super) fn start(&mut self, event: &Event, is_inclusive: bool) -> Option<Verdict<'p>> {
        self.progress.last_match = Some(self.trace.recording_time(event.time));
        is_inclusive.then(|| self.compare_inside(event)).flatten()
    }

    /// Compares the next event; returns the verdict if it decides.
    pub(super) fn compare(&mut self, event: &Event) -> Option<Verdict<'p>> {
        let until = self.plan.until.as_ref();
        if until.is_some_and(|until| until.matches(self.trace, event.index)) {
            return Some(self.end());
        }
        self.compare_inside(event)
    }

    fn compare_inside(&mut self, event: &Event) -> Option<Verdict<'p>> {
        let time = self.trace.recording_time(event.time);
        self.progress.last_match.get_or_insert(time);
        match self.compare_event(event) {
            Some(mismatch) => Some(Verdict::Differs(mismatch)),
            None => self.is_settled().then_some(Verdict::Matched),
        }
    }

    /// Whether no later record can change that the occurrence matched.
    fn is_settled(&self) -> bool {
        let rest = &self.plan.after_last;
        let is_free = rest.any && rest.never.is_empty() && self.plan.never.is_empty();
        self.next_step().is_none() && (is_free || self.plan.ends_with_last_step())
    }

    /// The expectation that is open.
    pub(super) fn next_step(&self) -> Option<&'p Expectation> {
        self.plan.steps.get(self.progress.next_step)
    }

    /// The verdict at the end of the occurrence.
    pub(super) fn end(&self) -> Verdict<'p> {
        let Some(step) = self.next_step() else {
            return Verdict::Matched;
        };
        let mismatch = mismatch(DifferenceKind::Missing, &step.line, None);
        Verdict::Differs(Mismatch {
            note: match step.count {
                1 => Note::None,
                count => Note::Repetitions(self.progress.repetitions_done, count),
            },
            ..mismatch
        })
    }

    /// The mismatch at the end of the recording, or later, if the time of the open expectation is
    /// over.
    pub(super) fn overdue(&self, now: Ticks) -> Option<Mismatch<'p>> {
        self.late(self.next_step()?, now, None)
    }

    fn compare_event(&mut self, event: &Event) -> Option<Mismatch<'p>> {
        let plan = self.plan;
        let fits = |pattern: &BoundPattern| pattern.matches(self.trace, event.index);
        if !plan.includes(self.trace, event.index) {
            return None;
        }
        let found = Some(event.index);
        let forbidden = |never: &'p [PatternLine]| {
            let never = never.iter().find(|never| fits(&never.pattern))?;
            Some(mismatch(DifferenceKind::Forbidden, never, found))
        };
        if let Some(mismatch) = forbidden(&plan.never) {
            return Some(Mismatch {
                is_certain: true,
                ..mismatch
            });
        }
        let step = self.next_step();
        if let Some(step) = step.filter(|step| fits(&step.line.pattern)) {
            return self.accept(step, event);
        }
        let between = match step {
            Some(step) if self.progress.repetitions_done == 0 => &step.before,
            None => &plan.after_last,
            _ => STRICT,
        };
        let forbidden = forbidden(&between.never);
        if forbidden.is_some() || between.any || plan.ignored.contains(&event.kind) {
            return forbidden;
        }
        Some(match step {
            Some(step) => mismatch(DifferenceKind::Other, &step.line, found),
            None => Mismatch {
                kind: DifferenceKind::Extra,
                line: plan.steps.last().map_or(plan.line, |it| it.line.number),
                pattern: None,
                found,
                note: Note::None,
                is_certain: false,
            },
        })
    }

    /// The event matches the next expectation.
    fn accept(&mut self, step: &'p Expectation, event: &Event) -> Option<Mismatch<'p>> {
        let time = self.trace.recording_time(event.time);
        if let Some(late) = self.late(step, time, Some(event.index)) {
            return Some(late);
        }
        let progress = &mut *self.progress;
        progress.matched += 1;
        progress.repetitions_done += 1;
        if progress.repetitions_done >= step.count {
            progress.next_step += 1;
            progress.repetitions_done = 0;
            progress.last_match = Some(time);
        }
        None
    }

    fn late(
        &self,
        step: &'p Expectation,
        now: Ticks,
        found: Option<EventIndex>,
    ) -> Option<Mismatch<'p>> {
        let limit = step.before.within?;
        let last_match = self.progress.last_match.unwrap_or(now);
        let passed = Ticks(now.0.saturating_sub(last_match.0));
        (passed > limit).then(|| Mismatch {
            note: Note::Late(passed, limit),
            ..mismatch(DifferenceKind::Late, &step.line, found)
        })
    }
}

fn mismatch(
    kind: DifferenceKind,
    pattern: &PatternLine,
    found: Option<EventIndex>,
) -> Mismatch<'_> {
    Mismatch {
        kind,
        line: pattern.number,
        pattern: Some(pattern),
        found,
        note: Note::None,
        is_certain: false,
    }
}

impl Mismatch<'_> {
    /// How late the record was; any other difference is worse.
    pub(super) fn severity(&self) -> Ticks {
        match self.note {
            Note::Late(passed, _) => passed,
            _ => Ticks(u64::MAX),
        }
    }

    pub(super) fn describe(&self, trace: &Trace) -> Difference {
        let found = self.found.and_then(|found| trace.events.get(found));
        let duration = |ticks| trace.timescale().duration_text(ticks);
        let reason = match (self.note, self.pattern, &found) {
            (Note::Late(passed, limit), _, Some(_)) => {
                let (passed, limit) = (duration(passed), duration(limit));
                format!("came after {passed}, the limit is {limit}")
            }
            (Note::Late(_, limit), ..) => format!("not within {}", duration(limit)),
            (Note::Repetitions(done, count), ..) => format!("found {done} of {count} times"),
            (Note::None, Some(line), Some(event)) if self.kind == DifferenceKind::Other => {
                mismatch_reason(trace, &line.pattern, event)
            }
            _ => String::new(),
        };
        Difference {
            kind: self.kind,
            line: self.line,
            expected: self.pattern.map_or_else(
                || "no more records".to_owned(),
                |pattern| pattern.text.to_string(),
            ),
            reason,
            found: found.map(|event| TraceRecord {
                event: trace.recording_event(event.index),
                context: trace.context_name(event.context),
                text: record_line(trace, &event),
            }),
            is_certain: self.is_certain,
        }
    }
}

/// Why an event does not match.
fn mismatch_reason(trace: &Trace, pattern: &BoundPattern, event: &Event) -> String {
    if !pattern.has_kind_of(trace, event.index) {
        return "different kind".to_owned();
    }
    let Some(failed) = pattern.first_failed(trace, event.index) else {
        return String::new();
    };
    let found = argument_values(trace, event);
    let mut of_name = found.iter().filter(|(name, _)| **name == *failed.name);
    match (of_name.nth(failed.ordinal), &*failed.name) {
        (Some((name, value)), _) => format!("{name} is {value}"),
        (None, "context") if failed.is_field => {
            format!("context is {}", trace.context_name(event.context))
        }
        (None, name) if failed.is_field => format!("different {name}"),
        (None, name) => format!("no {name}"),
    }
}
