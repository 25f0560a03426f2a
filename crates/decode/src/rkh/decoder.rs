//! A stream decoded as it comes.

use super::build::{self, Background};
use super::deframe::Deframer;
use super::guess::Guess;
use super::reader::Reader;
use super::start::Start;
use super::stream::Provenance;
use super::undecided::{FITTING, Undecided};
use super::{Options, Recording};
use rtoscope_wire::rkh::Configuration;

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

impl Decoder {
    /// A decoder at the start of a stream.
    pub fn new(options: &Options) -> Self {
        let mut decoder = Self {
            deframer: Deframer::new(options.most_frame),
            state: State::Undecided(Undecided::new(options.most_frame, UNDECIDED)),
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
        let background = Background {
            bytes,
            configuration: reader.configuration(),
            provenance,
            guess,
            survey: None,
            start: &Start::default(),
            options: &self.options,
        };
        build::recording(reader.page, background)
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
            ignores_target,
            ..
        } = self.options;
        let reader = Reader::new(configuration, function, split_glued);
        self.state = State::Reading {
            reader: Box::new(reader.ignoring_target(ignores_target)),
            provenance,
            guess,
        };
    }

    /// Decides on a configuration and reads what was held back.
    fn decide(&mut self) {
        if let State::Undecided(undecided) = &mut self.state {
            let choice = undecided.choice(&self.options);
            let held = std::mem::take(&mut undecided.held);
            self.start(choice.configuration, choice.provenance, choice.guess);
            self.read(&held);
        }
    }

    fn read(&mut self, bytes: &[u8]) {
        if let State::Reading { reader, .. } = &mut self.state {
            reader.page.columns.make_room(bytes.len());
            self.deframer.push(bytes, reader.as_mut());
        }
    }
}

/// Whether a configuration is probably wrong: too many of the frames are no
/// records of it.
pub(super) fn doubts(recording: &Recording) -> bool {
    let [part, whole] = FITTING.map(u64::from);
    let records = recording.stream.len() as u64;
    let frames = records + recording.stream.losses.bad_frames();
    records * whole < frames * part
}
