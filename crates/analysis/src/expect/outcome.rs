//! What came of tests.

use rtoscope_trace::Name;
use serde::Serialize;
use std::fmt::{self, Write as _};

/// The machine-readable contract `rtoscope/expect/1`: what came of the tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExpectDocument {
    /// `rtoscope/expect/1`.
    pub schema: &'static str,
    /// The name of the recording.
    pub source: String,
    /// The name of the spec; `None` if the recording holds the tests itself.
    pub spec: Option<String>,
    /// How many tests passed.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
    /// How many can be said neither of, because records are missing.
    pub inconclusive: usize,
    /// The tests, in the order of the spec.
    pub tests: Vec<TestResult>,
}

impl ExpectDocument {
    /// The document of these tests.
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

    /// Whether every test passed.
    pub fn all_passed(&self) -> bool {
        self.failed == 0 && self.inconclusive == 0
    }
}

/// Whether a trace was as a test expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestOutcome {
    /// It was.
    Pass,
    /// It was not.
    Fail,
    /// Records are missing that could change the answer.
    Inconclusive,
}

/// What came of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestResult {
    /// The name that the spec gives it; empty for one without a name.
    pub name: String,
    /// The line where it begins, from 1; of a test that the recording holds, of
    /// the target's source.
    pub line: u32,
    /// What came of it.
    pub outcome: TestOutcome,
    /// How many records it expects.
    pub expectations: u64,
    /// How many of them came.
    pub matched: u64,
    /// How many records were compared, those that are ignored not counted.
    pub compared: u64,
    /// Where the trace first differs.
    pub difference: Option<Difference>,
    /// Why nothing certain can be said.
    pub uncertainty: Option<Uncertainty>,
}

/// Where a trace first differs from a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// In what way.
    pub kind: DifferenceKind,
    /// The line of the spec that is not fulfilled.
    pub line: u32,
    /// That line, or what it means.
    pub expected: String,
    /// Why the record is not what was expected; empty if that needs no words.
    pub reason: String,
    /// The record that differs; `None` if none came.
    pub found: Option<TraceRecord>,
    /// The last records that were as expected, the oldest first.
    pub before: Vec<RecordMatch>,
    /// The line that a target is told, see [`TestResult::answer_line`].
    #[serde(skip)]
    pub(super) answer_line: u32,
}

/// In what way a trace differs from a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// No record fits where the test begins.
    NoStart,
    /// Another record came than the next that is expected.
    Other,
    /// A record came though no more is expected.
    Extra,
    /// No more records came though some are expected.
    Missing,
    /// A record came that must not.
    Forbidden,
    /// The record came too late.
    Late,
    /// The test contradicts itself.
    Misuse,
}

/// A record of the trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TraceRecord {
    /// The event's number.
    pub event: u32,
    /// Ticks since the first event.
    pub ticks: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ns: Option<u64>,
    /// What executed, by name.
    pub context: String,
    /// The record as a line of a spec, see [`line()`](super::line).
    pub text: String,
}

/// A record that was as expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordMatch {
    /// The line of the spec that expects it.
    pub line: u32,
    /// The record.
    #[serde(flatten)]
    pub record: TraceRecord,
}

/// Why nothing certain can be said of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Uncertainty {
    /// Records are missing in the part that is compared.
    MissingRecords {
        /// In so many places.
        gaps: usize,
        /// How many at most, if that is known.
        missing: Option<u64>,
        /// The event behind the first of these places.
        before_event: u32,
    },
    /// The recording does not hold the beginning of the test.
    NoBeginning,
    /// The recording does not hold the end of the test.
    NoEnd,
}

impl TestResult {
    /// Whether the trace was certainly as the test expects.
    pub fn passed(&self) -> bool {
        self.outcome == TestOutcome::Pass
    }

    /// The line that a target is told: the test's if it passed, else the one
    /// that is not fulfilled.
    pub fn answer_line(&self) -> u32 {
        self.difference
            .as_ref()
            .map_or(self.line, |it| it.answer_line)
    }

    /// Why it did not pass, in one line; `None` if it did.
    pub fn problem(&self) -> Option<String> {
        if self.passed() {
            return None;
        }
        let mut text = String::new();
        if let Some(doubt) = &self.uncertainty {
            let _ = write!(text, "{doubt}");
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
    /// In one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = Name::new(self.expected.as_bytes());
        match self.kind {
            DifferenceKind::NoStart => write!(f, "nothing fits the start: {expected}")?,
            DifferenceKind::Misuse => write!(f, "{expected}")?,
            DifferenceKind::Extra => write!(f, "nothing more is expected")?,
            DifferenceKind::Forbidden => write!(f, "must not occur: {expected}")?,
            DifferenceKind::Other | DifferenceKind::Missing | DifferenceKind::Late => {
                write!(f, "expected {expected}")?;
            }
        }
        match &self.found {
            Some(found) => write!(f, "; found {}", found.text)?,
            None if self.kind == DifferenceKind::Missing => f.write_str("; found nothing more")?,
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
                    more => write!(f, " and in {} more places", more - 1),
                }
            }
            Self::NoBeginning => f.write_str("the recording lacks the beginning of the test"),
            Self::NoEnd => f.write_str("the recording lacks the end of the test"),
        }
    }
}
