//! An open trace, and its two doors.

use crate::answer::Base;
use crate::caches::Caches;
use crate::lanes::Lanes;
use crate::machines::Machines;
use crate::postings::Postings;
use crate::query::Bookmark;
use crate::told::Part;
use rtoscope_analysis::{Analysis, Census};
use rtoscope_decode::source::Input;
use rtoscope_decode::{Choice, Content, DecodeError, Interpreter, Options, Origin, Recording};
use rtoscope_trace::{KindId, Trace};
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
    pub(crate) origin: Origin,
    pub(crate) machines: Machines,
    pub(crate) lanes: Lanes,
    pub(crate) postings: Postings,
    /// The kinds that occur, by number, and how often.
    pub(crate) kinds: Vec<(KindId, u32)>,
    pub(crate) bookmarks: Vec<Bookmark>,
    pub(crate) caches: Caches,
}

impl Session {
    /// Analyses a decoded recording. `name` is what people call it.
    pub fn new(name: impl Into<String>, recording: Recording) -> Self {
        let Recording { trace, origin } = recording;
        let mut interpreter = origin.interpreter(&trace);
        let analysis = Analysis::of(&trace, Default::default(), &mut interpreter);
        let postings = Postings::of(&trace);
        let machines = Machines::of(&trace, &analysis.active);
        let lanes = Lanes::of(&trace, &analysis, &postings, &machines);
        let kinds = kinds(&analysis.census);
        Self {
            name: name.into(),
            trace,
            analysis,
            origin,
            machines,
            lanes,
            postings,
            kinds,
            bookmarks: Vec::new(),
            caches: Caches::default(),
        }
    }

    /// Decodes and analyses the stream, or the first trace buffer, in the bytes
    /// of a file.
    pub fn open(
        name: impl Into<String>,
        bytes: &[u8],
        options: &Options,
    ) -> Result<Self, DecodeError> {
        let content = Content::open(Input::new(bytes), Choice::First, None)?;
        Ok(Self::new(name, content.decode(options)?))
    }

    /// Says what the events mean.
    pub(crate) fn interpreter(&self) -> Interpreter<'_> {
        self.origin.interpreter(&self.trace)
    }

    /// What people call the recording.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The bookmarks, by event.
    pub fn bookmarks(&self) -> &[Bookmark] {
        &self.bookmarks
    }

    /// The part of the recording that the trace is.
    pub fn part(&self) -> Part {
        let base = self.trace.base;
        Part {
            base: Base {
                event: base.event,
                time: base.time.0,
            },
            events: self.event_count(),
        }
    }

    /// Ticks from the first event to the last.
    pub fn span(&self) -> u64 {
        self.trace.events.span().0
    }

    /// How often the clock ticks, in hertz, if that is known and it measures time.
    pub fn hz(&self) -> Option<u64> {
        self.trace.clock.timebase().map(|hz| hz.0.get())
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
