//! A test with every name resolved.

use super::pattern::Pattern;
use rtoscope_trace::{EventIndex, KindId, Ticks};
use std::collections::BTreeSet;

/// What is to be compared with what.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) name: String,
    /// The line where the test begins.
    pub(super) line: u32,
    pub(super) part: Part,
    /// Only records that one of these fits are compared; all if there is none.
    pub(super) only: Vec<Pattern>,
    /// Kinds that may come without being expected.
    pub(super) ignored: BTreeSet<KindId>,
    /// What must nowhere occur.
    pub(super) never: Vec<Line>,
    pub(super) steps: Vec<Step>,
    /// What holds behind the last expectation.
    pub(super) rest: Between,
    /// What changes on the way, in order.
    pub(super) turns: Vec<Turn>,
}

/// Which part of a trace is compared.
#[derive(Debug)]
pub(super) enum Part {
    /// The part that patterns bound.
    Found {
        start: Option<Start>,
        until: Option<Pattern>,
    },
    /// The events behind `first` and before `end`.
    Given {
        first: EventIndex,
        end: EventIndex,
        begins: bool,
        ends: bool,
    },
}

#[derive(Debug)]
pub(super) struct Start {
    pub(super) line: Line,
    /// Whether the record that fits is compared.
    pub(super) inclusive: bool,
}

/// A line that speaks of records.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) number: u32,
    /// For people.
    pub(super) text: Box<str>,
    pub(super) pattern: Pattern,
}

/// An expectation.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) before: Between,
    pub(super) line: Line,
    /// How often; at least 1.
    pub(super) count: u32,
    /// Only records behind this one can meet it.
    pub(super) since: Option<EventIndex>,
}

/// What holds between two expectations.
#[derive(Debug, Default)]
pub(super) struct Between {
    /// Whether any records may come.
    pub(super) any: bool,
    pub(super) never: Vec<Line>,
    /// The longest time since the last match.
    pub(super) within: Option<Ticks>,
}

/// A change of the rules, or a check, at an event.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) at: EventIndex,
    pub(super) what: Change,
}

#[derive(Debug)]
pub(super) enum Change {
    /// Records of these kinds may come without being expected.
    Ignore(Vec<KindId>),
    /// Records of this kind may not.
    Heed(KindId),
    /// No expectation of before may be left. Of that line.
    Verify(u32),
    /// An order of that line makes no sense.
    Misuse(u32, String),
}
