//! A test with every name resolved.

use super::pattern::EventPattern;
use rtoscope_trace::{EventIndex, EventKindId, Ticks};
use std::collections::BTreeSet;

/// What to compare, and with what.
#[derive(Debug)]
pub(super) struct TestPlan {
    pub(super) name: String,
    /// The line where the test begins.
    pub(super) line: u32,
    pub(super) range: TraceRange,
    /// Only records that match one of these are compared; all if there are
    /// none.
    pub(super) only: Vec<EventPattern>,
    /// Kinds that may occur without an expectation.
    pub(super) ignored: BTreeSet<EventKindId>,
    /// Records that must not occur anywhere.
    pub(super) never: Vec<PatternLine>,
    pub(super) steps: Vec<Expectation>,
    /// The rules after the last expectation.
    pub(super) after_last: BetweenRules,
    /// Changes of the rules, in order.
    pub(super) rule_changes: Vec<RuleChange>,
}

/// The compared part of a trace.
#[derive(Debug)]
pub(super) enum TraceRange {
    /// The part between matches of patterns.
    Searched {
        start: Option<RangeStart>,
        until: Option<EventPattern>,
    },
    /// The events after `first` and before `end`.
    Fixed {
        first: EventIndex,
        end: EventIndex,
        has_start: bool,
        has_end: bool,
    },
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
    pub(super) pattern: EventPattern,
}

/// An expectation.
#[derive(Debug)]
pub(super) struct Expectation {
    pub(super) before: BetweenRules,
    pub(super) line: PatternLine,
    /// Number of repetitions; at least 1.
    pub(super) count: u32,
    /// Only records after this one can match it.
    pub(super) since: Option<EventIndex>,
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

/// A change of the rules, or a check, at an event.
#[derive(Debug)]
pub(super) struct RuleChange {
    pub(super) at: EventIndex,
    pub(super) change: RuleChangeKind,
}

#[derive(Debug)]
pub(super) enum RuleChangeKind {
    /// Records of these kinds may occur without an expectation.
    Ignore(Vec<EventKindId>),
    /// Records of this kind may no longer.
    Unignore(EventKindId),
    /// No earlier expectation may be open. With the line of the check.
    Verify(u32),
    /// An order is invalid. With its line.
    InvalidOrder(u32, String),
}
