//! Results of checks.

use rtoscope_trace::printable::Printable;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// The machine-readable contract `rtoscope/check/1`: the results for all recordings.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CheckDocument {
    /// `rtoscope/check/1`.
    pub schema: &'static str,
    /// The number of results by outcome.
    #[serde(flatten)]
    pub totals: CheckTotals,
    /// The recordings, in the order of the command line.
    pub recordings: Vec<CheckedRecording>,
}

/// The number of results by outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct CheckTotals {
    /// Passed.
    pub passed: usize,
    /// Failed.
    pub failed: usize,
    /// Undecided.
    pub undecided: usize,
}

/// The results for a recording.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CheckedRecording {
    /// The name of the recording.
    pub source: String,
    /// The results, in the order of the rules.
    pub results: Vec<CheckResult>,
}

/// The outcome of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RuleOutcome {
    /// The recording satisfies it.
    Passed,
    /// The recording violates it.
    Failed,
    /// The recording does not show it.
    Undecided,
}

/// The result of a rule.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CheckResult {
    /// The name of the rule.
    pub name: String,
    /// The outcome.
    pub outcome: RuleOutcome,
    /// What was found, or why nothing could be decided.
    pub message: String,
    /// Number of occurrences of a sequence; `None` for other rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<u64>,
    /// Number of violations.
    pub violations: usize,
    /// The worst violations, the worst first.
    pub worst: Vec<Offender>,
}

/// A violation of a rule.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Offender {
    /// The thread, routine, object or other subject; empty if it is the recording.
    pub subject: String,
    /// The figure, or what happened.
    pub found: String,
    /// The event where to look.
    pub event: Option<u32>,
}

/// Number of [violations](CheckResult::worst) that are listed.
pub(crate) const MAX_OFFENDERS: usize = 5;

impl CheckDocument {
    /// Creates the document of these results.
    pub fn new(recordings: Vec<CheckedRecording>) -> Self {
        Self {
            schema: "rtoscope/check/1",
            totals: CheckTotals::of(recordings.iter().flat_map(|it| &it.results)),
            recordings,
        }
    }
}

impl CheckTotals {
    /// Counts results.
    pub fn of<'r>(results: impl IntoIterator<Item = &'r CheckResult>) -> Self {
        let mut totals = Self::default();
        for result in results {
            *match result.outcome {
                RuleOutcome::Passed => &mut totals.passed,
                RuleOutcome::Failed => &mut totals.failed,
                RuleOutcome::Undecided => &mut totals.undecided,
            } += 1;
        }
        totals
    }
}

impl RuleOutcome {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Undecided => "undecided",
        }
    }
}

impl CheckResult {
    pub(crate) fn undecided(name: &str, why: impl Into<String>) -> Self {
        Self::new(name, RuleOutcome::Undecided, why)
    }

    pub(crate) fn new(name: &str, outcome: RuleOutcome, message: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            outcome,
            message: message.into(),
            occurrences: None,
            violations: 0,
            worst: Vec::new(),
        }
    }

    pub(crate) fn failed(name: &str, message: impl Into<String>, all: Vec<Offender>) -> Self {
        let mut worst = all;
        let violations = worst.len();
        worst.truncate(MAX_OFFENDERS);
        Self {
            violations,
            worst,
            ..Self::new(name, RuleOutcome::Failed, message)
        }
    }
}

impl fmt::Display for Offender {
    /// On one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.subject.is_empty() {
            write!(f, "{}  ", Printable::text(&self.subject))?;
        }
        write!(f, "{}", Printable::text(&self.found))?;
        match self.event {
            Some(event) => write!(f, "  [event {event}]"),
            None => Ok(()),
        }
    }
}
