//! A sequence with every name resolved.

use rtoscope_trace::filter::BoundPattern;
use rtoscope_trace::{EventIndex, EventKindId, Ticks, Trace};
use std::collections::BTreeSet;

/// What to compare, and with what.
#[derive(Debug, Default)]
pub(super) struct SequencePlan {
    /// The line where it begins.
    pub(super) line: u32,
    /// Where each occurrence starts; at the first event, once, if `None`.
    pub(super) start: Option<RangeStart>,
    /// The first record after an occurrence.
    pub(super) until: Option<BoundPattern>,
    /// Only records that match one of these are compared; all if there are
    /// none.
    pub(super) only: Vec<BoundPattern>,
    /// Kinds that may occur without an expectation.
    pub(super) ignored: BTreeSet<EventKindId>,
    /// Records that must not occur anywhere.
    pub(super) never: Vec<PatternLine>,
    pub(super) steps: Vec<Expectation>,
    /// The rules after the last expectation.
    pub(super) after_last: BetweenRules,
}

#[derive(Debug)]
pub(super) struct RangeStart {
    pub(super) line: PatternLine,
    /// Whether the matching record is compared.
    pub(super) inclusive: bool,
}

/// A line with a pattern.
#[derive(Debug)]
pub(super) struct PatternLine {
    pub(super) number: u32,
    /// The text to display.
    pub(super) text: Box<str>,
    pub(super) pattern: BoundPattern,
}

/// An expectation.
#[derive(Debug)]
pub(super) struct Expectation {
    pub(super) before: BetweenRules,
    pub(super) line: PatternLine,
    /// Number of repetitions; at least 1.
    pub(super) count: u32,
}

/// The rules between two expectations.
#[derive(Debug, Default)]
pub(super) struct BetweenRules {
    /// Whether any records may occur.
    pub(super) any: bool,
    pub(super) never: Vec<PatternLine>,
    /// Maximum time since the last match.
    pub(super) within: Option<Ticks>,
}

impl SequencePlan {
    /// Number of expected records.
    pub(super) fn expectations(&self) -> u64 {
        let counts = self.steps.iter().map(|step| u64::from(step.count));
        counts.fold(0, u64::saturating_add)
    }

    /// Whether an event is compared.
    pub(super) fn includes(&self, trace: &Trace, event: EventIndex) -> bool {
        let mut only = self.only.iter();
        self.only.is_empty() || only.any(|it| it.matches(trace, event))
    }

    /// Whether an occurrence ends with its last expectation.
    pub(super) fn ends_with_last_step(&self) -> bool {
        self.start.is_some() && self.until.is_none() && !self.steps.is_empty()
    }

    /// Whether an occurrence lasts to the end of the recording: later ones are parts of the first.
    pub(super) fn is_open_ended(&self) -> bool {
        self.until.is_none() && self.steps.is_empty() && !self.never.is_empty()
    }
}
