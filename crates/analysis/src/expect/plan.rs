//! A test with every name resolved.

use super::pattern::EventPattern;
use rtoscope_trace::{EventIndex, EventKindId, Ticks};
use std::collections::BTreeSet;

/// What is to be compared with what.
#[derive(Debug)]
pub(super) struct TestPlan {
    pub(super) name: String,
    /// The line where the test begins.
    pub(super) line: u32,
    pub(super) range: TraceRange,
    /// Only records that one of these fits are compared; all if there is none.
    pub(super) only: Vec<EventPattern>,
    /// Kinds that may come without being expected.
    pub(super) ignored: BTreeSet<EventKindId>,
    /// What must nowhere occur.
    pub(super) never: Vec<PatternLine>,
    pub(super) steps: Vec<Expectation>,
    /// What holds behind the last expectation.
    pub(super) after_last: BetweenRules,
    /// What changes on the way, in order.
    pub(super) rule_changes: Vec<RuleChange>,
}

/// Which part of a trace is compared.
#[derive(Debug)]
pub(super) enum TraceRange {
    /// The part that patterns bound.
    Searched {
        start: Option<RangeStart>,
        until: Option<EventPattern>,
    },
    /// The events behind `first` and before `end`.
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
    /// Whether the record that fits is compared.
    pub(super) inclusive: bool,
}

/// A line that speaks of records.
#[derive(Debug)]
pub(super) struct PatternLine {
    pub(super) number: u32,
    /// For people.
    pub(super) text: Box<str>,
    pub(super) pattern: EventPattern,
}

/// An expectation.
#[derive(Debug)]
pub(super) struct Expectation {
    pub(super) before: BetweenRules,
    pub(super) line: PatternLine,
    /// How often; at least 1.
    pub(super) count: u32,
    /// Only records behind this one can meet it.
    pub(super) since: Option<EventIndex>,
}

/// What holds between two expectations.
#[derive(Debug, Default)]
pub(super) struct BetweenRules {
    /// Whether any records may come.
    pub(super) any: bool,
    pub(super) never: Vec<PatternLine>,
    /// The longest time since the last match.
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
    /// Records of these kinds may come without being expected.
    Ignore(Vec<EventKindId>),
    /// Records of this kind may not.
    Unignore(EventKindId),
    /// No expectation of before may be left. Of that line.
    Verify(u32),
    /// An order of that line makes no sense.
    InvalidOrder(u32, String),
}
