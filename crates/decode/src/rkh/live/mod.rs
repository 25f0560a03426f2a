//! Decodes an RKH stream live and retains the last records.
//!
//! ```text
//! bytes ──frames──▶ open page ──seal──▶ sealed pages ──discard──▶ dropped
//!                       └── survey of the target, running context ──▶ retained
//! ```

mod chunk;
mod configuration_wait;
mod guess_monitor;
mod record_semantics;
mod record_store;
mod stream_metadata;

use super::RkhOptions;
use super::attribution_state::AttributionState;
use super::deframer::Deframer;
use super::guess::ConfigurationGuess;
use super::record_page::RecordState;
use super::stream_info::Provenance;
use crate::DecodeError;
use crate::live::{self, HostTime, LiveStats, ResumePoint};
use configuration_wait::{ConfigurationWait, SkippedBytes};
use record_semantics::SharedSurvey;
use record_store::RecordStore;
use rtoscope_trace::Clock;
use std::ops::Range;
use std::sync::Arc;
use stream_metadata::StreamMetadata;

/// The state for resuming a recording.
#[derive(Debug, Clone)]
pub(crate) struct RkhResumeState {
    record_state: RecordState,
    start: AttributionState,
    survey: SharedSurvey,
    provenance: Provenance,
    guess: Option<ConfigurationGuess>,
}

/// Decodes an RKH stream live.
pub(crate) struct RkhLiveDecoder {
    options: Arc<RkhOptions>,
    deframer: Deframer,
    state: LiveState,
    /// Frames and bytes skipped before the configuration was known.
    given_up: [u64; 2],
    /// Those frames that fit the default configuration.
    default_fitting_frames: usize,
    clock: Option<Clock>,
}

enum LiveState {
    /// The configuration is not known yet.
    AwaitingConfiguration(ConfigurationWait),
    Reading(Box<RecordStore>),
}

/// Maximum length of a frame, without escapes. Targets send less than 256
/// bytes; the limit bounds the memory that a noisy line takes.
const MAX_FRAME_BYTES: usize = 1 << 16;

impl RkhLiveDecoder {
    /// Creates a decoder; `offset` unusable bytes precede it.
    pub(crate) fn new(options: &RkhOptions, offset: u64) -> Self {
        let options = options_for_live(options);
        let state = match options.configuration {
            Some(configuration) => {
                let reading = RecordStore::new(configuration, Provenance::User, None, &options);
                LiveState::Reading(Box::new(reading))
            }
            None => LiveState::AwaitingConfiguration(ConfigurationWait::new(&options)),
        };
        Self {
            deframer: Deframer::resume(offset, false, options.max_frame_bytes),
            state,
            options,
            given_up: [0; 2],
            default_fitting_frames: 0,
            clock: None,
        }
    }

    /// Resumes a recording at a checkpoint. Statistics of missing data start at
    /// 0 there.
    pub(crate) fn resume(options: &RkhOptions, point: &ResumePoint) -> Self {
        let live::ResumeState::Rkh(knowledge) = &point.state else {
            return Self::new(options, point.offset);
        };
        let options = options_for_live(options);
        let reading = RecordStore::resume(point.event, knowledge, &options);
        Self {
            deframer: Deframer::resume(point.offset, true, options.max_frame_bytes),
            state: LiveState::Reading(Box::new(reading)),
            options,
            given_up: [0; 2],
            default_fitting_frames: 0,
            clock: None,
        }
    }

    fn read(&mut self, bytes: &[u8]) {
        if let LiveState::Reading(reading) = &mut self.state {
            reading.read(bytes, &mut self.deframer);
        }
    }

    /// Starts reading with the chosen configuration, from the first usable
    /// byte.
    fn start_reading(&mut self, opened: configuration_wait::ConfiguredStart) {
        let configuration_wait::ConfiguredStart {
            choice,
            bytes: held,
            skipped: given_up,
        } = opened;
        let mut rest = held.as_slice();
        if given_up.bytes > 0 {
            self.skip(given_up, true);
            rest = held.get(given_up.bytes..).unwrap_or_default();
        }
        let reading = RecordStore::new(
            choice.configuration,
            choice.provenance,
            choice.guess,
            &self.options,
        );
        self.state = LiveState::Reading(Box::new(reading));
        self.read(rest);
    }

