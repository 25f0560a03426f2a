//! A stream whose configuration is not known yet.

use super::RkhOptions;
use super::deframer::{
    self, Deframer, FrameReceiver, MAX_FILE_FRAME_BYTES, MAX_SENT_FRAME_BYTES, StreamFrame,
};
use super::guess::{self, Confidence, ConfigurationGuess};
use super::record_content;
use super::record_layout::RecordPlan;
use super::stream_info::Provenance;
use rtoscope_wire::rkh::frame::FLAG;
use rtoscope_wire::rkh::{StreamConfiguration, TargetConfiguration};

/// The start of a live stream, which may contain the target's configuration.
#[derive(Debug, Clone)]
pub(super) struct UndecidedStart {
    held: Vec<u8>,
    search: TargetSearch,
    /// The numbers of frames and bytes at which to try a configuration that the target did
    /// not send; both double after each attempt.
    next_attempt: [usize; 2],
}

/// What becomes of the held bytes.
pub(super) struct StartDecision {
    /// The bytes at the start that fit no configuration.
    pub(super) unusable_bytes: usize,
    /// The configuration of the others, unless it is still unknown.
    pub(super) choice: Option<ConfigurationChoice>,
}

/// Maximum number of bytes to hold.
const MAX_HELD_BYTES: usize = 1 << 16;

/// Maximum number of bytes of a file to search for the target's configuration.
const MAX_FILE_START_BYTES: usize = 1 << 20;

/// Numbers of frames and bytes at which to try a configuration first.
const FIRST_ATTEMPT: [usize; 2] = [16, 1 << 12];

/// Minimum number of bytes for a guess that is not certain.
const MIN_UNCERTAIN_GUESS_BYTES: usize = 1 << 12;

impl UndecidedStart {
    pub(super) fn new() -> Self {
        Self {
            held: Vec::new(),
            search: TargetSearch::new(MAX_SENT_FRAME_BYTES),
            next_attempt: FIRST_ATTEMPT,
        }
    }

    /// Holds bytes until the target's configuration arrives or too many are held;
    /// returns how many.
    pub(super) fn hold(&mut self, bytes: &[u8]) -> usize {
        let room = MAX_HELD_BYTES.saturating_sub(self.held.len());
        let held = self.search.push(bytes.get(..room).unwrap_or(bytes));
        self.held.extend_from_slice(held);
        held.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    pub(super) fn into_held(self) -> Vec<u8> {
        self.held
    }

    /// Decides, if the held bytes suffice or nothing follows (`is_end`). A stream is read
    /// soon, but only with a configuration that fits: the target sent it, or most frames
    /// fit the guessed one (if the user allows a guess) or the default of RKH's own host
    /// tool.
    pub(super) fn decide(&mut self, options: &RkhOptions, is_end: bool) -> Option<StartDecision> {
        let TargetFinder { found, frames } = self.search.finder;
        let is_full = self.held.len() >= MAX_HELD_BYTES;
        if found.is_none() && !is_full && !is_end {
            let [min_frames, min_bytes] = self.next_attempt;
            if frames < min_frames as u64 && self.held.len() < min_bytes {
                return None;
            }
            self.next_attempt = self.next_attempt.map(|next| next * 2);
        }
        let choice = ConfigurationChoice::for_stream(&self.held, found, options);
        let before_target = found.and_then(|found| usize::try_from(found.offset).ok());
        let before_target = before_target.and_then(|end| self.held.get(..end));
        let is_likely = match &choice.guess {
            Some(guess) => {
                found.is_some()
                    || guess.confidence == Confidence::Certain
                    || self.held.len() >= MIN_UNCERTAIN_GUESS_BYTES
            }
            None if choice.provenance == Provenance::Default => {
                let bytes = before_target.unwrap_or(&self.held);
                fits(&choice.configuration, bytes, options)
            }
            None => true,
        };
        if is_likely {
            return Some(StartDecision {
                unusable_bytes: 0,
                choice: Some(choice),
            });
        }
        let unusable_bytes = match before_target {
            Some(before) => before.len(),
            None if is_end => self.held.len(),
            // Up to the incomplete frame at the end.
            None if is_full => {
                memchr::memrchr(FLAG, &self.held).map_or(self.held.len(), |flag| flag + 1)
            }
            None => return None,
        };
        Some(StartDecision {
            unusable_bytes,
            choice: found.map(|found| ConfigurationChoice::of_target(found.target, options)),
        })
    }
}

/// Bytes to search at a time for the target's configuration.
const SEARCH_BLOCK_BYTES: usize = 4096;

/// Searches the start of a stream for the target's first configuration record.
#[derive(Debug, Clone)]
struct TargetSearch {
    deframer: Deframer,
    finder: TargetFinder,
}

impl TargetSearch {
    fn new(max_frame_bytes: usize) -> Self {
        Self {
            deframer: Deframer::new(max_frame_bytes),
            finder: TargetFinder::default(),
        }
    }

    /// Searches the next bytes; returns those up to a block with the record.
    fn push<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let mut searched = 0;
        for piece in bytes.chunks(SEARCH_BLOCK_BYTES) {
            if self.finder.found.is_some() {
                break;
            }
            self.deframer.push(piece, &mut self.finder);
            searched += piece.len();
        }
        bytes.get(..searched).unwrap_or(bytes)
    }
}

#[derive(Debug, Clone, Copy, Default)]
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
    /// Chooses for a file, by its start.
    pub(super) fn for_file(bytes: &[u8], options: &RkhOptions) -> Self {
        Self::of_user(options).unwrap_or_else(|| {
            let mut search = TargetSearch::new(MAX_FILE_FRAME_BYTES);
            let start = search.push(bytes.get(..MAX_FILE_START_BYTES).unwrap_or(bytes));
            Self::for_stream(start, search.finder.found, options)
        })
    }

    /// The configuration that the user set.
    pub(super) fn of_user(options: &RkhOptions) -> Option<Self> {
        let given = options.configuration;
        given.map(|given| Self::without_guess(given, Provenance::User))
    }

    /// Chooses for the start of a stream; `found` is the target's
    /// configuration, if it sent one.
    fn for_stream(bytes: &[u8], found: Option<FoundTarget>, options: &RkhOptions) -> Self {
        let Some(found) = found else {
            return Self::without_target(bytes, options);
        };
        let before = usize::try_from(found.offset).ok();
        let before = before.and_then(|end| bytes.get(..end)).unwrap_or_default();
        let sent = Self::of_target(found.target, options);
        if !found.is_after_frames {
            sent
        } else if fits(&sent.configuration, before, options) {
            Self::without_guess(sent.configuration, Provenance::TargetLater)
        } else {
            Self::without_target(before, options)
        }
    }

    /// The configuration that the target sent.
    fn of_target(target: TargetConfiguration, options: &RkhOptions) -> Self {
        let configuration = options.unsent().apply(target.configuration(None));
        Self::without_guess(configuration, Provenance::Target)
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
    deframer::for_each_frame(bytes, MAX_FILE_FRAME_BYTES, |frame| {
        frames += 1;
        sound += u32::from(record_content::read(&plan, &options.own_records, frame.bytes).is_ok());
        frames < max
    });
    [sound, frames]
}
