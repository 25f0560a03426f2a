//! Decodes a stream: a file at once, or a live stream, whose last records are retained.
//!
//! ```text
//! bytes ──deframer, record_reader──▶ open page ──seal──▶ sealed pages ──discard──▶ dropped
//!                                         └── survey of the target, running context ──▶ retained
//! ```

mod chunk;
mod guess_monitor;
mod known_target;
mod live;
mod sealed_pages;
mod stream_metadata;

use super::attribution::AttributionContext;
use super::configuration_choice::{
    ConfigurationChoice, StartDecision, UndecidedStart, count_valid_frames,
};
use super::deframer::{Deframer, MAX_FILE_FRAME_BYTES, MAX_SENT_FRAME_BYTES};
use super::guess::ConfigurationGuess;
use super::losses::StreamLosses;
use super::record_page::{RecordPage, RecordState};
use super::record_reader::RecordReader;
use super::stream_info::Provenance;
use super::stream_state::StreamState;
use super::trace_builder::{self, StreamContext};
use super::{DecodedStream, RkhOptions};
use guess_monitor::GuessMonitor;
use known_target::{KnownKinds, SharedSurvey};
use rtoscope_trace::Clock;
use rtoscope_wire::rkh::StreamConfiguration;
use rtoscope_wire::rkh::frame::FLAG;
use sealed_pages::SealedPages;
use std::sync::Arc;

/// The state for resuming a recording.
#[derive(Debug, Clone)]
pub(crate) struct RkhResumeState {
    record_state: RecordState,
    start: StreamState,
    survey: SharedSurvey,
    provenance: Provenance,
    guess: Option<ConfigurationGuess>,
}

/// Decodes a stream.
pub(crate) struct StreamDecoder {
    options: Arc<RkhOptions>,
    deframer: Deframer,
    /// The start of a live stream while its configuration is not known.
    undecided: Option<UndecidedStart>,
    /// Has no record before the configuration is known.
    reader: RecordReader,
    provenance: Provenance,
    guess: Option<ConfigurationGuess>,
    guess_monitor: GuessMonitor,
    skipped: SkippedBytes,
    /// The pages before the reader's page.
    sealed_pages: SealedPages,
    /// The end of the records already surveyed.
    surveyed_until: u64,
    survey: SharedSurvey,
    kinds: KnownKinds,
    clock: Option<Clock>,
}

/// The bytes of a live stream that fit no configuration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct SkippedBytes {
    bytes: u64,
    /// Including incomplete ones.
    frames: u64,
    /// The number of those frames that fit the default configuration.
    default_fitting_frames: usize,
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

impl StreamDecoder {
    /// Decodes a whole file.
    pub(super) fn decode_file(bytes: &[u8], options: &RkhOptions) -> DecodedStream {
        let choice = ConfigurationChoice::for_file(bytes, options);
        let deframer = Deframer::new(MAX_FILE_FRAME_BYTES);
        let mut decoder = Self::undecided(Arc::new(options.clone()), deframer);
        decoder.choose(choice);
        decoder.reader.page.columns.reserve(bytes.len());
        decoder.deframer.push(bytes, &mut decoder.reader);
        decoder.end();
        let context = decoder.context();
        trace_builder::build_trace(decoder.reader.page, context)
    }

    /// Creates a decoder of a live stream; `offset` unusable bytes precede it.
    pub(crate) fn new(options: &RkhOptions, offset: u64) -> Self {
        let deframer = Deframer::resume(offset, false, MAX_SENT_FRAME_BYTES);
        let mut decoder = Self::undecided(Arc::new(options.clone()), deframer);
        if let Some(choice) = ConfigurationChoice::of_user(&decoder.options) {
            decoder.choose(choice);
        }
        decoder
    }

    fn from_state(
        options: Arc<RkhOptions>,
        deframer: Deframer,
        first: u64,
        state: &RkhResumeState,
    ) -> Self {
        let reader = RecordReader::resume(first, &state.record_state, &options);
        // Parts of what is surveyed from now on were known before.
        let survey = SharedSurvey::new(state.survey.current());
        Self {
            undecided: None,
            kinds: KnownKinds::new(&reader.page.runs),
            reader,
            provenance: state.provenance,
            guess: state.guess.clone(),
            sealed_pages: SealedPages::before(state.start.clone()),
            surveyed_until: first,
            survey,
            ..Self::undecided(options, deframer)
        }
    }

    /// A decoder of a live stream whose configuration is not known.
    fn undecided(options: Arc<RkhOptions>, deframer: Deframer) -> Self {
        Self {
            deframer,
            undecided: Some(UndecidedStart::new()),
            reader: RecordReader::new(StreamConfiguration::default(), &options),
            provenance: Provenance::Default,
            guess: None,
            guess_monitor: GuessMonitor::default(),
            skipped: SkippedBytes::default(),
            sealed_pages: SealedPages::default(),
            surveyed_until: 0,
            kinds: KnownKinds::new(&[]),
            survey: SharedSurvey::default(),
            clock: None,
            options,
        }
    }

    /// Reads with a configuration from now on.
    fn choose(&mut self, choice: ConfigurationChoice) {
        self.undecided = None;
        self.reader = RecordReader::new(choice.configuration, &self.options);
        self.provenance = choice.provenance;
        self.guess = choice.guess;
    }

