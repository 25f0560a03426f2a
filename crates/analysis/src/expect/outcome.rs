//! Results of tests.

use rtoscope_trace::Name;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::{self, Write as _};

/// The machine-readable contract `rtoscope/expect/1`: the results of the tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExpectDocument {
    /// `rtoscope/expect/1`.
    pub schema: &'static str,
    /// The name of the recording.
    pub source: String,
    /// The name of the spec; `None` if the recording contains the tests.
    pub spec: Option<String>,
    /// Number of passed tests.
    pub passed: usize,
    /// Number of failed tests.
    pub failed: usize,
    /// Number of inconclusive tests, because records are missing.
    pub inconclusive: usize,
    /// The tests, in the order of the spec.
    pub tests: Vec<TestResult>,
}

impl ExpectDocument {
    /// Creates the document of these tests.
    pub fn new(source: &str, spec: Option<&str>, tests: Vec<TestResult>) -> Self {
        let count = |outcome| tests.iter().filter(|test| test.outcome == outcome).count();
        Self {
            schema: "rtoscope/expect/1",
            source: source.to_owned(),
            spec: spec.map(str::to_owned),
            passed: count(TestOutcome::Pass),
            failed: count(TestOutcome::Fail),
            inconclusive: count(TestOutcome::Inconclusive),
            tests,
        }
    }
}

/// The result of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TestOutcome {
    /// The trace matched.
    Pass,
    /// The trace did not match.
    Fail,
    /// Missing records could change the result.
    Inconclusive,
}

/// The result of a test, with details.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TestResult {
    /// The name in the spec; empty for a test without a name.
    pub name: String,
    /// The line where it begins, from 1; for a test in the recording, the line
    /// of the target's source.
    pub line: u32,
    /// The result.
    pub outcome: TestOutcome,
    /// Number of expected records.
    pub expectations: u64,
    /// Number of expected records that were found.
    pub matched: u64,
    /// Number of compared records, without the ignored ones.
    pub compared: u64,
    /// The first difference of the trace.
    pub difference: Option<Difference>,
    /// Why the test is inconclusive.
    pub uncertainty: Option<Uncertainty>,
}

/// The first difference between a trace and a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Difference {
    /// The kind of difference.
    pub kind: DifferenceKind,
    /// The line of the spec that failed.
    pub line: u32,
    /// That line, or its meaning.
    pub expected: String,
    /// Why the record does not match; empty if that is obvious.
    pub reason: String,
    /// The record that differs; `None` if there is none.
    pub found: Option<TraceRecord>,
    /// The last records that matched, the oldest first.
    pub before: Vec<RecordMatch>,
    /// The line in the answer to the target, see [`TestResult::answer_line`].
    #[serde(skip)]
    pub(super) answer_line: u32,
}

/// How a trace differs from a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// No record matches the start of the test.
    NoStart,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TraceRecord {
    /// Event number in the recording.
    pub event: u64,
    /// Ticks since the recording's first event.
    pub time: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ns: Option<u64>,
    /// Name of the running context.
    pub context: String,
    /// The record as a line of a spec, see
    /// [`record_line()`](super::record_line).
    pub text: String,
}

/// A record that matched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RecordMatch {
    /// The line of the spec that expects it.
    pub line: u32,
    /// The record.
    #[serde(flatten)]
    pub record: TraceRecord,
}

/// Why a test is inconclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Uncertainty {
    /// Records are missing in the compared part.
    MissingRecords {
        /// Number of gaps.
        gaps: usize,
        /// Maximum number of missing records, if known.
        missing: Option<u64>,
        /// The event after the first gap.
        before_event: u64,
    },
    /// The recording does not contain the start of the test.
    NoBeginning,
    /// The recording does not contain the end of the test.
    NoEnd,
    /// The stream ended before the test was decided.
    Interrupted,
    /// A name of the test was not known when it was decided.
    UnknownName {
        /// The line of the spec.
        line: u32,
    },
}

impl TestResult {
    /// Whether the trace certainly matches the test.
    pub fn passed(&self) -> bool {
        self.outcome == TestOutcome::Pass
    }

    /// The line in the answer to the target: the test's if it passed, else the
    /// line that failed.
    pub fn answer_line(&self) -> u32 {
        self.difference
            .as_ref()
            .map_or(self.line, |it| it.answer_line)
    }

    /// Why the test did not pass, in one line; `None` if it did.
    pub fn problem(&self) -> Option<String> {
        if self.passed() {
            return None;
        }
        let mut text = String::new();
        if let Some(uncertainty) = &self.uncertainty {
            let _ = write!(text, "{uncertainty}");
        }
        if let Some(difference) = &self.difference {
            let separator = if text.is_empty() { "" } else { "; " };
            let _ = write!(text, "{separator}{difference}");
        }
        Some(text)
    }
}

impl fmt::Display for TestOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Inconclusive => "inconclusive",
        })
    }
}

impl fmt::Display for Difference {
    /// On one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = Name::new(self.expected.as_bytes());
        match self.kind {
            DifferenceKind::NoStart => write!(f, "no record matches the start: {expected}")?,
            DifferenceKind::Misuse => write!(f, "{expected}")?,
            DifferenceKind::Extra => write!(f, "no more records expected")?,
            DifferenceKind::Forbidden => write!(f, "must not occur: {expected}")?,
            DifferenceKind::Other | DifferenceKind::Missing | DifferenceKind::Late => {
                write!(f, "expected {expected}")?;
            }
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
            Self::MissingRecords {
                gaps,
                missing,
                before_event,
            } => {
                match missing {
                    Some(1) => f.write_str("1 record is missing")?,
                    Some(missing) => write!(f, "{missing} records are missing")?,
                    None => f.write_str("records are missing")?,
                }
                write!(f, " before event {before_event}")?;
                match gaps {
                    0 | 1 => Ok(()),
                    more => write!(f, " and in {} more gaps", more - 1),
                }
            }
            Self::NoBeginning => f.write_str("the recording lacks the start of the test"),
            Self::NoEnd => f.write_str("the recording lacks the end of the test"),
            Self::Interrupted => f.write_str("the stream ended before the test was decided"),
            Self::UnknownName { line } => {
                write!(f, "a name in line {line} of the spec is not known")
            }
        }
    }
}
