//! Trace buffers that come one after the other, stitched.
//!
//! ```text
//! bytes ──assembler──▶ whole buffers ──overlap──▶ new entries ──▶ entries ──cut──▶ piece
//! ```
//!
//! What comes are copies of a buffer as it lay in the target's memory, from its
//! control header to the end of its ring: the same ring again and again while it
//! is written, or each time that it is full. Bytes between them are left out.

mod assembler;
mod breaks;
mod course;
mod entries;
mod ids;
mod names;
mod overlap;
mod piece;
mod snapshot;
mod stitcher;
mod target;
mod time;
mod widen;

pub use target::Area;

use super::Options;
use crate::live::{self, Moment, Point, Tally};
use assembler::Assembler;
use course::Course;
use rtoscope_trace::Clock;
use std::ops::Range;
use stitcher::Stitcher;

/// What has to be known to read a recording on from the middle.
#[derive(Debug, Clone)]
pub(crate) struct Knowledge {
    course: Box<Course>,
    start_is_lost: bool,
}

/// The stream.
pub(crate) struct Stream {
    assembler: Assembler,
    stitcher: Stitcher,
    /// Whole buffers that could not be used, and their bytes.
    unusable: u64,
    unusable_bytes: u64,
}

impl Stream {
    /// At the start of a recording, behind so many bytes.
    pub(crate) fn new(options: &Options, offset: u64) -> Self {
        Self::with(Stitcher::new(options), offset)
    }

    /// At a point of a recording.
    pub(crate) fn resume(options: &Options, point: &Point) -> Self {
        let stitcher = match &point.knowledge {
            live::Knowledge::ThreadX(knowledge) => Stitcher::resume(
                options,
                point.event,
                &knowledge.course,
                knowledge.start_is_lost,
            ),
            _ => Stitcher::new(options),
        };
        Self::with(stitcher, point.offset)
    }

    fn with(stitcher: Stitcher, offset: u64) -> Self {
        Self {
            assembler: Assembler::new(offset),
            stitcher,
            unusable: 0,
            unusable_bytes: 0,
        }
    }
}

impl live::Stream for Stream {
    fn push(&mut self, bytes: &[u8], at: Moment) {
        self.assembler.push(bytes);
        while let Some(whole) = self.assembler.next() {
            let size = whole.bytes.len() - whole.doubtful;
            if !self.stitcher.take(whole, at) {
                self.unusable += 1;
                self.unusable_bytes += size as u64;
            }
        }
    }

    fn interrupt(&mut self) {
        self.assembler.interrupt();
        self.stitcher.settle_doubt();
    }

    fn numbers(&self) -> Range<u64> {
        self.stitcher.entries.numbers()
    }

    fn forget(&mut self, before: u64) {
        self.stitcher.forget(before);
    }

    fn cut(&self, numbers: Range<u64>) -> Box<dyn live::Piece> {
        Box::new(self.stitcher.cut(&numbers))
    }

    fn tally(&self) -> Tally {
        Tally {
            events: self.numbers().end,
            missing: self.stitcher.missing,
            gaps: self.stitcher.gaps,
            bad: self.assembler.damaged + self.unusable,
            cut: self.assembler.cut,
            bad_bytes: self.assembler.lost_bytes + self.unusable_bytes,
        }
    }

    fn point(&self) -> Option<Point> {
        let numbers = self.numbers();
        (!numbers.is_empty()).then(|| Point {
            offset: self.stitcher.newest_offset,
            event: numbers.end - 1,
            knowledge: live::Knowledge::ThreadX(Knowledge {
                course: Box::new(self.stitcher.course.clone()),
                start_is_lost: self.stitcher.start_is_lost,
            }),
        })
    }

    fn settle(&mut self, clock: &Clock) {
        self.stitcher.course.settle(clock.direction);
    }
}
