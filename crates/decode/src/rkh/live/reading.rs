//! The records of a stream in pages, the last of them open.

use super::Knowledge;
use super::guessing::Guessing;
use super::guide::{Guide, Shared};
use super::piece::{Piece, Sheet};
use crate::DecodeError;
use crate::live::{self, Point, Tally};
use crate::rkh::Options;
use crate::rkh::deframe::{Deframer, Frame};
use crate::rkh::guess::Guess;
use crate::rkh::losses::{Losses, ProblemKind};
use crate::rkh::page::{Footing, Page};
use crate::rkh::reader::Reader;
use crate::rkh::start::Start;
use crate::rkh::stream::Provenance;
use crate::rkh::survey::Survey;
use rtoscope_trace::Clock;
use rtoscope_wire::rkh::Configuration;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// The records that are kept, and what is known.
pub(super) struct Reading {
    reader: Reader,
    /// Before the reader's page.
    sealed: VecDeque<Arc<Sheet>>,
    /// What is known before the reader's page.
    start: Start,
    /// What is known before the newest record, which has that number.
    newest: (u64, Start),
    /// Up to there records were looked through for what they tell.
    learnt: u64,
    target: Shared,
    guide: Arc<Guide>,
    provenance: Provenance,
    guess: Option<Guess>,
    guessing: Guessing,
    /// Of the sealed pages, forgotten ones among them; without the problems.
    losses: Losses,
    /// How many problems were kept of those pages.
    problems: usize,
    gaps: u64,
}

/// Records of a page, or somewhat more.
const PAGE: usize = 4096;

/// A page gets no longer than so many of them while it is open whether the
/// target started again.
const LONGEST: usize = 4;

/// Bytes that are read at once: with at most that many frames, a page that is
/// full is soon sealed.
const AT_ONCE: usize = 4096;

/// What is kept of the problems of a page beside their number, once as many are
/// kept of the stream as anybody is told of a whole one.
const PROBLEMS: usize = 256;

/// Bytes of the stream whose records are kept at most, however many are wanted.
const MOST_KEPT: u64 = 1 << 29;

impl Reading {
    /// At the start of a stream.
    pub(super) fn new(
        configuration: Configuration,
        provenance: Provenance,
        guess: Option<Guess>,
        options: &Options,
    ) -> Self {
        let reader = Reader::new(configuration, options.function, options.split_glued);
        Self::with(
            reader,
            Start::default(),
            Shared::default(),
            provenance,
            guess,
        )
    }

    /// In the middle of a recording whose start is gone.
    pub(super) fn taught(
        footing: &Footing,
        target: Shared,
        provenance: Provenance,
        options: &Options,
    ) -> Self {
        let reader = Reader::at(0, footing, options.function, options.split_glued);
        Self::with(reader, Start::default(), target, provenance, None)
    }

    /// At a point.
    pub(super) fn resume(first: u64, known: &Knowledge, options: &Options) -> Self {
        let Knowledge {
            footing,
            start,
            target,
            provenance,
            guess,
        } = known;
        let reader = Reader::at(first, footing, options.function, options.split_glued);
        // What is learnt from now on was partly known before.
        let target = Shared::new(target.now());
        Self::with(reader, start.clone(), target, *provenance, guess.clone())
    }

    fn with(
        reader: Reader,
        start: Start,
        target: Shared,
        provenance: Provenance,
        guess: Option<Guess>,
    ) -> Self {
        let first = reader.page.first;
        Self {
            guide: Arc::new(Guide::new(&reader.page.runs, &target.now())),
            reader,
            sealed: VecDeque::new(),
            newest: (first, start.clone()),
            start,
            learnt: first,
            target,
            provenance,
            guess,
            guessing: Guessing::default(),
            losses: Losses::default(),
            problems: 0,
            gaps: 0,
        }
    }

    pub(super) fn read(&mut self, bytes: &[u8], deframer: &mut Deframer) {
        for piece in bytes.chunks(AT_ONCE) {
            self.turn();
            deframer.push(piece, &mut self.reader);
            self.doubt(piece);
            let room = Losses::MOST_PROBLEMS.saturating_sub(self.problems);
            self.reader.page.losses.keep_problems(room.max(PROBLEMS));
        }
        self.learn();
    }

