//! What limits the evidence of an alignment.

use schemars::JsonSchema;
use serde::Serialize;

/// What limits the evidence of an alignment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AlignmentProblem {
    /// Its kind.
    pub kind: AlignmentProblemKind,
    /// What it means.
    pub message: &'static str,
}

/// The kind of an [`AlignmentProblem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AlignmentProblemKind {
    /// All pairs have the same direction.
    OneDirection,
    /// The pairs do not bound the drift.
    UnknownDrift,
    /// The time from an event to the arrival of its bytes is not known.
    UnknownLatency,
    /// A clock measures only part of the time, or its ticks are not of equal length.
    LossyClock,
}

impl AlignmentProblem {
    pub(super) fn new(kind: AlignmentProblemKind) -> Self {
        let message = match kind {
            AlignmentProblemKind::OneDirection => {
                "all pairs have the same direction, which bounds the offset on one side only: the \
                 fastest message is taken to need no time"
            }
            AlignmentProblemKind::UnknownDrift => {
                "the pairs do not bound the drift on both sides: more pairs, or --max-drift, do"
            }
            AlignmentProblemKind::UnknownLatency => {
                "the time from an event to the arrival of its bytes at the host is not known, nor \
                 is the drift"
            }
            AlignmentProblemKind::LossyClock => {
                "a clock measures only part of the time, or its ticks differ in length: one offset \
                 and one rate cannot place all of its events"
            }
        };
        Self { kind, message }
    }
}
