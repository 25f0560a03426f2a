//! Describes the first difference, and decides whether missing records could
//! have caused it.

use super::{Comparison, Verdict};
use crate::expect::outcome::{Difference, DifferenceKind, RecordMatch, TraceRecord, Uncertainty};
use crate::expect::pattern::EventPattern;
use crate::expect::plan::{Expectation, PatternLine, TraceRange};
use crate::expect::write::{argument_values, record_line};
use rtoscope_trace::{Event, EventIndex, Gap, Ticks};

impl Comparison<'_> {
    pub(super) fn fail_until(&self, difference: Difference, until: EventIndex) -> Verdict {
        Verdict {
            difference: Some(Box::new(difference)),
            certain: false,
            until,
        }
    }

    pub(super) fn fail_at(
        &self,
        kind: DifferenceKind,
        line: &PatternLine,
        event: &Event,
    ) -> Verdict {
        self.fail_until(self.difference(kind, line, Some(event)), event.index)
    }

    pub(super) fn difference(
        &self,
        kind: DifferenceKind,
        line: &PatternLine,
        event: Option<&Event>,
    ) -> Difference {
        Difference {
            kind,
            line: line.number,
            expected: line.text.to_string(),
            reason: String::new(),
            found: event.map(|event| self.record(event)),
            before: self.previous_matches(),
            answer_line: line.number,
        }
    }

    /// An expectation is open.
    pub(super) fn missing(&self, step: &Expectation, answer_line: u32) -> Difference {
        let mut difference = self.difference(DifferenceKind::Missing, &step.line, None);
        difference.answer_line = answer_line;
        if step.count > 1 {
            let (done, count) = (self.repetitions_done, step.count);
            difference.reason = format!("found {done} of {count} times");
        }
        difference
    }

    /// An event occurs after the last expectation.
    pub(super) fn extra(&self, event: &Event) -> Difference {
        let line = self
            .previous
            .back()
            .map_or(self.plan.line, |(line, _)| *line);
        Difference {
            kind: DifferenceKind::Extra,
            line,
            expected: "no more records".to_owned(),
            reason: String::new(),
            found: Some(self.record(event)),
            before: self.previous_matches(),
            answer_line: self.plan.line,
        }
    }

    /// Why an event does not match.
    pub(super) fn reason(&self, pattern: &EventPattern, event: &Event) -> String {
        if !pattern.has_kind(event.kind) {
            return "different kind".to_owned();
        }
        let Some(check) = pattern.first_failed(self.trace, event) else {
            return String::new();
        };
        let found = argument_values(self.trace, event);
        let mut of_name = found.iter().filter(|(name, _)| **name == *check.name);
        match of_name.nth(check.ordinal) {
            Some((name, value)) => format!("{name} is {value}"),
            // The context is not an argument.
            None if check.is_context() => {
                let context = self.trace.context_name(event.context);
                format!("{} is {context}", check.name)
            }
            None => format!("no {}", check.name),
        }
    }

    fn record(&self, event: &Event) -> TraceRecord {
        TraceRecord {
            event: event.index.0,
            ticks: event.time.0,
            ns: self
                .trace
                .timescale()
                .duration(event.time)
                .map(|time| time.0),
            context: self.trace.context_name(event.context),
            text: record_line(self.trace, event),
        }
    }

    pub(super) fn previous_matches(&self) -> Vec<RecordMatch> {
        let matches = self.previous.iter().filter_map(|(line, index)| {
            let event = self.trace.events.get(*index)?;
            Some(RecordMatch {
                line: *line,
                record: self.record(&event),
            })
        });
        matches.collect()
    }

    pub(super) fn format_duration(&self, ticks: Ticks) -> String {
        self.trace.timescale().duration_text(ticks)
    }
}

impl Comparison<'_> {
    /// Returns the missing records that could have changed the verdict.
    pub(super) fn uncertainty(
        &self,
        verdict: &Verdict,
        start: Option<EventIndex>,
    ) -> Option<Uncertainty> {
        let (begins, ends) = match self.plan.range {
            TraceRange::Fixed {
                has_start: begins,
                has_end: ends,
                ..
            } => (begins, ends),
            TraceRange::Searched { .. } => (true, true),
        };
        let gaps = &self.trace.gaps;
        let inside = |gap: &&Gap| {
            let begins_before = |until| {
                self.trace
                    .last_event_before(gap)
                    .is_none_or(|last| last < until)
            };
            start.is_none_or(|start| gap.next_event > start) && begins_before(verdict.until)
        };
        let mut inside = gaps.iter().filter(inside).peekable();
        if let Some(first) = inside.peek() {
            let before_event = first.next_event.0;
            let (mut count, mut missing) = (0, Some(0_u64));
            for gap in inside {
                count += 1;
                let sum = missing.zip(gap.missing);
                missing = sum.map(|(sum, more)| sum.saturating_add(more));
            }
            return Some(Uncertainty::MissingRecords {
                gaps: count,
                missing,
                before_event,
            });
        }
        if !begins {
            return Some(Uncertainty::NoBeginning);
        }
        // A difference before the recording ended is certain.
        let open = verdict.difference.as_ref();
        let open = open.is_none_or(|it| it.kind == DifferenceKind::Missing);
        (!ends && open).then_some(Uncertainty::NoEnd)
    }
}
