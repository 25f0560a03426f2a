//! Decodes an RKH stream live and retains the last records.
//!
//! ```text
//! bytes ──StreamDecoder──▶ open page ──seal──▶ sealed pages ──discard──▶ dropped
//!                              └── survey of the target, running context ──▶ retained
//! ```

mod chunk;
mod guess_monitor;
mod record_semantics;
mod stream_metadata;

use super::configuration_choice::UndecidedStart;
use super::decoder::StreamDecoder;
use super::deframer::Deframer;
use super::guess::ConfigurationGuess;
use super::losses::{ProblemKind, StreamLosses};
use super::record_page::{RecordPage, RecordState};
use super::record_reader::RecordReader;
use super::stream_info::Provenance;
use super::stream_state::StreamState;
use super::trace_builder::StreamContext;
use super::{FORMAT, RkhOptions};
use crate::DecodeError;
use crate::live::{self, HostTime, LiveStats, ResumePoint};
use chunk::{PageWithState, RkhChunk};
use guess_monitor::GuessMonitor;
use record_semantics::{RecordSemantics, SharedSurvey};
use rtoscope_trace::Clock;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use stream_metadata::StreamMetadata;

/// The state for resuming a recording.
#[derive(Debug, Clone)]
pub(crate) struct RkhResumeState {
    record_state: RecordState,
    start: StreamState,
    survey: SharedSurvey,
    provenance: Provenance,
    guess: Option<ConfigurationGuess>,
}

/// Decodes an RKH stream live.
pub(crate) struct RkhLiveDecoder {
    decoder: StreamDecoder,
    /// The pages before the decoder's page.
    sealed_pages: VecDeque<Arc<PageWithState>>,
    /// The state before the decoder's page.
    page_state: StreamState,
    /// The end of the records already surveyed.
    surveyed_until: u64,
    survey: SharedSurvey,
    semantics: Arc<RecordSemantics>,
    guess_monitor: GuessMonitor,
    /// Losses of the sealed pages, including discarded ones; without the
    /// problems.
    losses: StreamLosses,
    /// Number of problems retained in those pages.
    sealed_problems: usize,
    gaps: u64,
    clock: Option<Clock>,
}

/// Maximum length of a frame, without escapes. Targets send less than 256
/// bytes; the limit bounds the memory that a noisy line takes.
const MAX_FRAME_BYTES: usize = 1 << 16;

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

impl RkhLiveDecoder {
    /// Creates a decoder; `offset` unusable bytes precede it.
    pub(crate) fn new(options: &RkhOptions, offset: u64) -> Self {
        let decoder = StreamDecoder::with_options(options_for_live(options), offset, true);
        Self::from_decoder(decoder, StreamState::default(), SharedSurvey::default())
    }

    /// Resumes a recording at a checkpoint. Statistics of missing data start at
    /// 0 there.
    pub(crate) fn resume(options: &RkhOptions, point: &ResumePoint) -> Self {
        let Some(state) = point.state.downcast_ref() else {
            return Self::new(options, point.offset);
        };
        let options = options_for_live(options);
        let deframer = Deframer::resume(point.offset, true, options.max_frame_bytes);
        Self::from_state(options, deframer, point.event, state)
    }

    fn from_state(
        options: Arc<RkhOptions>,
        deframer: Deframer,
        first: u64,
        state: &RkhResumeState,
    ) -> Self {
        let reader = RecordReader::resume(first, &state.record_state, &options);
        let decoder = StreamDecoder {
            deframer,
            undecided: None,
            reader,
            provenance: state.provenance,
            guess: state.guess.clone(),
            ..StreamDecoder::with_options(options, 0, true)
        };
        // Parts of what is surveyed from now on were known before.
        let survey = SharedSurvey::new(state.survey.current());
        Self::from_decoder(decoder, state.start.clone(), survey)
    }

    fn from_decoder(decoder: StreamDecoder, start: StreamState, survey: SharedSurvey) -> Self {
        let page = &decoder.reader.page;
        Self {
            semantics: Arc::new(RecordSemantics::new(&page.runs, &survey.current())),
            sealed_pages: VecDeque::new(),
            page_state: start,
            surveyed_until: page.first,
            survey,
            guess_monitor: GuessMonitor::default(),
            losses: StreamLosses::default(),
            sealed_problems: 0,
            gaps: 0,
            clock: None,
            decoder,
        }
    }

    fn page(&self) -> &RecordPage {
        &self.decoder.reader.page
    }

