//! The start of a stream whose configuration nobody says: read as soon as one
//! fits, not only when the target tells it.

use crate::rkh::RkhOptions;
use crate::rkh::configuration_choice::{
    ConfigurationChoice, UndecidedStart, count_valid_frames, fits,
};
use crate::rkh::guess::Confidence;
use rtoscope_wire::rkh::StreamConfiguration;
use rtoscope_wire::rkh::frame::FLAG;

/// Bytes of which nobody knows how to read them.
pub(super) struct ConfigurationWait {
    undecided: UndecidedStart,
    max_frame_bytes: usize,
    /// So many frames or bytes are looked at next.
    next: [usize; 2],
}

/// What was decided.
pub(super) struct ConfiguredStart {
    pub(super) choice: ConfigurationChoice,
    /// What came.
    pub(super) bytes: Vec<u8>,
    /// What of it is of no use: it stands before the rest.
    pub(super) skipped: SkippedBytes,
}

/// Bytes that are of no use.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SkippedBytes {
    pub(super) frames: u64,
    /// Of those, as many as the usual configuration fits.
    pub(super) default_fitting_frames: usize,
    pub(super) bytes: usize,
    /// Whether a frame begins behind them.
    pub(super) at_frame: bool,
}

/// Frames, and bytes, from which it is tried first whether a configuration
/// fits; then whenever there are twice as many.
const FIRST_TRY: [usize; 2] = [16, 1 << 12];

/// Bytes that are held at most.
const MAX_HELD_BYTES: usize = 1 << 16;

/// From so many bytes on a guess counts that is not certain.
const MIN_UNCERTAIN_GUESS_BYTES: usize = 1 << 12;

impl ConfigurationWait {
    pub(super) fn new(options: &RkhOptions) -> Self {
        Self {
            undecided: UndecidedStart::new(options.max_frame_bytes, MAX_HELD_BYTES),
            max_frame_bytes: options.max_frame_bytes,
            next: FIRST_TRY,
        }
    }

    /// Holds bytes back and says how many: all, unless there is something to
    /// decide.
    pub(super) fn hold(&mut self, bytes: &[u8]) -> usize {
        self.undecided.hold(bytes)
    }

    /// What is held and how to read it, if that can be said: the target tells
    /// its configuration, or most of the frames fit the one that is guessed, if
    /// the user wants that, or that of RKH's own host tool.
    pub(super) fn decide(&mut self, options: &RkhOptions) -> Option<ConfiguredStart> {
        if let Some(before) = self.undecided.before_target() {
            let choice = self.undecided.choice(options);
            let useless = choice.is_default()
                && !fits(
                    &choice.configuration,
                    self.prefix(before),
                    self.max_frame_bytes,
                );
            return Some(match useless {
                true => self.start_from(self.undecided.target_choice(options)?, before),
                false => self.start_from(choice, 0),
            });
        }
        let held = self.undecided.held.len();
        let [frames, bytes] = self.next;
        if self.undecided.frames() < frames as u64 && held < bytes {
            return None;
        }
        self.next = self.next.map(|next| next * 2);
        self.decide_by_fit(options)
    }

    /// The connection broke: the last chance to read what is held.
    pub(super) fn force_decision(
        mut self,
        options: &RkhOptions,
    ) -> Result<ConfiguredStart, SkippedBytes> {
        let opened = self.decide_by_fit(options);
        opened.ok_or_else(|| SkippedBytes::scan(&self.undecided.held, self.max_frame_bytes, false))
    }

    /// Whether nothing is held.
    pub(super) fn is_empty(&self) -> bool {
        self.undecided.held.is_empty()
    }

    /// Where it is full, drops its older half.
    pub(super) fn discard_older_half(&mut self) -> Option<SkippedBytes> {
        let held = std::mem::take(&mut self.undecided.held);
        if held.len() < MAX_HELD_BYTES {
            self.undecided.held = held;
            return None;
        }
        let flag = memchr::memchr(FLAG, held.get(MAX_HELD_BYTES / 2..).unwrap_or_default());
        let bytes = flag.map_or(held.len(), |flag| MAX_HELD_BYTES / 2 + flag + 1);
        let (old, new) = held.split_at_checked(bytes).unwrap_or((&held, &[]));
        self.undecided = UndecidedStart::new(self.max_frame_bytes, MAX_HELD_BYTES);
        self.undecided.hold(new);
        // What is tried again is more than was there last.
        self.next = [usize::MAX / 2, MAX_HELD_BYTES];
        Some(SkippedBytes::scan(
            old,
            self.max_frame_bytes,
            flag.is_some(),
        ))
    }

    fn decide_by_fit(&mut self, options: &RkhOptions) -> Option<ConfiguredStart> {
        let choice = self.undecided.choice(options);
        let held = &self.undecided.held;
        let is_likely = match &choice.guess {
            Some(guess) => {
                guess.confidence == Confidence::Certain || held.len() >= MIN_UNCERTAIN_GUESS_BYTES
            }
            None => fits(&choice.configuration, held, self.max_frame_bytes),
        };
        is_likely.then(|| self.start_from(choice, 0))
    }

    fn prefix(&self, end: usize) -> &[u8] {
        self.undecided.held.get(..end).unwrap_or_default()
    }

    fn start_from(&mut self, choice: ConfigurationChoice, useless: usize) -> ConfiguredStart {
        ConfiguredStart {
            choice,
            skipped: SkippedBytes::scan(self.prefix(useless), self.max_frame_bytes, true),
            bytes: std::mem::take(&mut self.undecided.held),
        }
    }
}

impl SkippedBytes {
    fn scan(bytes: &[u8], most_frame: usize, at_frame: bool) -> Self {
        let [usual, _] =
            count_valid_frames(&StreamConfiguration::default(), bytes, most_frame, u32::MAX);
        // Those at the ends that are cut among them.
        let frames = bytes.split(|byte| *byte == FLAG);
        let frames = frames.filter(|frame| !frame.is_empty());
        Self {
            frames: frames.count() as u64,
            default_fitting_frames: usual as usize,
            bytes: bytes.len(),
            at_frame,
        }
    }
}
