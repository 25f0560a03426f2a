//! Describes the first difference.

use super::{Comparison, PreviousMatch, Verdict};
use crate::expect::outcome::{Difference, DifferenceKind, RecordMatch, TraceRecord};
use crate::expect::plan::{Expectation, PatternLine};
use crate::expect::write::{argument_values, record_line};
use rtoscope_trace::filter::BoundPattern;
use rtoscope_trace::{Event, Ticks};

impl Comparison<'_> {
    pub(super) fn fail(&self, difference: Difference) -> Verdict {
        Verdict {
            difference: Some(Box::new(difference)),
            certain: false,
            uncertainty: None,
        }
    }

    pub(super) fn fail_at(
        &self,
        kind: DifferenceKind,
        line: &PatternLine,
        event: &Event,
    ) -> Verdict {
        self.fail(self.difference(kind, line, Some(event)))
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
            let (done, count) = (self.state.repetitions_done, step.count);
            difference.reason = format!("found {done} of {count} times");
        }
        difference
    }

    /// An event occurs after the last expectation.
    pub(super) fn extra(&self, event: &Event) -> Difference {
        let line = self
            .state
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
    pub(super) fn reason(&self, pattern: &BoundPattern, event: &Event) -> String {
        if !pattern.has_kind_of(self.trace, event.index) {
            return "different kind".to_owned();
        }
        let Some(failed) = pattern.first_failed(self.trace, event.index) else {
            return String::new();
        };
        let found = argument_values(self.trace, event);
        let mut of_name = found.iter().filter(|(name, _)| **name == *failed.name);
        match (of_name.nth(failed.ordinal), &*failed.name) {
            (Some((name, value)), _) => format!("{name} is {value}"),
            (None, "context") if failed.is_field => {
                format!("context is {}", self.trace.context_name(event.context))
            }
            (None, name) if failed.is_field => format!("different {name}"),
            (None, name) => format!("no {name}"),
        }
    }

    pub(super) fn record(&self, event: &Event) -> TraceRecord {
        TraceRecord {
            event: self.trace.recording_event(event.index),
            time: self.trace.recording_time(event.time).0,
            time_ns: self.trace.timescale().time(event.time).map(|time| time.0),
            context: self.trace.context_name(event.context),
            text: record_line(self.trace, event),
        }
    }

    pub(super) fn previous_matches(&self) -> Vec<RecordMatch> {
        let matches = self.state.previous.iter().filter_map(|(line, earlier)| {
            let record = match earlier {
                PreviousMatch::InPart(index) => self.record(&self.trace.events.get(*index)?),
                PreviousMatch::Earlier(record) => record.clone(),
            };
            Some(RecordMatch {
                line: *line,
                record,
            })
        });
        matches.collect()
    }

    pub(super) fn format_duration(&self, ticks: Ticks) -> String {
        self.trace.timescale().duration_text(ticks)
    }
}