    pub(super) fn interrupt(&mut self, tail: Option<(Frame<'_>, bool)>) {
        if let Some((frame, is_cut)) = tail {
            self.reader.end(frame, is_cut);
        }
        self.reader.interrupt();
    }

    /// The numbers of the records that are kept and of which it is known whether
    /// the target started again before them.
    pub(super) fn numbers(&self) -> Range<u64> {
        let first = self.sealed.front().map(|sheet| sheet.page.first);
        first.unwrap_or(self.reader.page.first)..self.reader.settled()
    }

    pub(super) fn forget(&mut self, before: u64) {
        self.drop_while(|page| page.end() <= before);
    }

    pub(super) fn tally(&self) -> Tally {
        let page = &self.reader.page;
        let losses = self.all_losses();
        Tally {
            events: self.reader.settled(),
            missing: losses.missing,
            gaps: self.gaps + page.gaps.len() as u64,
            bad: losses.bad_frames(),
            cut: losses.count(ProblemKind::Tail),
            bad_bytes: losses.bytes,
        }
    }

    /// Why there is no record in so many bytes, once no more come.
    pub(super) fn refusal(&self, bytes: u64) -> Option<DecodeError> {
        let frames = self.all_losses().bad_frames();
        (self.reader.is_interrupted() && frames > 0)
            .then_some(DecodeError::NoRkhRecord { bytes, frames })
    }

    pub(super) fn cut(
        &self,
        numbers: Range<u64>,
        bytes: u64,
        options: &Arc<Options>,
        clock: Option<Clock>,
    ) -> Piece {
        // All of a stream that is over for now, not only what is new of it.
        let ends = numbers == (0..self.reader.page.end()) && self.reader.is_interrupted();
        let mut sheets: Vec<_> = self.sealed_within(&numbers).cloned().collect();
        if numbers.end > self.reader.page.first || ends {
            sheets.push(Arc::new(Sheet {
                page: self.reader.page.clone(),
                start: self.start.clone(),
            }));
        }
        Piece {
            sheets,
            numbers,
            ends,
            guide: self.guide.clone(),
            survey: self.target.now(),
            bytes,
            configuration: self.reader.configuration(),
            provenance: self.provenance,
            guess: self.guess.clone(),
            options: options.clone(),
            clock,
        }
    }

    pub(super) fn point(&self) -> Option<Point> {
        let (event, start) = &self.newest;
        let numbers = *event..self.reader.settled();
        let sealed = self.sealed_within(&numbers).map(|sheet| &sheet.page);
        let mut pages = sealed.chain([&self.reader.page]);
        let page = pages.find(|page| page.end() > *event && numbers.end > *event)?;
        let place = page.place(*event);
        Some(Point {
            offset: page.columns.offsets.get(place)?,
            event: *event,
            knowledge: live::Knowledge::Rkh(Knowledge {
                footing: page.footing(place)?,
                start: start.clone(),
                target: self.target.clone(),
                provenance: self.provenance,
                guess: self.guess.clone(),
            }),
        })
    }

    /// What is known of the target, how its newest records are read, and who
    /// said so.
    pub(super) fn known(&self) -> (&Shared, Footing, Provenance) {
        let page = &self.reader.page;
        let footing = Footing {
            configuration: self.reader.configuration(),
            target: page.runs.last().and_then(|run| run.target),
            sequence: None,
            stamp: page.columns.stamp,
        };
        (&self.target, footing, self.provenance)
    }

    fn sealed_within(&self, numbers: &Range<u64>) -> impl Iterator<Item = &Arc<Sheet>> {
        let (start, end) = (numbers.start, numbers.end);
        let before = |sheet: &Arc<Sheet>| sheet.page.end() <= start;
        let sealed = self.sealed.range(self.sealed.partition_point(before)..);
        sealed.take_while(move |sheet| sheet.page.first < end)
    }

    /// Without the problems themselves.
    fn all_losses(&self) -> Losses {
        let mut losses = Losses::default();
        losses.count_in(&self.losses);
        losses.count_in(&self.reader.page.losses);
        losses
    }

    /// Guesses again where the guess does not fit what has come.
    fn doubt(&mut self, bytes: &[u8]) {
        if self.provenance != Provenance::Guessed || self.reader.is_told() {
            return;
        }
        self.guessing.push(bytes);
        let (records, losses) = (self.reader.page.end(), self.all_losses());
        let configuration = self.reader.configuration();
        if let Some(guess) = self.guessing.again(records, &losses, &configuration) {
            self.reader.change(guess.configuration);
            self.guess = Some(guess);
        }
    }

    /// Seals the page if it is full.
    fn turn(&mut self) {
        let page = &self.reader.page;
        let is_settled = self.reader.settled() == page.end();
        if page.len() < PAGE || !is_settled && page.len() < LONGEST * PAGE {
            return;
        }
        self.learn();
        let (known_to, mut start) = self.newest.clone();
        self.advance(&mut start, known_to..self.reader.page.end());
        let page = self.reader.turn();
        self.losses.count_in(&page.losses);
        self.problems = self.problems.saturating_add(page.losses.problems.len());
        self.gaps += page.gaps.len() as u64;
        let start = std::mem::replace(&mut self.start, start);
        self.sealed.push_back(Arc::new(Sheet { page, start }));
        self.reader.page.columns.make_room(PAGE * 18);
    }

    /// Looks through what is new.
    fn learn(&mut self) {
        let page = &self.reader.page;
        if !self.guide.is_of(&page.runs) {
            self.guide = Arc::new(self.guide.renewed(&page.runs, &self.target.now()));
        }
        let settled = self.reader.settled();
        let new = page.place(self.learnt)..page.place(settled);
        let signal = self.reader.configuration().signal;
        let senses = &self.guide.senses;
        let found = Survey::of(page, new, senses, signal, &self.target.now());
        if self.target.learn(found) {
            self.guide = Arc::new(self.guide.renewed(&page.runs, &self.target.now()));
        }
        self.learnt = settled;
        let newest = settled.saturating_sub(1);
        if newest > self.newest.0 {
            let (known_to, mut start) = self.newest.clone();
            self.advance(&mut start, known_to..newest);
            self.newest = (newest, start);
        }
    }

    fn advance(&self, start: &mut Start, numbers: Range<u64>) {
        let sealed = self.sealed_within(&numbers).map(|sheet| &sheet.page);
        for page in sealed.chain([&self.reader.page]) {
            let part = page.place(numbers.start)..page.place(numbers.end);
            start.advance(page, part, &self.guide.known());
        }
    }

    /// Lets records go that stand too far before so many bytes of the stream.
    pub(super) fn bound(&mut self, taken: u64) {
        self.drop_while(|page| {
            let offset = page.columns.offsets.get(0);
            offset.is_some_and(|offset| taken.saturating_sub(offset) > MOST_KEPT)
        });
    }

    fn drop_while(&mut self, is_old: impl Fn(&Page) -> bool) {
        while self.sealed.front().is_some_and(|sheet| is_old(&sheet.page)) {
            self.sealed.pop_front();
        }
    }
}
