//! A stream decoded as it comes, of which the last records are kept.
//!
//! ```text
//! bytes ──frames──▶ open page ──turn──▶ sealed pages ──forget──▶ gone
//!                       └── what they tell of the target, and who executes ──▶ kept
//! ```

mod guessing;
mod guide;
mod opening;
mod piece;
mod preface;
mod reading;

use super::Options;
use super::deframe::Deframer;
use super::guess::Guess;
use super::page::Footing;
use super::start::Start;
use super::stream::Provenance;
use crate::DecodeError;
use crate::live::{self, Moment, Point, Tally};
use guide::Shared;
use opening::{GivenUp, Opening};
use preface::Preface;
use reading::Reading;
use rtoscope_trace::Clock;
use std::ops::Range;
use std::sync::Arc;

/// What has to be known to read a recording on from the middle.
#[derive(Debug, Clone)]
pub(crate) struct Knowledge {
    footing: Footing,
    start: Start,
    target: Shared,
    provenance: Provenance,
    guess: Option<Guess>,
}

/// The stream.
pub(crate) struct Stream {
    options: Arc<Options>,
    deframer: Deframer,
    state: State,
    /// Frames and bytes that were given up before anything could be read.
    given_up: [u64; 2],
    /// Frames of those that the usual configuration fits.
    usual: usize,
    clock: Option<Clock>,
}

enum State {
    /// Nobody says the configuration yet.
    Opening(Opening),
    Reading(Box<Reading>),
}

/// Bytes of a frame at most, without escapes. Targets send less than 256; a line
/// that only makes noise need not take more.
const MOST_FRAME: usize = 1 << 16;

impl Stream {
    /// At the start of a recording, behind so many bytes.
    pub(crate) fn new(options: &Options, offset: u64) -> Self {
        let options = live_options(options);
        let state = match options.configuration {
            Some(configuration) => {
                let reading = Reading::new(configuration, Provenance::Given, None, &options);
                State::Reading(Box::new(reading))
            }
            None => State::Opening(Opening::new(&options)),
        };
        Self {
            deframer: Deframer::at(offset, false, options.most_frame),
            state,
            options,
            given_up: [0; 2],
            usual: 0,
            clock: None,
        }
    }

    /// At a point of a recording. What did not come counts from there on.
    pub(crate) fn resume(options: &Options, point: &Point) -> Self {
        let live::Knowledge::Rkh(knowledge) = &point.knowledge else {
            return Self::new(options, point.offset);
        };
        let options = live_options(options);
        let reading = Reading::resume(point.event, knowledge, &options);
        Self {
            deframer: Deframer::at(point.offset, true, options.most_frame),
            state: State::Reading(Box::new(reading)),
            options,
            given_up: [0; 2],
            usual: 0,
            clock: None,
        }
    }

    fn read(&mut self, bytes: &[u8]) {
        if let State::Reading(reading) = &mut self.state {
            reading.read(bytes, &mut self.deframer);
        }
    }

    /// Reads on with what was decided, from what is worth it.
    fn open(&mut self, opened: opening::Opened) {
        let opening::Opened {
            choice,
            held,
            given_up,
        } = opened;
        let mut rest = held.as_slice();
        if given_up.bytes > 0 {
            self.give_up(given_up, true);
            rest = held.get(given_up.bytes..).unwrap_or_default();
        }
        let reading = Reading::new(
            choice.configuration,
            choice.provenance,
            choice.guess,
            &self.options,
        );
        self.state = State::Reading(Box::new(reading));
        self.read(rest);
    }

    /// Goes on behind bytes that are of no use.
    fn give_up(&mut self, given_up: GivenUp, at_frame: bool) {
        let bytes = given_up.bytes as u64;
        let [all_frames, all_bytes] = &mut self.given_up;
        *all_frames += given_up.frames;
        *all_bytes += bytes;
        self.usual += given_up.usual;
        let offset = self.deframer.taken() + bytes;
        self.deframer = Deframer::at(offset, at_frame, self.options.most_frame);
    }
}

