//! The records of a stream in pages; the last page is open.

use super::RkhResumeState;
use super::chunk::{PageWithState, RkhChunk};
use super::guess_monitor::GuessMonitor;
use super::record_semantics::{RecordSemantics, SharedSurvey};
use crate::DecodeError;
use crate::live::{LiveStats, ResumePoint};
use crate::rkh::deframer::{Deframer, StreamFrame};
use crate::rkh::guess::ConfigurationGuess;
use crate::rkh::losses::{ProblemKind, StreamLosses};
use crate::rkh::record_page::{RecordPage, RecordState};
use crate::rkh::record_reader::RecordReader;
use crate::rkh::stream_info::Provenance;
use crate::rkh::stream_state::StreamState;
use crate::rkh::survey::TargetSurvey;
use crate::rkh::{FORMAT, RkhOptions};
use rtoscope_trace::Clock;
use rtoscope_wire::rkh::StreamConfiguration;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// The retained records and the decoder state.
pub(super) struct RecordStore {
    reader: RecordReader,
    /// The pages before the reader's page.
    sealed_pages: VecDeque<Arc<PageWithState>>,
    /// The state before the reader's page.
    page_state: StreamState,
    /// The number of the newest record, and the state before it.
    newest: (u64, StreamState),
    /// The end of the records already surveyed.
    surveyed_until: u64,
    survey: SharedSurvey,
    semantics: Arc<RecordSemantics>,
    provenance: Provenance,
    guess: Option<ConfigurationGuess>,
    guess_monitor: GuessMonitor,
    /// Losses of the sealed pages, including discarded ones; without the
    /// problems.
    losses: StreamLosses,
    /// Number of problems retained in those pages.
    sealed_problems: usize,
    gaps: u64,
}

/// Approximate number of records per page.
const RECORDS_PER_PAGE: usize = 4096;

/// Maximum length of a page, in multiples of the normal length, while it is
/// undecided whether the target restarted.
const MAX_PAGE_FACTOR: usize = 4;

/// Bytes to read at a time: at most that many frames, so that a full page is
/// sealed soon.
const READ_BLOCK_BYTES: usize = 4096;

/// Maximum number of problems to retain per page, in addition to their count,
/// once the stream has as many as a whole one may report.
const MAX_PROBLEMS_PER_PAGE: usize = 256;

/// Maximum number of stream bytes whose records are retained, regardless of the
/// number of events to retain.
const MAX_RETAINED_STREAM_BYTES: u64 = 1 << 29;

impl RecordStore {
    /// Creates a store at the start of a stream.
    pub(super) fn new(
        configuration: StreamConfiguration,
        provenance: Provenance,
        guess: Option<ConfigurationGuess>,
        options: &RkhOptions,
    ) -> Self {
        let reader = RecordReader::new(configuration, options.unsent(), options.split_glued);
        Self::from_parts(
            reader,
            StreamState::default(),
            SharedSurvey::default(),
            provenance,
            guess,
        )
    }

    /// Creates a store in the middle of a recording whose start is missing.
    pub(super) fn from_metadata(
        footing: &RecordState,
        target: SharedSurvey,
        provenance: Provenance,
        options: &RkhOptions,
    ) -> Self {
        let reader = RecordReader::resume(0, footing, options.unsent(), options.split_glued);
        Self::from_parts(reader, StreamState::default(), target, provenance, None)
    }

    /// Resumes at a checkpoint.
    pub(super) fn resume(first: u64, known: &RkhResumeState, options: &RkhOptions) -> Self {
        let RkhResumeState {
            record_state: footing,
            start,
            survey: target,
            provenance,
            guess,
        } = known;
        let reader = RecordReader::resume(first, footing, options.unsent(), options.split_glued);
        // Parts of what is surveyed from now on were known before.
        let target = SharedSurvey::new(target.current());
        Self::from_parts(reader, start.clone(), target, *provenance, guess.clone())
    }

    fn from_parts(
        reader: RecordReader,
        start: StreamState,
        target: SharedSurvey,
        provenance: Provenance,
        guess: Option<ConfigurationGuess>,
    ) -> Self {
        let first = reader.page.first;
        Self {
            semantics: Arc::new(RecordSemantics::new(&reader.page.runs, &target.current())),
            reader,
            sealed_pages: VecDeque::new(),
            newest: (first, start.clone()),
            page_state: start,
            surveyed_until: first,
            survey: target,
            provenance,
            guess,
            guess_monitor: GuessMonitor::default(),
            losses: StreamLosses::default(),
            sealed_problems: 0,
            gaps: 0,
        }
    }

