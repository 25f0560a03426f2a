//! An open trace, and its two doors.

use crate::caches::Caches;
use crate::lanes::Lanes;
use crate::postings::Postings;
use crate::query::Bookmark;
use rtoscope_analysis::{Analysis, Census};
use rtoscope_decode::threadx::{self, Interpreter};
use rtoscope_trace::{KindId, Statistic, Trace};
use std::collections::BTreeMap;

/// What a session answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// JSON, of the type that the question names.
    Json(String),
    /// What lanes show, see [`lanes::answer`](crate::lanes::answer).
    Lanes(Vec<u8>),
}

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// {what} is {value}, expected {expected}
    #[error("{what} is {value}, expected {expected}")]
    OutOfRange {
        /// What is out of range.
        what: &'static str,
        /// What it is.
        value: String,
        /// What it could be.
        expected: String,
    },
    /// The filter, where in it, and what was expected
    #[error("{0}")]
    Filter(String),
    /// there is no report {0}
    #[error("there is no report {0:?}")]
    NoSuchReport(String),
}

/// An open trace, what was made of it, and its notes.
pub struct Session {
    pub(crate) name: String,
    pub(crate) trace: Trace,
    pub(crate) analysis: Analysis,
    pub(crate) statistics: &'static [Statistic],
    pub(crate) lanes: Lanes,
    pub(crate) postings: Postings,
    /// The kinds that occur, by number, and how often.
    pub(crate) kinds: Vec<(KindId, u32)>,
    pub(crate) bookmarks: Vec<Bookmark>,
    pub(crate) caches: Caches,
}

impl Session {
    /// Analyses a decoded trace. `name` is what people call the recording;
    /// `statistics` say what the target's components count.
    pub fn new(name: impl Into<String>, trace: Trace, statistics: &'static [Statistic]) -> Self {
        let mut interpreter = Interpreter::new(&trace);
        let analysis = Analysis::of(&trace, Default::default(), &mut interpreter);
        let postings = Postings::of(&trace);
        let lanes = Lanes::of(&trace, &analysis, &postings);
        let kinds = kinds(&analysis.census);
        Self {
            name: name.into(),
            trace,
            analysis,
            statistics,
            lanes,
            postings,
            kinds,
            bookmarks: Vec::new(),
            caches: Caches::default(),
        }
    }

    /// Decodes and analyses the first trace buffer in the bytes of a file.
    pub fn open(
        name: impl Into<String>,
        bytes: &[u8],
        options: &threadx::Options,
    ) -> Result<Self, rtoscope_decode::DecodeError> {
        let input = rtoscope_decode::source::Input::new(bytes);
        let opened = rtoscope_decode::open(input, rtoscope_decode::Choice::First)?;
        let recording = opened.decode(options)?;
        let statistics = threadx::catalogue::statistics(options.netx);
        Ok(Self::new(name, recording.trace, statistics))
    }

    /// What people call the recording.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The bookmarks, by event.
    pub fn bookmarks(&self) -> &[Bookmark] {
        &self.bookmarks
    }

    /// How often the clock ticks, in hertz, if that is known.
    pub fn hz(&self) -> Option<u64> {
        self.trace
            .clock
            .frequency
            .map(|frequency| frequency.0.get())
    }
}

/// The kinds that occur, by number, and how often.
fn kinds(census: &Census) -> Vec<(KindId, u32)> {
    let mut kinds = BTreeMap::new();
    for ((_, kind), count) in &census.services {
        let sum: &mut u32 = kinds.entry(*kind).or_default();
        *sum = sum.saturating_add(u32::try_from(*count).unwrap_or(u32::MAX));
    }
    kinds.into_iter().collect()
}
