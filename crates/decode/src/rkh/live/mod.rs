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
use super::deframer::Deframer;
use super::guess::ConfigurationGuess;
use super::record_page::RecordState;
use super::stream_info::Provenance;
use super::stream_state::StreamState;
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
    start: StreamState,
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
    skipped_bytes: [u64; 2],
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
                let store = RecordStore::new(configuration, Provenance::User, None, &options);
                LiveState::Reading(Box::new(store))
            }
            None => LiveState::AwaitingConfiguration(ConfigurationWait::new(&options)),
        };
        Self {
            deframer: Deframer::resume(offset, false, options.max_frame_bytes),
            state,
            options,
            skipped_bytes: [0; 2],
            default_fitting_frames: 0,
            clock: None,
        }
    }

    /// Resumes a recording at a checkpoint. Statistics of missing data start at
    /// 0 there.
    pub(crate) fn resume(options: &RkhOptions, point: &ResumePoint) -> Self {
        let Some(knowledge) = point.state.downcast_ref::<RkhResumeState>() else {
            return Self::new(options, point.offset);
        };
        let options = options_for_live(options);
        let store = RecordStore::resume(point.event, knowledge, &options);
        Self {
            deframer: Deframer::resume(point.offset, true, options.max_frame_bytes),
            state: LiveState::Reading(Box::new(store)),
            options,
            skipped_bytes: [0; 2],
            default_fitting_frames: 0,
            clock: None,
        }
    }

    fn read(&mut self, bytes: &[u8]) {
        if let LiveState::Reading(store) = &mut self.state {
            store.read(bytes, &mut self.deframer);
        }
    }

    /// Starts reading with the chosen configuration, from the first usable
    /// byte.
    fn start_reading(&mut self, opened: configuration_wait::ConfiguredStart) {
        let configuration_wait::ConfiguredStart {
            choice,
            bytes: held,
            skipped: skipped_bytes,
        } = opened;
        let mut rest = held.as_slice();
        if skipped_bytes.bytes > 0 {
            self.skip(skipped_bytes, true);
            rest = held.get(skipped_bytes.bytes..).unwrap_or_default();
        }
        let store = RecordStore::new(
            choice.configuration,
            choice.provenance,
            choice.guess,
            &self.options,
        );
        self.state = LiveState::Reading(Box::new(store));
        self.read(rest);
    }

    /// Continues after unusable bytes.
    fn skip(&mut self, skipped_bytes: SkippedBytes, at_frame: bool) {
        let bytes = skipped_bytes.bytes as u64;
        let [all_frames, all_bytes] = &mut self.skipped_bytes;
        *all_frames += skipped_bytes.frames;
        *all_bytes += bytes;
        self.default_fitting_frames += skipped_bytes.default_fitting_frames;
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
        while let LiveState::AwaitingConfiguration(wait) = &mut self.state {
            let held = wait.hold(rest);
            rest = rest.get(held..).unwrap_or_default();
            if let Some(opened) = wait.decide(&self.options) {
                self.start_reading(opened);
            } else if let Some(skipped_bytes) = wait.discard_older_half(&self.options) {
                self.skip(skipped_bytes, skipped_bytes.at_frame);
            } else if rest.is_empty() {
                return;
            }
        }
        self.read(rest);
    }

    fn connection_lost(&mut self) {
        if let LiveState::AwaitingConfiguration(wait) = &mut self.state {
            let wait = std::mem::replace(wait, ConfigurationWait::new(&self.options));
            match wait.force_decision(&self.options) {
                Ok(opened) => self.start_reading(opened),
                Err(skipped_bytes) => self.skip(skipped_bytes, false),
            }
        }
        if let LiveState::Reading(store) = &mut self.state {
            store.connection_lost(self.deframer.finish());
            self.deframer.discard_partial();
        }
    }

    fn event_range(&self) -> Range<u64> {
        match &self.state {
            LiveState::Reading(store) => store.event_range(),
            LiveState::AwaitingConfiguration(_) => 0..0,
        }
    }

    fn discard_before(&mut self, before: u64) {
        if let LiveState::Reading(store) = &mut self.state {
            store.discard_before(before);
        }
    }

    fn limit_memory(&mut self) {
        if let LiveState::Reading(store) = &mut self.state {
            store.limit_memory(self.deframer.consumed());
        }
    }

    fn chunk(&self, numbers: Range<u64>) -> Box<dyn live::EventChunk> {
        let bytes = self.deframer.consumed();
        let store = match &self.state {
            LiveState::Reading(store) => store.chunk(numbers, bytes, &self.options, self.clock),
            // No event exists in this state.
            LiveState::AwaitingConfiguration(_) => {
                let store =
                    RecordStore::new(Default::default(), Provenance::Default, None, &self.options);
                store.chunk(0..0, bytes, &self.options, self.clock)
            }
        };
        Box::new(store)
    }

    fn stats(&self) -> LiveStats {
        let mut tally = match &self.state {
            LiveState::Reading(store) => store.stats(),
            LiveState::AwaitingConfiguration(_) => LiveStats::default(),
        };
        let [frames, bytes] = self.skipped_bytes;
        tally.unusable += frames;
        tally.unusable_bytes += bytes;
        tally
    }

    fn resume_point(&self) -> Option<ResumePoint> {
        match &self.state {
            LiveState::Reading(store) => store.resume_point(),
            LiveState::AwaitingConfiguration(_) => None,
        }
    }

    fn no_events_error(&self) -> Option<DecodeError> {
        let [frames, _] = self.skipped_bytes;
        match &self.state {
            LiveState::Reading(store) => store.no_events_error(self.deframer.consumed()),
            LiveState::AwaitingConfiguration(wait) if wait.is_empty() && frames > 0 => {
                Some(DecodeError::NoRkhConfiguration {
                    records: self.default_fitting_frames,
                    frames: frames - self.default_fitting_frames as u64,
                    guessed: self.options.guess,
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
            LiveState::Reading(store) => StreamMetadata::from_store(store).to_bytes(),
            LiveState::AwaitingConfiguration(_) => Vec::new(),
        }
    }

    fn load_metadata(&mut self, metadata: &[u8]) {
        let at_start = self.skipped_bytes == [0; 2] && self.event_range() == (0..0);
        let taught = StreamMetadata::read(metadata).filter(|_| at_start);
        if let Some(store) = taught.and_then(|taught| taught.to_store(&self.options)) {
            self.state = LiveState::Reading(Box::new(store));
        }
    }
}