    fn read(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(READ_BLOCK_BYTES) {
            self.seal_page();
            self.decoder.read(piece);
            self.check_guess(piece);
            let room = StreamLosses::MAX_PROBLEMS.saturating_sub(self.sealed_problems);
            let problems = &mut self.decoder.reader.page.losses.problems;
            problems.truncate(room.max(MAX_PROBLEMS_PER_PAGE));
        }
    }

    /// Guesses again if the guess does not fit the received bytes.
    fn check_guess(&mut self, bytes: &[u8]) {
        let reader = &self.decoder.reader;
        if self.decoder.provenance != Provenance::Guessed || reader.is_target_configured() {
            return;
        }
        self.guess_monitor.push(bytes);
        let (records, losses) = (reader.page.end(), self.total_losses());
        let configuration = reader.configuration();
        let own_records = reader.own_records();
        let monitor = &mut self.guess_monitor;
        if let Some(guess) = monitor.reguess(records, &losses, &configuration, own_records) {
            self.decoder.reader.set_configuration(guess.configuration);
            self.decoder.guess = Some(guess);
        }
    }

    /// Seals the page if it is full.
    fn seal_page(&mut self) {
        let (page, settled) = (self.page(), self.decoder.reader.settled_events());
        let is_settled = settled == page.end();
        if page.len() < RECORDS_PER_PAGE
            || !is_settled && page.len() < MAX_PAGE_FACTOR * RECORDS_PER_PAGE
        {
            return;
        }
        self.survey_new_records();
        let page = self.decoder.reader.take_page();
        let state = self.page_state.clone();
        let known = self.semantics.attribution_context();
        self.page_state.advance(&page, 0..page.len(), &known);
        self.losses.add_counts(&page.losses);
        self.sealed_problems = self
            .sealed_problems
            .saturating_add(page.losses.problems.len());
        self.gaps += page.gaps.len() as u64;
        self.sealed_pages
            .push_back(Arc::new(PageWithState { page, state }));
        let columns = &mut self.decoder.reader.page.columns;
        columns.reserve(RECORDS_PER_PAGE * 18);
    }

    /// Surveys the new records.
    fn survey_new_records(&mut self) {
        let reader = &self.decoder.reader;
        let page = &reader.page;
        let settled = reader.settled_events();
        let new = page.position(self.surveyed_until)..page.position(settled);
        let signal = reader.configuration().signal;
        RecordSemantics::update(&mut self.semantics, &page.runs, &self.survey.current());
        let kinds = &self.semantics.kind_semantics;
        let encoding = self.decoder.options.text_encoding;
        self.survey
            .update(|survey| survey.scan(page, new, kinds, signal, encoding));
        RecordSemantics::update(&mut self.semantics, &page.runs, &self.survey.current());
        self.surveyed_until = settled;
    }

    fn sealed_within(&self, numbers: Range<u64>) -> impl Iterator<Item = &Arc<PageWithState>> {
        let before = |sealed: &Arc<PageWithState>| sealed.page.end() <= numbers.start;
        let first = self.sealed_pages.partition_point(before);
        let sealed = self.sealed_pages.range(first..);
        sealed.take_while(move |sealed| sealed.page.first < numbers.end)
    }

    fn discard_while(&mut self, is_old: impl Fn(&RecordPage) -> bool) {
        let old = self.sealed_pages.iter();
        let old = old.take_while(|sealed| is_old(&sealed.page)).count();
        self.sealed_pages.drain(..old);
    }

    /// The total losses, without the problems themselves.
    fn total_losses(&self) -> StreamLosses {
        let mut losses = StreamLosses::default();
        losses.add_counts(&self.losses);
        losses.add_counts(&self.page().losses);
        losses
    }

    fn resume_state(&self, record_state: RecordState, start: StreamState) -> RkhResumeState {
        RkhResumeState {
            record_state,
            start,
            survey: self.survey.clone(),
            provenance: self.decoder.provenance,
            guess: self.decoder.guess.clone(),
        }
    }
}

fn options_for_live(options: &RkhOptions) -> Arc<RkhOptions> {
    Arc::new(RkhOptions {
        max_frame_bytes: options.max_frame_bytes.min(MAX_FRAME_BYTES),
        ..options.clone()
    })
}

impl live::FormatDecoder for RkhLiveDecoder {
    fn push(&mut self, bytes: &[u8], _at: HostTime) {
        let (held, rest) = self.decoder.await_configuration(bytes, false);
        self.read(&held);
        self.read(rest);
        self.survey_new_records();
    }

    fn connection_lost(&mut self) {
        let (held, _) = self.decoder.await_configuration(&[], true);
        self.read(&held);
        self.decoder.end();
        self.decoder.reader.connection_lost();
        self.survey_new_records();
    }

