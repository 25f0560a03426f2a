//! A stream whose configuration is not known yet.

use super::RkhOptions;
use super::deframer::{self, Deframer, FrameReceiver, StreamFrame};
use super::guess::{self, ConfigurationGuess};
use super::record_content;
use super::record_layout::RecordPlan;
use super::stream_info::Provenance;
use rtoscope_wire::rkh::{StreamConfiguration, TargetConfiguration};

/// The start of a stream, which may contain the target's configuration.
#[derive(Debug, Clone)]
pub(super) struct UndecidedStart {
    pub(super) held: Vec<u8>,
    /// Maximum number of bytes to hold.
    max_bytes: usize,
    deframer: Deframer,
    target_finder: TargetFinder,
}

impl UndecidedStart {
    pub(super) fn new(most_frame: usize, max: usize) -> Self {
        Self {
            held: Vec::new(),
            max_bytes: max,
            deframer: Deframer::new(most_frame),
            target_finder: TargetFinder::default(),
        }
    }

    /// Holds bytes until the configuration is settled; returns how many.
    pub(super) fn hold(&mut self, bytes: &[u8]) -> usize {
        let room = self.max_bytes.saturating_sub(self.held.len());
        let mut held = 0;
        for piece in bytes
            .get(..room.min(bytes.len()))
            .unwrap_or_default()
            .chunks(SEARCH_BLOCK_BYTES)
        {
            if self.is_settled() {
                break;
            }
            self.held.extend_from_slice(piece);
            self.deframer.push(piece, &mut self.target_finder);
            held += piece.len();
        }
        held
    }

    pub(super) fn is_settled(&self) -> bool {
        self.target_finder.found.is_some() || self.held.len() >= self.max_bytes
    }

    /// Frames before the target's configuration, or all.
    pub(super) fn frames(&self) -> u64 {
        self.target_finder.frames
    }

    /// Bytes before the target's configuration, if it has arrived.
    pub(super) fn before_target(&self) -> Option<usize> {
        usize::try_from(self.target_finder.found?.offset).ok()
    }

    /// The configuration sent by the target.
    pub(super) fn target_choice(&self, options: &RkhOptions) -> Option<ConfigurationChoice> {
        let target = self.target_finder.found?.target;
        let configuration = options.unsent().apply(target.configuration(None));
        Some(ConfigurationChoice::without_guess(
            configuration,
            Provenance::Target,
        ))
    }

    /// The best choice with the current knowledge.
    pub(super) fn choice(&self, options: &RkhOptions) -> ConfigurationChoice {
        ConfigurationChoice::for_stream(&self.held, self.target_finder.found, options)
    }
}

/// Bytes to search at a time for the target's configuration.
const SEARCH_BLOCK_BYTES: usize = 4096;

/// Searches for the target's first configuration record.
#[derive(Debug, Clone, Default)]
struct TargetFinder {
    found: Option<FoundTarget>,
    frames: u64,
}

#[derive(Debug, Clone, Copy)]
struct FoundTarget {
    target: TargetConfiguration,
    /// Its offset.
    offset: u64,
    /// Whether frames precede it.
    is_after_frames: bool,
}

impl FrameReceiver for TargetFinder {
    fn frame(&mut self, frame: StreamFrame<'_>) {
        if self.found.is_some() {
            return;
        }
        self.found = TargetConfiguration::parse(frame.bytes).map(|target| FoundTarget {
            target,
            offset: frame.offset,
            is_after_frames: self.frames > 0,
        });
        self.frames += u64::from(!frame.is_lead);
    }

    fn aborted(&mut self, _: u64, _: u64) {}

    fn too_long(&mut self, _: u64, _: u64) {}
}

/// A configuration for the first records of a stream.
pub(super) struct ConfigurationChoice {
    pub(super) configuration: StreamConfiguration,
    pub(super) provenance: Provenance,
    pub(super) guess: Option<ConfigurationGuess>,
}

impl ConfigurationChoice {
    /// Chooses for the start of a stream; `found` is the target's
    /// configuration, if it sent one.
    fn for_stream(bytes: &[u8], found: Option<FoundTarget>, options: &RkhOptions) -> Self {
        let Some(found) = found else {
            return Self::without_target(bytes, options);
        };
        let before = usize::try_from(found.offset).ok();
        let before = before.and_then(|end| bytes.get(..end)).unwrap_or_default();
        let configuration = options.unsent().apply(found.target.configuration(None));
        if !found.is_after_frames {
            Self::without_guess(configuration, Provenance::Target)
        } else if fits(&configuration, before, options) {
            Self::without_guess(configuration, Provenance::TargetLater)
        } else {
            Self::without_target(before, options)
        }
    }

    /// The likely configuration if the target sent none.
    fn without_target(bytes: &[u8], options: &RkhOptions) -> Self {
        let guess = options
            .guess
            .then(|| guess::infer(bytes, &options.own_records))
            .flatten();
        match guess {
            Some(guess) => Self {
                configuration: guess.configuration,
                provenance: Provenance::Guessed,
                guess: Some(guess),
            },
            None => Self::without_guess(StreamConfiguration::default(), Provenance::Default),
        }
    }

    /// Whether it is the default, neither set nor guessed.
    pub(super) fn is_default(&self) -> bool {
        self.provenance == Provenance::Default
    }

    fn without_guess(configuration: StreamConfiguration, provenance: Provenance) -> Self {
        Self {
            configuration,
            provenance,
            guess: None,
        }
    }
}

/// Maximum number of frames to check against a configuration.
const MAX_FIT_FRAMES: u32 = 4096;

/// Fraction of frames that must fit a configuration: damage rarely affects more
/// frames, and fewer fit a wrong configuration.
pub(super) const MIN_FIT_RATIO: [u32; 2] = [9, 10];

/// Whether the first frames of a stream fit a configuration.
pub(super) fn fits(
    configuration: &StreamConfiguration,
    bytes: &[u8],
    options: &RkhOptions,
) -> bool {
    let [sound, frames] = count_valid_frames(configuration, bytes, options, MAX_FIT_FRAMES);
    let [part, whole] = MIN_FIT_RATIO;
    frames > 0 && sound * whole >= frames * part
}

/// Counts, among at most `most` first frames, those that fit a configuration,
/// and all of them.
pub(super) fn count_valid_frames(
    configuration: &StreamConfiguration,
    bytes: &[u8],
    options: &RkhOptions,
    max: u32,
) -> [u32; 2] {
    let plan = RecordPlan::new(*configuration);
    let mut frames = 0;
    let mut sound = 0;
    deframer::for_each_frame(bytes, options.max_frame_bytes, |frame| {
        frames += 1;
        sound += u32::from(record_content::read(&plan, &options.own_records, frame.bytes).is_ok());
        frames < max
    });
    [sound, frames]
}
