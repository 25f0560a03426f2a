//! The figures of a recording.

use super::comparison::Subject;
use rtoscope_trace::Nanoseconds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The machine-readable contract `rtoscope/baseline/1`: the figures of recordings, to compare
/// others with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// `rtoscope/baseline/1`.
    pub schema: String,
    /// The recordings.
    pub recordings: Vec<RecordingFigures>,
}

/// The figures of a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordingFigures {
    /// The name of the recording.
    pub source: String,
    /// The figures, in the order of their table, subject and name.
    pub figures: Vec<Figure>,
    /// Subjects without figures: findings, pairs that communicate, and other rows of counts.
    #[serde(default)]
    pub others: Vec<Subject>,
}

/// A figure of a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The path of the table in the JSON document of `report`, without the numbers of rows.
    pub table: String,
    /// The thread, routine, object or other subject; empty if it is the recording.
    pub subject: String,
    /// The key of the column, such as `wake_up.p99`.
    pub figure: String,
    /// Its unit.
    pub unit: FigureUnit,
    /// Its value.
    pub value: f64,
}

/// The unit of a figure.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum FigureUnit {
    /// Nanoseconds.
    Nanoseconds,
    /// Ticks of a clock of unknown frequency.
    Ticks,
    /// Percent.
    Percent,
    /// Bytes and other amounts that do not grow with the length of the recording.
    Amount,
    /// A number in each second.
    PerSecond,
}

impl FigureUnit {
    /// A value as text.
    pub fn text(self, value: f64) -> String {
        match self {
            Self::Nanoseconds => Nanoseconds(value.round() as u64).to_string(),
            Self::Ticks => format!("{value} ticks"),
            Self::Percent => format!("{value:.1} %"),
            Self::PerSecond => format!("{value:.1}/s"),
            Self::Amount => value.to_string(),
        }
    }
}

/// The name of the schema of a [`Baseline`].
const SCHEMA: &str = "rtoscope/baseline/1";

impl Baseline {
    /// Creates a baseline.
    pub fn new(recordings: Vec<RecordingFigures>) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            recordings,
        }
    }

    /// Whether it has the schema that this version reads.
    pub fn is_readable(&self) -> bool {
        self.schema == SCHEMA
    }
}

impl RecordingFigures {
    /// The tables and their subjects.
    pub(super) fn subjects(&self) -> BTreeSet<(&str, &str)> {
        let figures = self.figures.iter().map(|it| (&*it.table, &*it.subject));
        let others = self.others.iter().map(|it| (&*it.table, &*it.subject));
        figures.chain(others).collect()
    }
}