    /// The numbers of the retained records for which it is decided whether the
    /// target restarted before them.
    fn event_range(&self) -> Range<u64> {
        let first = self.sealed_pages.front().map(|sealed| sealed.page.first);
        first.unwrap_or(self.page().first)..self.decoder.reader.settled_events()
    }

    fn discard_before(&mut self, before: u64) {
        self.discard_while(|page| page.end() <= before);
    }

    fn limit_memory(&mut self) {
        let taken = self.decoder.deframer.consumed();
        self.discard_while(|page| {
            let offset = page.columns.offsets.get(0);
            offset.is_some_and(|offset| taken.saturating_sub(offset) > MAX_RETAINED_STREAM_BYTES)
        });
    }

    fn chunk(&self, numbers: Range<u64>) -> Box<dyn live::EventChunk> {
        let page = self.page();
        // The whole of a stream that has ended for now, not only its new part.
        let is_stream_end = numbers == (0..page.end()) && self.decoder.reader.is_interrupted();
        let mut pages: Vec<_> = self.sealed_within(numbers.clone()).cloned().collect();
        if numbers.end > page.first || is_stream_end {
            pages.push(Arc::new(PageWithState {
                page: page.clone(),
                state: self.page_state.clone(),
            }));
        }
        Box::new(RkhChunk {
            pages,
            event_range: numbers,
            is_stream_end,
            semantics: self.semantics.clone(),
            context: StreamContext {
                survey: Some(self.survey.current()),
                ..self.decoder.context()
            },
            clock: self.clock,
        })
    }

    fn stats(&self) -> LiveStats {
        let losses = self.total_losses();
        let skipped = &self.decoder.skipped;
        LiveStats {
            events: self.decoder.reader.settled_events(),
            missing_events: losses.missing_records,
            gaps: self.gaps + self.page().gaps.len() as u64,
            unusable: skipped.frames + losses.bad_frames(),
            truncated: losses.count(ProblemKind::Tail),
            unusable_bytes: skipped.bytes + losses.unusable_bytes,
        }
    }

    fn resume_point(&self) -> Option<ResumePoint> {
        let settled = self.decoder.reader.settled_events();
        let event = settled.checked_sub(1)?;
        let sealed = self.sealed_within(event..settled);
        let sealed = sealed.map(|sealed| (&sealed.page, &sealed.state));
        let mut pages = sealed.chain([(self.page(), &self.page_state)]);
        let (page, start) = pages.find(|(page, _)| (page.first..page.end()).contains(&event))?;
        let place = page.position(event);
        let mut start = start.clone();
        start.advance(page, 0..place, &self.semantics.attribution_context());
        Some(ResumePoint {
            offset: page.columns.offsets.get(place)?,
            event,
            format: FORMAT,
            state: Arc::new(self.resume_state(page.record_state(place)?, start)),
        })
    }

    fn no_events_error(&self) -> Option<DecodeError> {
        let skipped = &self.decoder.skipped;
        let undecided = self.decoder.undecided.as_ref();
        if skipped.frames > 0 && undecided.is_some_and(UndecidedStart::is_empty) {
            return Some(DecodeError::NoRkhConfiguration {
                records: skipped.default_fitting_frames,
                frames: skipped.frames - skipped.default_fitting_frames as u64,
                guessed: self.decoder.options.guess,
            });
        }
        let frames = self.total_losses().bad_frames();
        (self.decoder.reader.is_interrupted() && frames > 0).then(|| DecodeError::NoRkhRecord {
            bytes: self.decoder.deframer.consumed(),
            frames,
        })
    }

    fn set_clock(&mut self, clock: &Clock) {
        self.clock = Some(*clock);
    }

    fn metadata(&self) -> Vec<u8> {
        if self.decoder.undecided.is_some() {
            return Vec::new();
        }
        let page = self.page();
        let state = RecordState {
            configuration: self.decoder.reader.configuration(),
            target: page.runs.last().and_then(|run| run.target),
            sequence: None,
            timestamp: page.columns.last_timestamp,
        };
        StreamMetadata::new(&self.resume_state(state, StreamState::default())).to_bytes()
    }

    fn load_metadata(&mut self, metadata: &[u8]) {
        let is_start = self.decoder.skipped.bytes == 0 && self.event_range() == (0..0);
        if let Some(state) = StreamMetadata::read(metadata).filter(|_| is_start) {
            let (options, deframer) = (&self.decoder.options, &self.decoder.deframer);
            *self = Self::from_state(options.clone(), deframer.clone(), 0, &state);
        }
    }
}
