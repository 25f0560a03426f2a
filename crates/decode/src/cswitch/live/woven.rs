//! All events of a stream, and what is known of it.

use super::kept::{Event, Kept};
use super::piece::Piece;
use super::stitch::Stitch;
use super::vocabulary::Vocabulary;
use super::weaver::Weaver;
use crate::cswitch::log::{Log, Missing};
use crate::cswitch::options::Options;
use crate::live::{self, Moment, Point, Tally};
use rtoscope_trace::clock::Direction;
use std::ops::Range;
use std::sync::Arc;

/// What has to be known to read a recording on from the middle: what was known
/// before the last container, which is read again.
#[derive(Debug, Clone)]
pub(crate) struct Knowledge(Box<Known>);

#[derive(Debug, Clone)]
struct Known {
    before: Weaver,
    last: Last,
    newest: Event,
    vocabulary: Arc<Vocabulary>,
}

/// The last container.
#[derive(Debug, Clone)]
struct Last {
    /// Bytes of the recording before it.
    offset: u64,
    stitches: Vec<(u8, Stitch)>,
    /// Whether the connection broke behind it.
    is_finished: bool,
}

/// The events, and what is known from container to container.
pub(super) struct Woven {
    options: Options,
    pub(super) kept: Kept,
    weaver: Option<Weaver>,
    /// The last container, and what was known before it.
    last: Option<(Weaver, Last)>,
    /// A container that has been read once, whose events are not new.
    again: Option<Last>,
    vocabulary: Arc<Vocabulary>,
    direction: Option<Direction>,
    /// What came and did not before the shape of the entries changed.
    tally: Tally,
}

impl Woven {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            options: options.clone(),
            kept: Kept::default(),
            weaver: None,
            last: None,
            again: None,
            vocabulary: Arc::default(),
            direction: None,
            tally: Tally::default(),
        }
    }

    /// At a point of a recording.
    pub(super) fn resume(options: &Options, point: &Point) -> Self {
        let mut woven = Self::new(options);
        woven.kept = Kept::from(point.event);
        if let live::Knowledge::Cswitch(Knowledge(known)) = &point.knowledge {
            woven.kept.push(known.newest.clone());
            woven.weaver = Some(known.before.clone());
            woven.again = Some(known.last.clone());
            woven.vocabulary = Arc::clone(&known.vocabulary);
        }
        woven
    }

    /// Takes the next container, which lies at an offset of the recording.
    pub(super) fn take(&mut self, mut log: Log<'_>, offset: u64, at: Moment) {
        if let Some(bits) = self.options.counter_bits {
            log.shape.counter_bits = bits;
        }
        if self.vocabulary.lacks(&log) {
            Arc::make_mut(&mut self.vocabulary).learn(&log);
        }
        let mut weaver = self.weaver_for(&log);
        let before = weaver.clone();
        let last = match self.again.take() {
            Some(last) => {
                weaver.weave(&log, &last.stitches, at);
                if last.is_finished {
                    weaver.finish();
                }
                weaver.reach(self.kept.last());
                last
            }
            None => {
                let stitches = weaver.stitches(&log);
                let events = weaver.weave(&log, &stitches, at);
                self.keep(events);
                Last {
                    offset,
                    stitches,
                    is_finished: false,
                }
            }
        };
        self.last = Some((before.before(&weaver), last));
        self.weaver = Some(weaver);
    }

    /// Nothing more comes that belongs to what came last.
    pub(super) fn finish(&mut self) {
        if let Some(weaver) = &mut self.weaver {
            let events = weaver.finish();
            self.keep(events);
        }
        if let Some((_, last)) = &mut self.last {
            last.is_finished = true;
        }
    }

    pub(super) fn cut(&self, numbers: Range<u64>) -> Piece {
        let weaver = self.weaver.as_ref();
        let mut options = self.options.clone();
        options.clock = weaver.map_or(options.clock, |weaver| weaver.line.options());
        Piece {
            blocks: self.kept.blocks(&numbers),
            numbers,
            line: weaver.map(|weaver| weaver.line.clone()),
            vocabulary: Arc::clone(&self.vocabulary),
            cores: weaver.map(Weaver::logs).unwrap_or_default(),
            options,
        }
    }

    pub(super) fn point(&self) -> Option<Point> {
        let event = self.kept.numbers().end.checked_sub(1)?;
        let (before, last) = self.last.as_ref()?;
        Some(Point {
            offset: last.offset,
            event,
            knowledge: live::Knowledge::Cswitch(Knowledge(Box::new(Known {
                before: before.clone(),
                last: last.clone(),
                newest: self.kept.last()?.clone(),
                vocabulary: Arc::clone(&self.vocabulary),
            }))),
        })
    }

    pub(super) fn settle(&mut self, direction: Direction) {
        self.direction = Some(direction);
        if let Some(weaver) = &mut self.weaver {
            weaver.line.settle(direction);
        }
    }

    pub(super) fn tally(&self) -> Tally {
        let cores = self.weaver.iter().flat_map(|weaver| weaver.cores.values());
        cores.fold(self.tally, |tally, core| Tally {
            missing: tally.missing.saturating_add(core.missed),
            gaps: tally.gaps + u64::from(core.has_gap_at_end()),
            bad_bytes: tally.bad_bytes.saturating_add(core.useless),
            ..tally
        })
    }

    pub(super) fn preface(&self) -> Vec<u8> {
        let bytes = self.weaver.as_ref().map(|weaver| {
            let line = &weaver.line;
            self.vocabulary.to_bytes(line.shape, line.told)
        });
        bytes.unwrap_or_default()
    }

    pub(super) fn teach(&mut self, preface: &[u8]) {
        if let Some(vocabulary) = Vocabulary::read(preface) {
            self.vocabulary = Arc::new(vocabulary);
        }
    }

    /// What is known up to a container. One whose entries are laid out otherwise
    /// is of another program: nothing of what came before goes on in it.
    fn weaver_for(&mut self, log: &Log<'_>) -> Weaver {
        match self.weaver.take() {
            Some(weaver) if weaver.line.shape == log.shape => return weaver,
            other => self.weaver = other,
        }
        self.finish();
        self.tally = self.tally();
        self.again = None;
        self.kept.forget(u64::MAX);
        let mut options = self.options.clock;
        options.direction = options.direction.or(self.direction);
        Weaver::new(options, log.shape)
    }

    fn keep(&mut self, events: Vec<Event>) {
        self.tally.events += events.len() as u64;
        for event in events {
            self.tally.gaps += u64::from(event.missing != Missing::Nothing);
            self.kept.push(event);
        }
    }
}
