//! Context-switch logs that come one after the other, stitched.
//!
//! ```text
//! bytes ──cutter──▶ containers ──weaver──▶ events ──piece──▶ Recording
//!                                │ stitch: what is new of a core
//!                                └ line: when that was
//! ```
//!
//! Each container tells what the cores' logs hold at a moment; what it holds
//! that no container before it held is new. Events of several cores get their
//! numbers once nothing can come any more that goes before them.

mod core;
mod cutter;
mod kept;
mod line;
mod piece;
mod stitch;
mod vocabulary;
mod weaver;
mod woven;

use super::container;
use super::options::Options;
use crate::live::{self, Moment, Point, Tally};
use cutter::Cutter;
use rtoscope_trace::Clock;
use std::ops::Range;
use woven::Woven;

pub(crate) use woven::Knowledge;

/// The stream.
pub(crate) struct Stream {
    cutter: Cutter,
    woven: Woven,
}

impl Stream {
    /// At the start of a recording, behind so many bytes.
    pub(crate) fn new(options: &Options, offset: u64) -> Self {
        Self {
            cutter: Cutter::new(offset),
            woven: Woven::new(options),
        }
    }

    /// At a point of a recording.
    pub(crate) fn resume(options: &Options, point: &Point) -> Self {
        Self {
            cutter: Cutter::new(point.offset),
            woven: Woven::resume(options, point),
        }
    }
}

impl live::Stream for Stream {
    fn push(&mut self, bytes: &[u8], at: Moment) {
        self.cutter.push(bytes);
        while let Some(whole) = self.cutter.next() {
            if let Ok(log) = container::read(whole.bytes, whole.offset) {
                self.woven.take(log, whole.offset, at);
            }
        }
    }

    fn interrupt(&mut self) {
        self.cutter.interrupt();
        self.woven.finish();
    }

    fn numbers(&self) -> Range<u64> {
        self.woven.kept.numbers()
    }

    fn forget(&mut self, before: u64) {
        self.woven.kept.forget(before);
    }

    fn cut(&self, numbers: Range<u64>) -> Box<dyn live::Piece> {
        Box::new(self.woven.cut(numbers))
    }

    fn tally(&self) -> Tally {
        let tally = self.woven.tally();
        Tally {
            bad: self.cutter.bad,
            bad_bytes: tally.bad_bytes.saturating_add(self.cutter.bad_bytes),
            ..tally
        }
    }

    fn point(&self) -> Option<Point> {
        self.woven.point()
    }

    fn settle(&mut self, clock: &Clock) {
        self.woven.settle(clock.direction);
    }

    fn preface(&self) -> Vec<u8> {
        self.woven.preface()
    }

    fn teach(&mut self, preface: &[u8]) {
        self.woven.teach(preface);
    }
}
