//! The start of a stream whose configuration nobody says: read as soon as one
//! fits, not only when the target tells it.

use crate::rkh::Options;
use crate::rkh::guess::Confidence;
use crate::rkh::undecided::{Choice, Undecided, fits, sound};
use rtoscope_wire::rkh::Configuration;
use rtoscope_wire::rkh::frame::FLAG;

/// Bytes of which nobody knows how to read them.
pub(super) struct Opening {
    undecided: Undecided,
    most_frame: usize,
    /// So many frames or bytes are looked at next.
    next: [usize; 2],
}

/// What was decided.
pub(super) struct Opened {
    pub(super) choice: Choice,
    /// What came.
    pub(super) held: Vec<u8>,
    /// What of it is of no use: it stands before the rest.
    pub(super) given_up: GivenUp,
}

/// Bytes that are of no use.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct GivenUp {
    pub(super) frames: u64,
    /// Of those, as many as the usual configuration fits.
    pub(super) usual: usize,
    pub(super) bytes: usize,
    /// Whether a frame begins behind them.
    pub(super) at_frame: bool,
}

/// Frames, and bytes, from which it is tried first whether a configuration
/// fits; then whenever there are twice as many.
const FIRST: [usize; 2] = [16, 1 << 12];

/// Bytes that are held at most.
const MOST: usize = 1 << 16;

/// From so many bytes on a guess counts that is not certain.
const ENOUGH: usize = 1 << 12;

impl Opening {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            undecided: Undecided::new(options.most_frame, MOST),
            most_frame: options.most_frame,
            next: FIRST,
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
    pub(super) fn decide(&mut self, options: &Options) -> Option<Opened> {
        if let Some(before) = self.undecided.before_target() {
            let choice = self.undecided.choice(options);
            let useless = choice.is_assumed()
                && !fits(&choice.configuration, self.part(before), self.most_frame);
            return Some(match useless {
                true => self.opened(self.undecided.target_choice(options)?, before),
                false => self.opened(choice, 0),
            });
        }
        let held = self.undecided.held.len();
        let [frames, bytes] = self.next;
        if self.undecided.frames() < frames as u64 && held < bytes {
            return None;
        }
        self.next = self.next.map(|next| next * 2);
        self.fitting(options)
    }

    /// The connection broke: the last chance to read what is held.
    pub(super) fn end(mut self, options: &Options) -> Result<Opened, GivenUp> {
        let opened = self.fitting(options);
        opened.ok_or_else(|| GivenUp::of(&self.undecided.held, self.most_frame, false))
    }

    /// Whether nothing is held.
    pub(super) fn is_empty(&self) -> bool {
        self.undecided.held.is_empty()
    }

    /// Where it is full, drops its older half.
    pub(super) fn make_room(&mut self) -> Option<GivenUp> {
        let held = std::mem::take(&mut self.undecided.held);
        if held.len() < MOST {
            self.undecided.held = held;
            return None;
        }
        let flag = memchr::memchr(FLAG, held.get(MOST / 2..).unwrap_or_default());
        let bytes = flag.map_or(held.len(), |flag| MOST / 2 + flag + 1);
        let (old, new) = held.split_at_checked(bytes).unwrap_or((&held, &[]));
        self.undecided = Undecided::new(self.most_frame, MOST);
        self.undecided.hold(new);
        // What is tried again is more than was there last.
        self.next = [usize::MAX / 2, MOST];
        Some(GivenUp::of(old, self.most_frame, flag.is_some()))
    }

    fn fitting(&mut self, options: &Options) -> Option<Opened> {
        let choice = self.undecided.choice(options);
        let held = &self.undecided.held;
        let is_likely = match &choice.guess {
            Some(guess) => guess.confidence == Confidence::Certain || held.len() >= ENOUGH,
            None => fits(&choice.configuration, held, self.most_frame),
        };
        is_likely.then(|| self.opened(choice, 0))
    }

    fn part(&self, end: usize) -> &[u8] {
        self.undecided.held.get(..end).unwrap_or_default()
    }

    fn opened(&mut self, choice: Choice, useless: usize) -> Opened {
        Opened {
            choice,
            given_up: GivenUp::of(self.part(useless), self.most_frame, true),
            held: std::mem::take(&mut self.undecided.held),
        }
    }
}

impl GivenUp {
    fn of(bytes: &[u8], most_frame: usize, at_frame: bool) -> Self {
        let [usual, _] = sound(&Configuration::default(), bytes, most_frame, u32::MAX);
        // Those at the ends that are cut among them.
        let frames = bytes.split(|byte| *byte == FLAG);
        let frames = frames.filter(|frame| !frame.is_empty());
        Self {
            frames: frames.count() as u64,
            usual: usual as usize,
            bytes: bytes.len(),
            at_frame,
        }
    }
}