fn live_options(options: &Options) -> Arc<Options> {
    Arc::new(Options {
        most_frame: options.most_frame.min(MOST_FRAME),
        ..options.clone()
    })
}

impl live::Stream for Stream {
    fn push(&mut self, bytes: &[u8], _at: Moment) {
        let mut rest = bytes;
        while let State::Opening(opening) = &mut self.state {
            let held = opening.hold(rest);
            rest = rest.get(held..).unwrap_or_default();
            if let Some(opened) = opening.decide(&self.options) {
                self.open(opened);
            } else if let Some(given_up) = opening.make_room() {
                self.give_up(given_up, given_up.at_frame);
            } else if rest.is_empty() {
                return;
            }
        }
        self.read(rest);
    }

    fn interrupt(&mut self) {
        if let State::Opening(opening) = &mut self.state {
            let opening = std::mem::replace(opening, Opening::new(&self.options));
            match opening.end(&self.options) {
                Ok(opened) => self.open(opened),
                Err(given_up) => self.give_up(given_up, false),
            }
        }
        if let State::Reading(reading) = &mut self.state {
            reading.interrupt(self.deframer.finish());
            self.deframer.interrupt();
        }
    }

    fn numbers(&self) -> Range<u64> {
        match &self.state {
            State::Reading(reading) => reading.numbers(),
            State::Opening(_) => 0..0,
        }
    }

    fn forget(&mut self, before: u64) {
        if let State::Reading(reading) = &mut self.state {
            reading.forget(before);
        }
    }

    fn bound(&mut self) {
        if let State::Reading(reading) = &mut self.state {
            reading.bound(self.deframer.taken());
        }
    }

    fn cut(&self, numbers: Range<u64>) -> Box<dyn live::Piece> {
        let bytes = self.deframer.taken();
        let reading = match &self.state {
            State::Reading(reading) => reading.cut(numbers, bytes, &self.options, self.clock),
            // Nobody has a number then.
            State::Opening(_) => {
                let reading =
                    Reading::new(Default::default(), Provenance::Assumed, None, &self.options);
                reading.cut(0..0, bytes, &self.options, self.clock)
            }
        };
        Box::new(reading)
    }

    fn tally(&self) -> Tally {
        let mut tally = match &self.state {
            State::Reading(reading) => reading.tally(),
            State::Opening(_) => Tally::default(),
        };
        let [frames, bytes] = self.given_up;
        tally.bad += frames;
        tally.bad_bytes += bytes;
        tally
    }

    fn point(&self) -> Option<Point> {
        match &self.state {
            State::Reading(reading) => reading.point(),
            State::Opening(_) => None,
        }
    }

    fn refusal(&self) -> Option<DecodeError> {
        let [frames, _] = self.given_up;
        match &self.state {
            State::Reading(reading) => reading.refusal(self.deframer.taken()),
            State::Opening(opening) if opening.is_empty() && frames > 0 => {
                Some(DecodeError::NoRkhConfiguration {
                    records: self.usual,
                    frames: frames - self.usual as u64,
                })
            }
            State::Opening(_) => None,
        }
    }

    fn settle(&mut self, clock: &Clock) {
        self.clock = Some(*clock);
    }

    fn preface(&self) -> Vec<u8> {
        match &self.state {
            State::Reading(reading) => Preface::of(reading).to_bytes(),
            State::Opening(_) => Vec::new(),
        }
    }

    fn teach(&mut self, preface: &[u8]) {
        let at_start = self.given_up == [0; 2] && self.numbers() == (0..0);
        let taught = Preface::read(preface).filter(|_| at_start);
        if let Some(reading) = taught.and_then(|taught| taught.reading(&self.options)) {
            self.state = State::Reading(Box::new(reading));
        }
    }
}