    /// Waits until the configuration is known, or decides if nothing follows
    /// (`is_end`). Returns the bytes that are left to read.
    fn await_configuration<'a>(&mut self, bytes: &'a [u8], is_end: bool) -> &'a [u8] {
        let mut rest = bytes;
        while let Some(start) = &mut self.undecided {
            let held = start.hold(rest);
            rest = rest.get(held..).unwrap_or_default();
            let Some(decision) = start.decide(&self.options, is_end) else {
                // Everything is held.
                break;
            };
            self.start(decision);
            if is_end {
                break;
            }
        }
        rest
    }

    /// Skips unusable bytes, and reads the others that were held if their configuration
    /// is known.
    fn start(&mut self, decision: StartDecision) {
        let held = self.undecided.take().map(UndecidedStart::into_held);
        let mut held = held.unwrap_or_default();
        let usable = held.split_off(decision.unusable_bytes.min(held.len()));
        if !held.is_empty() {
            self.skip(&held);
        }
        match decision.choice {
            Some(choice) => {
                self.choose(choice);
                self.read(&usable);
            }
            None => {
                let mut next = UndecidedStart::new();
                next.hold(&usable);
                self.undecided = Some(next);
            }
        }
    }

    fn skip(&mut self, bytes: &[u8]) {
        let default = StreamConfiguration::default();
        let [fitting, _] = count_valid_frames(&default, bytes, &self.options, u32::MAX);
        let frames = bytes.split(|byte| *byte == FLAG);
        let frames = frames.filter(|frame| !frame.is_empty());
        self.skipped.bytes += bytes.len() as u64;
        self.skipped.frames += frames.count() as u64;
        self.skipped.default_fitting_frames += fitting as usize;
        self.deframer = Deframer::resume(
            self.deframer.consumed() + bytes.len() as u64,
            bytes.last() == Some(&FLAG),
            MAX_SENT_FRAME_BYTES,
        );
    }

    fn page(&self) -> &RecordPage {
        &self.reader.page
    }

    /// Reads bytes of a live stream whose configuration is known.
    fn read(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(READ_BLOCK_BYTES) {
            self.seal_page();
            self.reader.page.columns.reserve(piece.len());
            self.deframer.push(piece, &mut self.reader);
            self.check_guess(piece);
            let room = StreamLosses::MAX_PROBLEMS.saturating_sub(self.sealed_pages.problems);
            let problems = &mut self.reader.page.losses.problems;
            problems.truncate(room.max(MAX_PROBLEMS_PER_PAGE));
        }
    }

    /// Guesses again if the guess does not fit the received bytes.
    fn check_guess(&mut self, bytes: &[u8]) {
        let reader = &self.reader;
        if self.provenance != Provenance::Guessed || reader.is_target_configured() {
            return;
        }
        self.guess_monitor.push(bytes);
        let (records, losses) = (reader.page.end(), self.total_losses());
        let configuration = reader.configuration();
        let own_records = reader.own_records();
        let monitor = &mut self.guess_monitor;
        if let Some(guess) = monitor.reguess(records, &losses, &configuration, own_records) {
            self.reader.set_configuration(guess.configuration);
            self.guess = Some(guess);
        }
    }

    /// Seals the page if it is full.
    fn seal_page(&mut self) {
        let (page, settled) = (self.page(), self.reader.settled_events());
        let is_settled = settled == page.end();
        if page.len() < RECORDS_PER_PAGE
            || !is_settled && page.len() < MAX_PAGE_FACTOR * RECORDS_PER_PAGE
        {
            return;
        }
        self.survey_new_records();
        let page = self.reader.take_page();
        let survey = self.survey.current();
        let known = AttributionContext::new(&self.kinds.semantics, &survey);
        self.sealed_pages.push(page, &known);
        let columns = &mut self.reader.page.columns;
        columns.reserve(RECORDS_PER_PAGE * 18);
    }

    /// Surveys the new records.
    fn survey_new_records(&mut self) {
        let reader = &self.reader;
        let page = &reader.page;
        let settled = reader.settled_events();
        let new = page.position(self.surveyed_until)..page.position(settled);
        let signal = reader.configuration().signal;
        self.kinds.update(&page.runs);
        let kinds = &self.kinds.semantics;
        let encoding = self.options.text_encoding;
        self.survey
            .update(|survey| survey.scan(page, new, kinds, signal, encoding));
        self.surveyed_until = settled;
    }

    /// The stream ends, or continues elsewhere.
    fn end(&mut self) {
        if let Some((frame, is_cut)) = self.deframer.finish() {
            self.reader.finish(frame, is_cut);
        }
        self.deframer.discard_partial();
        self.reader.connection_lost();
        self.survey_new_records();
    }

    /// The properties of the stream so far, from its first record on.
    fn context(&self) -> StreamContext {
        StreamContext {
            bytes: self.deframer.consumed(),
            configuration: self.reader.configuration(),
            provenance: self.provenance,
            guess: self.guess.clone(),
            survey: self.survey.current(),
            start: StreamState::default(),
            options: Arc::clone(&self.options),
        }
    }

    /// The total losses, without the problems themselves.
    fn total_losses(&self) -> StreamLosses {
        let mut losses = StreamLosses::default();
        losses.add_counts(&self.sealed_pages.losses);
        losses.add_counts(&self.page().losses);
        losses
    }
}
