//! What was found in a trace.

use crate::check::{CheckResult, Offender, RuleOutcome};
use rtoscope_trace::Name;
use std::fmt;

/// The first difference between a trace and a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) kind: DifferenceKind,
    /// The line that failed.
    pub(super) line: u32,
    /// That line, or its meaning.
    pub(super) expected: String,
    /// Why the record does not match; empty if that is obvious.
    pub(super) reason: String,
    /// The record that differs; `None` if there is none.
    pub(super) found: Option<TraceRecord>,
    /// Whether no missing record could have changed it.
    pub(super) is_certain: bool,
}

/// How a trace differs from a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DifferenceKind {
    /// Another record than the next expected one.
    Other,
    /// A record after the last expectation.
    Extra,
    /// No record for an expectation.
    Missing,
    /// A forbidden record.
    Forbidden,
    /// A record after its time limit.
    Late,
    /// The test contradicts itself.
    Misuse,
}

/// A record of the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TraceRecord {
    /// Event number in the recording.
    pub(super) event: u64,
    /// Name of the running context.
    pub(super) context: String,
    /// The record as a line of a sequence, see [`record_line()`](super::record_line).
    pub(super) text: String,
}

/// Why nothing can be decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Uncertainty {
    /// Records are missing before this event of the recording.
    MissingRecords(u64),
    /// The recording does not contain the start of the test.
    NoBeginning,
    /// The recording does not contain the end of the test.
    NoEnd,
}

/// The result of one comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ComparisonResult {
    /// Number of expected records.
    pub(super) expectations: u64,
    /// Number of expected records that were found.
    pub(super) matched: u64,
    pub(super) difference: Option<Difference>,
    pub(super) uncertainty: Option<Uncertainty>,
}

impl ComparisonResult {
    pub(super) fn outcome(&self) -> RuleOutcome {
        match (&self.difference, self.uncertainty) {
            (None, None) => RuleOutcome::Passed,
            (Some(difference), _) if difference.is_certain => RuleOutcome::Failed,
            (_, Some(_)) => RuleOutcome::Undecided,
            (Some(_), None) => RuleOutcome::Failed,
        }
    }

    /// Why it did not pass, in one line; `None` if it did.
    pub(super) fn problem(&self) -> Option<String> {
        let outcome = self.outcome();
        let uncertainty = self.uncertainty.filter(|_| outcome != RuleOutcome::Failed);
        let uncertainty = uncertainty.map(|it| it.to_string());
        let difference = self.difference.as_ref().map(ToString::to_string);
        let parts: Vec<_> = uncertainty.into_iter().chain(difference).collect();
        (outcome != RuleOutcome::Passed).then(|| parts.join("; "))
    }

    pub(super) fn into_check_result(self, name: &str) -> CheckResult {
        let outcome = self.outcome();
        let message = match (self.problem(), &self.difference, self.expectations) {
            (Some(problem), Some(difference), _) => format!("line {}: {problem}", difference.line),
            (Some(problem), ..) => problem,
            (None, _, 0) => String::new(),
            (None, _, all) => format!("{} of {all} expected", self.matched),
        };
        if outcome != RuleOutcome::Failed {
            return CheckResult::new(name, outcome, message);
        }
        let found = self.difference.and_then(|it| it.found);
        let offender = found.map(|record| Offender {
            subject: record.context,
            found: record.text,
            event: u32::try_from(record.event).ok(),
        });
        CheckResult::failed(name, message, offender.into_iter().collect())
    }
}

impl fmt::Display for Difference {
    /// On one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = Name::new(self.expected.as_bytes());
        match self.kind {
            DifferenceKind::Misuse => write!(f, "{expected}")?,
            DifferenceKind::Forbidden => write!(f, "must not occur: {expected}")?,
            _ => write!(f, "expected {expected}")?,
        }
        match &self.found {
            Some(found) => write!(f, "; found {}", found.text)?,
            None if self.kind == DifferenceKind::Missing => {
                f.write_str("; found no more records")?;
            }
            None => {}
        }
        match self.reason.as_str() {
            "" => Ok(()),
            reason => write!(f, " ({reason})"),
        }
    }
}

impl fmt::Display for Uncertainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingRecords(event) => {
                write!(f, "records are missing before event {event}")
            }
            Self::NoBeginning => f.write_str("the recording lacks the start of the test"),
            Self::NoEnd => f.write_str("the recording lacks the end of the test"),
        }
    }
}
