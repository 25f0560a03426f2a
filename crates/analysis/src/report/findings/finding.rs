//! A finding: its severity, its category, and what it says.

use rtoscope_trace::{EventIndex, Ticks};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FindingSeverity {
    /// Something went wrong.
    Critical,
    /// Something may go wrong.
    Warning,
    /// Worth knowing.
    Note,
}

impl FindingSeverity {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// The category of a finding.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum FindingCategory {
    /// Priority inversions prolonged by threads that have nothing to do with
    /// the mutex.
    UnboundedInversion,
    /// Priority inversions prolonged only by the owner.
    BoundedInversion,
    /// A stack pointer was outside its thread's stack.
    StackOverflow,
    /// A stack is more than 80 % full.
    StackUse,
    /// No stack pointer is inside its thread's stack.
    StackUnknown,
    /// A thread was ready for long and got no core.
    Starvation,
    /// A thread never ran.
    NeverRan,
    /// The cores were never idle.
    FullLoad,
    /// Interrupts take more than half of the time.
    InterruptLoad,
    /// A queue or pool was exhausted.
    Exhausted,
    /// Interrupt service routines ended without a recorded exit.
    UnfinishedIsr,
    /// Interrupts were off for much longer than usual.
    InterruptsOff,
    /// The trace is too short for reliable figures.
    TooShort,
    /// The clock does not measure time, or not all of it.
    NoTime,
    /// Events are missing.
    Loss,
    /// The scheduler's records are incomplete.
    Filtered,
    /// An assertion of the target failed.
    FailedAssertion,
    /// A state machine is defective.
    BrokenMachine,
    /// An active object had no transition for an event.
    Unhandled,
    /// Activations missed a declared deadline.
    MissedDeadline,
    /// A cycle differs from the median one.
    UnusualCycle,
    /// A fault or a reset ended the recording.
    Reset,
    /// The recording does not show what other findings need.
    Unknown,
}

impl fmt::Display for FindingCategory {
    /// Its name in the reports.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Something that needs attention.
///
/// Findings are in order: the most severe first, of equal severity by category, and of one
/// category the worst first.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Finding {
    /// Its severity.
    pub severity: FindingSeverity,
    /// Its category.
    pub category: FindingCategory,
    /// A sentence that describes it.
    pub message: String,
    /// The event where to look.
    pub event: Option<u32>,
    /// When it began; `None` if it is not an interval.
    pub start: Option<u64>,
    /// When it ended.
    pub end: Option<u64>,
    /// How bad it is among the findings of its category.
    #[serde(skip)]
    pub(super) badness: f64,
}

impl Finding {
    pub(super) fn new(
        severity: FindingSeverity,
        category: FindingCategory,
        event: Option<EventIndex>,
        message: String,
    ) -> Self {
        Self {
            severity,
            category,
            message,
            event: event.map(|event| event.0),
            start: None,
            end: None,
            badness: 0.0,
        }
    }

    /// Says how bad it is among the findings of its category, as a number that grows.
    pub(super) fn with_badness(self, badness: f64) -> Self {
        Self { badness, ..self }
    }

    /// Adds the interval that it describes: the longer, the worse.
    pub(super) fn lasting(self, interval: Option<[Ticks; 2]>) -> Self {
        let length = interval.map(|[start, end]| end.0.saturating_sub(start.0));
        Self {
            badness: length.map_or(self.badness, |length| length as f64),
            start: interval.map(|[start, _]| start.0),
            end: interval.map(|[_, end]| end.0),
            ..self
        }
    }
}