    /// Continues after unusable bytes.
    fn skip(&mut self, given_up: SkippedBytes, at_frame: bool) {
        let bytes = given_up.bytes as u64;
        let [all_frames, all_bytes] = &mut self.given_up;
        *all_frames += given_up.frames;
        *all_bytes += bytes;
        self.default_fitting_frames += given_up.default_fitting_frames;
        let offset = self.deframer.consumed() + bytes;
        self.deframer = Deframer::resume(offset, at_frame, self.options.max_frame_bytes);
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
        let mut rest = bytes;
        while let LiveState::AwaitingConfiguration(opening) = &mut self.state {
            let held = opening.hold(rest);
            rest = rest.get(held..).unwrap_or_default();
            if let Some(opened) = opening.decide(&self.options) {
                self.start_reading(opened);
            } else if let Some(given_up) = opening.discard_older_half() {
                self.skip(given_up, given_up.at_frame);
            } else if rest.is_empty() {
                return;
            }
        }
        self.read(rest);
    }

    fn connection_lost(&mut self) {
        if let LiveState::AwaitingConfiguration(opening) = &mut self.state {
            let opening = std::mem::replace(opening, ConfigurationWait::new(&self.options));
            match opening.force_decision(&self.options) {
                Ok(opened) => self.start_reading(opened),
                Err(given_up) => self.skip(given_up, false),
            }
        }
        if let LiveState::Reading(reading) = &mut self.state {
            reading.connection_lost(self.deframer.finish());
            self.deframer.discard_partial();
        }
    }

    fn event_range(&self) -> Range<u64> {
        match &self.state {
            LiveState::Reading(reading) => reading.event_range(),
            LiveState::AwaitingConfiguration(_) => 0..0,
        }
    }

    fn discard_before(&mut self, before: u64) {
        if let LiveState::Reading(reading) = &mut self.state {
            reading.discard_before(before);
        }
    }

    fn limit_memory(&mut self) {
        if let LiveState::Reading(reading) = &mut self.state {
            reading.limit_memory(self.deframer.consumed());
        }
    }

    fn chunk(&self, numbers: Range<u64>) -> Box<dyn live::EventChunk> {
        let bytes = self.deframer.consumed();
        let reading = match &self.state {
            LiveState::Reading(reading) => reading.chunk(numbers, bytes, &self.options, self.clock),
            // No event exists in this state.
            LiveState::AwaitingConfiguration(_) => {
                let reading =
                    RecordStore::new(Default::default(), Provenance::Default, None, &self.options);
                reading.chunk(0..0, bytes, &self.options, self.clock)
            }
        };
        Box::new(reading)
    }

    fn stats(&self) -> LiveStats {
        let mut tally = match &self.state {
            LiveState::Reading(reading) => reading.stats(),
            LiveState::AwaitingConfiguration(_) => LiveStats::default(),
        };
        let [frames, bytes] = self.given_up;
        tally.unusable += frames;
        tally.unusable_bytes += bytes;
        tally
    }

    fn resume_point(&self) -> Option<ResumePoint> {
        match &self.state {
            LiveState::Reading(reading) => reading.resume_point(),
            LiveState::AwaitingConfiguration(_) => None,
        }
    }

    fn no_events_error(&self) -> Option<DecodeError> {
        let [frames, _] = self.given_up;
        match &self.state {
            LiveState::Reading(reading) => reading.no_events_error(self.deframer.consumed()),
            LiveState::AwaitingConfiguration(opening) if opening.is_empty() && frames > 0 => {
                Some(DecodeError::NoRkhConfiguration {
                    records: self.default_fitting_frames,
                    frames: frames - self.default_fitting_frames as u64,
                })
            }
            LiveState::AwaitingConfiguration(_) => None,
        }
    }

    fn set_clock(&mut self, clock: &Clock) {
        self.clock = Some(*clock);
    }

    fn metadata(&self) -> Vec<u8> {
        match &self.state {
            LiveState::Reading(reading) => StreamMetadata::from_store(reading).to_bytes(),
            LiveState::AwaitingConfiguration(_) => Vec::new(),
        }
    }

    fn load_metadata(&mut self, preface: &[u8]) {
        let at_start = self.given_up == [0; 2] && self.event_range() == (0..0);
        let taught = StreamMetadata::read(preface).filter(|_| at_start);
        if let Some(reading) = taught.and_then(|taught| taught.into_store(&self.options)) {
            self.state = LiveState::Reading(Box::new(reading));
        }
    }
}