    pub(super) fn read(&mut self, bytes: &[u8], deframer: &mut Deframer) {
        for piece in bytes.chunks(READ_BLOCK_BYTES) {
            self.seal_page();
            deframer.push(piece, &mut self.reader);
            self.check_guess(piece);
            let room = StreamLosses::MAX_PROBLEMS.saturating_sub(self.sealed_problems);
            self.reader
                .page
                .losses
                .truncate_problems(room.max(MAX_PROBLEMS_PER_PAGE));
        }
        self.survey_new_records();
    }

    pub(super) fn connection_lost(&mut self, tail: Option<(StreamFrame<'_>, bool)>) {
        if let Some((frame, is_cut)) = tail {
            self.reader.finish(frame, is_cut);
        }
        self.reader.connection_lost();
    }

    /// The numbers of the retained records for which it is decided whether the
    /// target restarted before them.
    pub(super) fn event_range(&self) -> Range<u64> {
        let first = self.sealed_pages.front().map(|sheet| sheet.page.first);
        first.unwrap_or(self.reader.page.first)..self.reader.settled_events()
    }

    pub(super) fn discard_before(&mut self, before: u64) {
        self.discard_while(|page| page.end() <= before);
    }

    pub(super) fn stats(&self) -> LiveStats {
        let page = &self.reader.page;
        let losses = self.total_losses();
        LiveStats {
            events: self.reader.settled_events(),
            missing_events: losses.missing_records,
            gaps: self.gaps + page.gaps.len() as u64,
            unusable: losses.bad_frames(),
            truncated: losses.count(ProblemKind::Tail),
            unusable_bytes: losses.unusable_bytes,
        }
    }

    /// The error if `bytes` of a finished stream contain no record.
    pub(super) fn no_events_error(&self, bytes: u64) -> Option<DecodeError> {
        let frames = self.total_losses().bad_frames();
        (self.reader.is_interrupted() && frames > 0)
            .then_some(DecodeError::NoRkhRecord { bytes, frames })
    }

    pub(super) fn chunk(
        &self,
        numbers: Range<u64>,
        bytes: u64,
        options: &Arc<RkhOptions>,
        clock: Option<Clock>,
    ) -> RkhChunk {
        // The whole of a stream that has ended for now, not only its new part.
        let ends = numbers == (0..self.reader.page.end()) && self.reader.is_interrupted();
        let mut sheets: Vec<_> = self.sealed_within(&numbers).cloned().collect();
        if numbers.end > self.reader.page.first || ends {
            sheets.push(Arc::new(PageWithState {
                page: self.reader.page.clone(),
                state: self.page_state.clone(),
            }));
        }
        RkhChunk {
            pages: sheets,
            event_range: numbers,
            is_stream_end: ends,
            semantics: self.semantics.clone(),
            survey: self.survey.current(),
            bytes,
            configuration: self.reader.configuration(),
            provenance: self.provenance,
            guess: self.guess.clone(),
            options: options.clone(),
            clock,
        }
    }

    pub(super) fn resume_point(&self) -> Option<ResumePoint> {
        let (event, start) = &self.newest;
        let numbers = *event..self.reader.settled_events();
        let sealed = self.sealed_within(&numbers).map(|sheet| &sheet.page);
        let mut pages = sealed.chain([&self.reader.page]);
        let page = pages.find(|page| page.end() > *event && numbers.end > *event)?;
        let place = page.position(*event);
        Some(ResumePoint {
            offset: page.columns.offsets.get(place)?,
            event: *event,
            format: FORMAT,
            state: Arc::new(RkhResumeState {
                record_state: page.record_state(place)?,
                start: start.clone(),
                survey: self.survey.clone(),
                provenance: self.provenance,
                guess: self.guess.clone(),
            }),
        })
    }

    /// The survey of the target, the state after its newest records, and the
    /// source of the configuration.
    pub(super) fn metadata_parts(&self) -> (&SharedSurvey, RecordState, Provenance) {
        let page = &self.reader.page;
        let footing = RecordState {
            configuration: self.reader.configuration(),
            target: page.runs.last().and_then(|run| run.target),
            sequence: None,
            timestamp: page.columns.last_timestamp,
        };
        (&self.survey, footing, self.provenance)
    }

    fn sealed_within(&self, numbers: &Range<u64>) -> impl Iterator<Item = &Arc<PageWithState>> {
        let (start, end) = (numbers.start, numbers.end);
        let before = |sheet: &Arc<PageWithState>| sheet.page.end() <= start;
        let sealed = self
            .sealed_pages
            .range(self.sealed_pages.partition_point(before)..);
        sealed.take_while(move |sheet| sheet.page.first < end)
    }

    /// The total losses, without the problems themselves.
    fn total_losses(&self) -> StreamLosses {
        let mut losses = StreamLosses::default();
        losses.add_counts(&self.losses);
        losses.add_counts(&self.reader.page.losses);
        losses
    }

    /// Guesses again if the guess does not fit the received bytes.
    fn check_guess(&mut self, bytes: &[u8]) {
        if self.provenance != Provenance::Guessed || self.reader.is_target_configured() {
            return;
        }
        self.guess_monitor.push(bytes);
        let (records, losses) = (self.reader.page.end(), self.total_losses());
        let configuration = self.reader.configuration();
        if let Some(guess) =
            self.guess_monitor
                .reguess(records, &losses, &configuration, self.reader.own_records())
        {
            self.reader.set_configuration(guess.configuration);
            self.guess = Some(guess);
        }
    }

    /// Seals the page if it is full.
    fn seal_page(&mut self) {
        let page = &self.reader.page;
        let is_settled = self.reader.settled_events() == page.end();
        if page.len() < RECORDS_PER_PAGE
            || !is_settled && page.len() < MAX_PAGE_FACTOR * RECORDS_PER_PAGE
        {
            return;
        }
        self.survey_new_records();
        let (known_to, mut start) = self.newest.clone();
        self.advance(&mut start, known_to..self.reader.page.end());
        let page = self.reader.take_page();
        self.losses.add_counts(&page.losses);
        self.sealed_problems = self
            .sealed_problems
            .saturating_add(page.losses.problems.len());
        self.gaps += page.gaps.len() as u64;
        let start = std::mem::replace(&mut self.page_state, start);
        self.sealed_pages
            .push_back(Arc::new(PageWithState { page, state: start }));
        self.reader.page.columns.reserve(RECORDS_PER_PAGE * 18);
    }

    /// Surveys the new records.
    fn survey_new_records(&mut self) {
        let page = &self.reader.page;
        if !self.semantics.is_for_runs(&page.runs) {
            self.semantics = Arc::new(self.semantics.updated(&page.runs, &self.survey.current()));
        }
        let settled = self.reader.settled_events();
        let new = page.position(self.surveyed_until)..page.position(settled);
        let signal = self.reader.configuration().signal;
        let kind_semantics = &self.semantics.kind_semantics;
        let found = TargetSurvey::scan(page, new, kind_semantics, signal, &self.survey.current());
        if self.survey.merge(found) {
            self.semantics = Arc::new(self.semantics.updated(&page.runs, &self.survey.current()));
        }
        self.surveyed_until = settled;
        let newest = settled.saturating_sub(1);
        if newest > self.newest.0 {
            let (known_to, mut start) = self.newest.clone();
            self.advance(&mut start, known_to..newest);
            self.newest = (newest, start);
        }
    }

    fn advance(&self, start: &mut StreamState, numbers: Range<u64>) {
        let sealed = self.sealed_within(&numbers).map(|sheet| &sheet.page);
        for page in sealed.chain([&self.reader.page]) {
            let part = page.position(numbers.start)..page.position(numbers.end);
            start.advance(page, part, &self.semantics.attribution_context());
        }
    }

    /// Discards records too far before `taken`, the number of stream bytes
    /// consumed.
    pub(super) fn limit_memory(&mut self, taken: u64) {
        self.discard_while(|page| {
            let offset = page.columns.offsets.get(0);
            offset.is_some_and(|offset| taken.saturating_sub(offset) > MAX_RETAINED_STREAM_BYTES)
        });
    }

    fn discard_while(&mut self, is_old: impl Fn(&RecordPage) -> bool) {
        while self
            .sealed_pages
            .front()
            .is_some_and(|sheet| is_old(&sheet.page))
        {
            self.sealed_pages.pop_front();
        }
    }
}
