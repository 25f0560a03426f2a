//! The start of a stream without a configuration: decoding begins as soon as a
//! configuration fits, even before the target sends one.

use crate::rkh::RkhOptions;
use crate::rkh::configuration_choice::{
    ConfigurationChoice, UndecidedStart, count_valid_frames, fits,
};
use crate::rkh::guess::Confidence;
use rtoscope_wire::rkh::StreamConfiguration;
use rtoscope_wire::rkh::frame::FLAG;

/// Bytes that cannot be decoded yet.
pub(super) struct ConfigurationWait {
    undecided: UndecidedStart,
    /// The numbers of frames and bytes at which to try next.
    next: [usize; 2],
}

/// The result of the decision.
pub(super) struct ConfiguredStart {
    pub(super) choice: ConfigurationChoice,
    /// The held bytes.
    pub(super) bytes: Vec<u8>,
    /// The unusable bytes before the rest.
    pub(super) skipped: SkippedBytes,
}

/// Unusable bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SkippedBytes {
    pub(super) frames: u64,
    /// The number of those frames that fit the default configuration.
    pub(super) default_fitting_frames: usize,
    pub(super) bytes: usize,
    /// Whether a frame begins after them.
    pub(super) at_frame: bool,
}

/// Numbers of frames and bytes at which to try a configuration first; both
/// double after each attempt.
const FIRST_TRY: [usize; 2] = [16, 1 << 12];

/// Maximum number of bytes to hold.
const MAX_HELD_BYTES: usize = 1 << 16;

/// Minimum number of bytes for a guess that is not certain.
const MIN_UNCERTAIN_GUESS_BYTES: usize = 1 << 12;

impl ConfigurationWait {
    pub(super) fn new(options: &RkhOptions) -> Self {
        Self {
            undecided: UndecidedStart::new(options.max_frame_bytes, MAX_HELD_BYTES),
            next: FIRST_TRY,
        }
    }

    /// Holds bytes and returns how many: all, unless there is something to
    /// decide.
    pub(super) fn hold(&mut self, bytes: &[u8]) -> usize {
        self.undecided.hold(bytes)
    }

    /// The held bytes and their configuration, if it can be determined: the
    /// target sent it, or most frames fit the guessed one (if the user allows a
    /// guess) or the default of RKH's own host tool.
    pub(super) fn decide(&mut self, options: &RkhOptions) -> Option<ConfiguredStart> {
        if let Some(before) = self.undecided.before_target() {
            let choice = self.undecided.choice(options);
            let useless =
                choice.is_default() && !fits(&choice.configuration, self.prefix(before), options);
            return Some(match useless {
                true => {
                    let choice = self.undecided.target_choice(options)?;
                    self.start_from(choice, before, options)
                }
                false => self.start_from(choice, 0, options),
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

    /// The connection was lost: decides with the bytes held so far.
    pub(super) fn force_decision(
        mut self,
        options: &RkhOptions,
    ) -> Result<ConfiguredStart, SkippedBytes> {
        let opened = self.decide_by_fit(options);
        opened.ok_or_else(|| SkippedBytes::scan(&self.undecided.held, options, false))
    }

    /// Whether no bytes are held.
    pub(super) fn is_empty(&self) -> bool {
        self.undecided.held.is_empty()
    }

    /// If it is full, discards the older half.
    pub(super) fn discard_older_half(&mut self, options: &RkhOptions) -> Option<SkippedBytes> {
        let held = std::mem::take(&mut self.undecided.held);
        if held.len() < MAX_HELD_BYTES {
            self.undecided.held = held;
            return None;
        }
        let flag = memchr::memchr(FLAG, held.get(MAX_HELD_BYTES / 2..).unwrap_or_default());
        let bytes = flag.map_or(held.len(), |flag| MAX_HELD_BYTES / 2 + flag + 1);
        let (old, new) = held.split_at_checked(bytes).unwrap_or((&held, &[]));
        self.undecided = UndecidedStart::new(options.max_frame_bytes, MAX_HELD_BYTES);
        self.undecided.hold(new);
        // The next attempt has more bytes than the last one.
        self.next = [usize::MAX / 2, MAX_HELD_BYTES];
        Some(SkippedBytes::scan(old, options, flag.is_some()))
    }

    fn decide_by_fit(&mut self, options: &RkhOptions) -> Option<ConfiguredStart> {
        let choice = self.undecided.choice(options);
        let held = &self.undecided.held;
        let is_likely = match &choice.guess {
            Some(guess) => {
                guess.confidence == Confidence::Certain || held.len() >= MIN_UNCERTAIN_GUESS_BYTES
            }
            None => fits(&choice.configuration, held, options),
        };
        is_likely.then(|| self.start_from(choice, 0, options))
    }

    fn prefix(&self, end: usize) -> &[u8] {
        self.undecided.held.get(..end).unwrap_or_default()
    }

    fn start_from(
        &mut self,
        choice: ConfigurationChoice,
        useless: usize,
        options: &RkhOptions,
    ) -> ConfiguredStart {
        ConfiguredStart {
            choice,
            skipped: SkippedBytes::scan(self.prefix(useless), options, true),
            bytes: std::mem::take(&mut self.undecided.held),
        }
    }
}

impl SkippedBytes {
    fn scan(bytes: &[u8], options: &RkhOptions, at_frame: bool) -> Self {
        let [usual, _] =
            count_valid_frames(&StreamConfiguration::default(), bytes, options, u32::MAX);
        // Including the incomplete frames at both ends.
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
