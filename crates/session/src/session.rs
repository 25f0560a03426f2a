//! An open trace.

use crate::bookmarks::Bookmarks;
use crate::cache::Caches;
use crate::error::QueryError;
use crate::identity::SessionIds;
use crate::index::events_by_context::EventsByContext;
use crate::index::state_machines::StateMachines;
use crate::lane_looks::LaneLooks;
use crate::lanes::Lanes;
use crate::query::{Bookmark, LaneLook};
use crate::response::{RecordingOffset, RecordingSource};
use rtoscope_analysis::{AnalyzedRecording, EventCounts};
use rtoscope_decode::source::Input;
use rtoscope_decode::{
    BufferChoice, DecodeError, DecodeOptions, DecodedRecording, FormatInfo, UnpackedInput,
};
use rtoscope_trace::clock::ClockSource;
use rtoscope_trace::{EventKindId, Frequency, Progress, ProgressPhase};
use std::collections::BTreeMap;

/// An open trace, its analysis, and its notes.
pub struct Session {
    pub(crate) recording: AnalyzedRecording,
    pub(crate) format_info: FormatInfo,
    pub(crate) machines: StateMachines,
    pub(crate) lanes: Lanes,
    pub(crate) events_by_context: EventsByContext,
    /// The kinds that occur, by number, and their counts.
    pub(crate) kind_counts: Vec<(EventKindId, u32)>,
    pub(crate) bookmarks: Bookmarks,
    pub(crate) lane_looks: LaneLooks,
    pub(crate) clock_source: ClockSource,
    pub(crate) source: Option<RecordingSource>,
    pub(crate) ids: SessionIds,
    pub(crate) caches: Caches,
}

impl Session {
    /// Analyses a decoded recording. `name` is its display name.
    pub fn new(name: impl Into<String>, recording: DecodedRecording) -> Self {
        Self::with_progress(name, recording, &Progress::default())
    }

    /// The same; reports the progress.
    pub fn with_progress(
        name: impl Into<String>,
        recording: DecodedRecording,
        progress: &Progress,
    ) -> Self {
        let DecodedRecording { trace, format_info } = recording;
        let recording = AnalyzedRecording::new(name, "", trace, &format_info);
        recording.analyze(progress);
        progress.start(ProgressPhase::Indexing, None);
        Self::from_analyzed(recording, format_info)
    }

    /// Opens an analysed recording.
    pub fn from_analyzed(recording: AnalyzedRecording, format_info: FormatInfo) -> Self {
        let events_by_context = EventsByContext::of(&recording.trace);
        let machines = StateMachines::of(&recording.trace, &recording.active);
        let lanes = Lanes::of(&recording, &events_by_context, &machines);
        let kind_counts = count_kinds(&recording.whole.event_counts);
        Self {
            recording,
            format_info,
            machines,
            lanes,
            events_by_context,
            kind_counts,
            bookmarks: Bookmarks::default(),
            lane_looks: LaneLooks::default(),
            clock_source: ClockSource::Recording,
            source: None,
            ids: SessionIds::default(),
            caches: Caches::default(),
        }
    }

    /// Decodes and analyses the stream, or the first trace buffer, in the bytes of a
    /// file.
    pub fn open(
        name: impl Into<String>,
        bytes: &[u8],
        options: &DecodeOptions,
    ) -> Result<Self, DecodeError> {
        let content = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None)?;
        Ok(Self::new(name, content.decode(options)?))
    }

    /// The display name of the recording.
    pub fn name(&self) -> &str {
        &self.recording.info.name
    }

    /// The bookmarks, by event.
    pub fn bookmarks(&self) -> &[Bookmark] {
        self.bookmarks.as_slice()
    }

    /// What users chose for lanes, by lane.
    pub fn lane_looks(&self) -> Vec<LaneLook> {
        self.lane_looks.to_vec()
    }

    /// Replaces all bookmarks and all choices for lanes; unchanged on error.
    ///
    /// # Errors
    ///
    /// If there are too many, a text is too long, a range ends before it starts, or a colour
    /// or a height is invalid.
    pub fn set_notes(
        &mut self,
        bookmarks: Vec<Bookmark>,
        lane_looks: Vec<LaneLook>,
    ) -> Result<(), QueryError> {
        let bookmarks = Bookmarks::new(bookmarks)?;
        self.lane_looks = LaneLooks::new(lane_looks)?;
        self.bookmarks = bookmarks;
        Ok(())
    }

    /// The part of the recording that the trace covers.
    pub fn part(&self) -> RecordingPart {
        let base = self.recording.trace.origin;
        RecordingPart {
            base: RecordingOffset {
                event: base.event,
                time: base.time.0,
            },
            events: self.event_count(),
        }
    }

    /// The number of events.
    pub(crate) fn event_count(&self) -> u32 {
        u32::try_from(self.recording.trace.events.len()).unwrap_or(u32::MAX)
    }

    /// Ticks from the first event to the last.
    pub fn span(&self) -> u64 {
        self.recording.trace.events.span().0
    }

    /// The clock's frequency in hertz, if it is known and the clock measures time.
    pub fn frequency_hz(&self) -> Option<u64> {
        self.recording.trace.clock.frequency().map(Frequency::hertz)
    }

    /// Where the clock's frequency is from, if it is known.
    pub fn clock_source(&self) -> ClockSource {
        self.clock_source
    }

    /// Says that the clock's frequency is that of an option, if it is.
    pub fn note_given_clock(&mut self, given: Option<(Frequency, ClockSource)>) {
        if let Some((frequency, source)) = given
            && self.recording.trace.clock.nominal_frequency() == Some(frequency)
        {
            self.clock_source = source;
        }
    }

    /// Sets the frequency that is in the notes.
    pub fn set_noted_clock(&mut self, frequency: Frequency) {
        self.recording.trace.clock.set_frequency(Some(frequency));
        self.clock_source = ClockSource::Notes;
    }

    /// Says how a command opens the recording.
    pub fn set_source(&mut self, source: Option<RecordingSource>) {
        self.source = source;
    }
}

/// The part of a recording that a session shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecordingPart {
    /// Its start.
    pub base: RecordingOffset,
    /// Number of events.
    pub events: u32,
}

impl RecordingPart {
    /// The number in the recording of the event after its last one.
    pub fn end(&self) -> u64 {
        self.base.event.saturating_add(self.events.into())
    }
}

/// The kinds that occur, by number, and their counts.
fn count_kinds(census: &EventCounts) -> Vec<(EventKindId, u32)> {
    let mut kinds = BTreeMap::new();
    for ((_, kind), count) in &census.services {
        let sum: &mut u32 = kinds.entry(*kind).or_default();
        *sum = sum.saturating_add(u32::try_from(*count).unwrap_or(u32::MAX));
    }
    kinds.into_iter().collect()
}
