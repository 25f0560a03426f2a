//! A stream whose configuration is not known yet.

use super::Options;
use super::deframe::{self, Deframer, Frame, Receive};
use super::guess::{self, Guess};
use super::plan::Plan;
use super::record;
use super::stream::Provenance;
use rtoscope_wire::rkh::{Configuration, TargetConfiguration};

/// The start of a stream, in which the target may tell its configuration.
#[derive(Debug, Clone)]
pub(super) struct Undecided {
    pub(super) held: Vec<u8>,
    /// Bytes that are held at most.
    most: usize,
    deframer: Deframer,
    scout: Scout,
}

impl Undecided {
    pub(super) fn new(most_frame: usize, most: usize) -> Self {
        Self {
            held: Vec::new(),
            most,
            deframer: Deframer::new(most_frame),
            scout: Scout::default(),
        }
    }

    /// Holds bytes back until it is settled, and says how many.
    pub(super) fn hold(&mut self, bytes: &[u8]) -> usize {
        let room = self.most.saturating_sub(self.held.len());
        let mut held = 0;
        for piece in bytes
            .get(..room.min(bytes.len()))
            .unwrap_or_default()
            .chunks(PIECE)
        {
            if self.is_settled() {
                break;
            }
            self.held.extend_from_slice(piece);
            self.deframer.push(piece, &mut self.scout);
            held += piece.len();
        }
        held
    }

    pub(super) fn is_settled(&self) -> bool {
        self.scout.found.is_some() || self.held.len() >= self.most
    }

    /// Frames before the target's configuration, or all.
    pub(super) fn frames(&self) -> u64 {
        self.scout.frames
    }

    /// Bytes before the target's configuration, if it came.
    pub(super) fn before_target(&self) -> Option<usize> {
        usize::try_from(self.scout.found?.offset).ok()
    }

    /// What the target tells.
    pub(super) fn target_choice(&self, options: &Options) -> Option<Choice> {
        let target = self.scout.found?.target;
        let configuration = target.configuration(options.function);
        Some(Choice::plain(configuration, Provenance::Told))
    }

    /// What is to be read with what is known.
    pub(super) fn choice(&self, options: &Options) -> Choice {
        Choice::of(&self.held, self.scout.found, options)
    }
}

/// Bytes that are looked through at once for the target's configuration.
const PIECE: usize = 4096;

/// Looks for the target's first configuration record.
#[derive(Debug, Clone, Default)]
struct Scout {
    found: Option<Found>,
    frames: u64,
}

#[derive(Debug, Clone, Copy)]
struct Found {
    target: TargetConfiguration,
    /// Where it stands.
    offset: u64,
    /// Whether frames stand before it.
    behind_frames: bool,
}

impl Receive for Scout {
    fn frame(&mut self, frame: Frame<'_>) {
        if self.found.is_some() {
            return;
        }
        self.found = TargetConfiguration::parse(frame.bytes).map(|target| Found {
            target,
            offset: frame.offset,
            behind_frames: self.frames > 0,
        });
        self.frames += u64::from(!frame.leads);
    }

    fn aborted(&mut self, _: u64, _: u64) {}

    fn too_long(&mut self, _: u64, _: u64) {}
}

/// A configuration for the first records of a stream.
pub(super) struct Choice {
    pub(super) configuration: Configuration,
    pub(super) provenance: Provenance,
    pub(super) guess: Option<Guess>,
}

impl Choice {
    /// For the start of a stream, in which the target has told its configuration
    /// or not.
    fn of(bytes: &[u8], found: Option<Found>, options: &Options) -> Self {
        let Some(found) = found else {
            return Self::untold(bytes, options);
        };
        let before = usize::try_from(found.offset).ok();
        let before = before.and_then(|end| bytes.get(..end)).unwrap_or_default();
        let configuration = found.target.configuration(options.function);
        if !found.behind_frames {
            Self::plain(configuration, Provenance::Told)
        } else if fits(&configuration, before, options.most_frame) {
            Self::plain(configuration, Provenance::ToldLater)
        } else {
            Self::untold(before, options)
        }
    }

    /// What is likely where the target says nothing.
    fn untold(bytes: &[u8], options: &Options) -> Self {
        let guess = options.guess.then(|| guess::infer(bytes)).flatten();
        match guess {
            Some(guess) => Self {
                configuration: guess.configuration,
                provenance: Provenance::Guessed,
                guess: Some(guess),
            },
            None => Self::plain(Configuration::default(), Provenance::Assumed),
        }
    }

    /// Whether nobody says it, nor is it guessed.
    pub(super) fn is_assumed(&self) -> bool {
        self.provenance == Provenance::Assumed
    }

    fn plain(configuration: Configuration, provenance: Provenance) -> Self {
        Self {
            configuration,
            provenance,
            guess: None,
        }
    }
}

/// Frames that are looked at to see whether a configuration fits.
const TRIED: u32 = 4096;

/// A configuration fits if it is right for this part of the frames at least:
/// more are seldom damaged, and a wrong one is right for fewer.
pub(super) const FITTING: [u32; 2] = [9, 10];

/// Whether the first frames of a stream are records of a configuration.
pub(super) fn fits(configuration: &Configuration, bytes: &[u8], most_frame: usize) -> bool {
    let [sound, frames] = sound(configuration, bytes, most_frame, TRIED);
    let [part, whole] = FITTING;
    frames > 0 && sound * whole >= frames * part
}

/// How many of the first frames, so many at most, are records of a configuration,
/// and how many there are.
pub(super) fn sound(
    configuration: &Configuration,
    bytes: &[u8],
    most_frame: usize,
    most: u32,
) -> [u32; 2] {
    let plan = Plan::new(*configuration);
    let mut frames = 0;
    let mut sound = 0;
    deframe::each(bytes, most_frame, |frame| {
        frames += 1;
        sound += u32::from(record::read(&plan, frame.bytes).is_ok());
        frames < most
    });
    [sound, frames]
}
