//! A stream decoded as it comes.

use super::deframe::{self, Deframer, Frame, Receive};
use super::guess::{self, Guess};
use super::plan::Plan;
use super::reader::Reader;
use super::stream::Provenance;
use super::{Options, Recording, build, record};
use rtoscope_wire::rkh::{Configuration, TargetConfiguration};

/// Decodes a stream as it comes, in pieces of any size.
///
/// Where nobody says the configuration before the first record, nothing is
/// decoded until the target does, or 1 MiB has come.
#[derive(Debug, Clone)]
pub struct Decoder {
    options: Options,
    deframer: Deframer,
    state: State,
}

#[derive(Debug, Clone)]
enum State {
    /// The configuration is not known yet.
    Undecided(Undecided),
    Reading {
        reader: Box<Reader>,
        provenance: Provenance,
        guess: Option<Guess>,
    },
}

/// Bytes within which the target has to tell its configuration.
const UNDECIDED: usize = 1 << 20;

/// Frames that are looked at to see whether a configuration fits.
const TRIED: u32 = 4096;

/// A configuration fits if it is right for this part of the frames at least:
/// more are seldom damaged, and a wrong one is right for fewer.
const FITTING: [u32; 2] = [9, 10];

impl Decoder {
    /// A decoder at the start of a stream.
    pub fn new(options: &Options) -> Self {
        let mut decoder = Self {
            deframer: Deframer::new(options.most_frame),
            state: State::Undecided(Undecided::new(options.most_frame)),
            options: options.clone(),
        };
        if let Some(configuration) = options.configuration {
            decoder.start(configuration, Provenance::Given, None);
        }
        decoder
    }

    /// Takes the next bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        if let State::Undecided(undecided) = &mut self.state {
            let held = undecided.hold(bytes);
            if !undecided.is_settled() {
                return;
            }
            rest = bytes.get(held..).unwrap_or_default();
            self.decide();
        }
        self.read(rest);
    }

    /// Ends the stream.
    pub fn finish(mut self) -> Recording {
        self.decide();
        let bytes = self.deframer.taken();
        let tail = self.deframer.finish();
        let (mut reader, provenance, guess) = match self.state {
            State::Reading {
                reader,
                provenance,
                guess,
            } => (reader, provenance, guess),
            // Not after a decision.
            State::Undecided(_) => {
                let reader = Reader::new(Configuration::default(), None, false);
                (Box::new(reader), Provenance::Assumed, None)
            }
        };
        if let Some((frame, cut)) = tail {
            reader.end(frame, cut);
        }
        build::recording(*reader, bytes, provenance, guess, &self.options)
    }

    fn start(
        &mut self,
        configuration: Configuration,
        provenance: Provenance,
        guess: Option<Guess>,
    ) {
        let Options {
            function,
            split_glued,
            ..
        } = self.options;
        let configuration = Configuration {
            function: function.unwrap_or(configuration.function),
            ..configuration
        };
        self.state = State::Reading {
            reader: Box::new(Reader::new(configuration, function, split_glued)),
            provenance,
            guess,
        };
    }

    /// Decides on a configuration and reads what was held back.
    fn decide(&mut self) {
        if let State::Undecided(undecided) = &mut self.state {
            let held = std::mem::take(&mut undecided.held);
            let choice = Choice::of(&held, undecided.scout.found, &self.options);
            self.start(choice.configuration, choice.provenance, choice.guess);
            self.read(&held);
        }
    }

    fn read(&mut self, bytes: &[u8]) {
        if let State::Reading { reader, .. } = &mut self.state {
            reader.columns.make_room(bytes.len());
            self.deframer.push(bytes, reader.as_mut());
        }
    }
}

/// The start of a stream, in which the target may tell its configuration.
#[derive(Debug, Clone)]
struct Undecided {
    held: Vec<u8>,
    deframer: Deframer,
    scout: Scout,
}

impl Undecided {
    fn new(most_frame: usize) -> Self {
        Self {
            held: Vec::new(),
            deframer: Deframer::new(most_frame),
            scout: Scout::default(),
        }
    }

    /// Holds bytes back until it is settled, and says how many.
    fn hold(&mut self, bytes: &[u8]) -> usize {
        let room = UNDECIDED.saturating_sub(self.held.len());
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

    fn is_settled(&self) -> bool {
        self.scout.found.is_some() || self.held.len() >= UNDECIDED
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
struct Choice {
    configuration: Configuration,
    provenance: Provenance,
    guess: Option<Guess>,
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

    fn plain(configuration: Configuration, provenance: Provenance) -> Self {
        Self {
            configuration,
            provenance,
            guess: None,
        }
    }
}

/// Whether the first frames of a stream are records of a configuration.
pub(super) fn fits(configuration: &Configuration, bytes: &[u8], most_frame: usize) -> bool {
    let plan = Plan::new(*configuration);
    let mut frames = 0;
    let mut sound = 0;
    deframe::each(bytes, most_frame, |frame| {
        frames += 1;
        sound += u32::from(record::read(&plan, frame.bytes).is_ok());
        frames < TRIED
    });
    let [part, whole] = FITTING;
    frames > 0 && sound * whole >= frames * part
}

/// Whether an assumed configuration is probably wrong: too many of the frames
/// are no records of it.
pub(super) fn doubts(recording: &Recording) -> bool {
    let [part, whole] = FITTING.map(u64::from);
    let records = recording.stream.len() as u64;
    let frames = records + recording.stream.losses.bad_frames();
    records * whole < frames * part
}
