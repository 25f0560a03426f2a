//! Buffers put together to one recording.

use super::assembler::Whole;
use super::breaks::{Break, Cause};
use super::course::{Across, Course};
use super::entries::Entries;
use super::names::Names;
use super::overlap::{self, Overlap};
use super::piece::Piece;
use super::snapshot::Snapshot;
use crate::live::Moment;
use crate::threadx::glance::Glance;
use crate::threadx::{Options, catalogue};
use rtoscope_trace::Catalogue;
use std::collections::VecDeque;
use std::ops::Range;

/// All that came so far, of which the last entries are kept.
pub(super) struct Stitcher {
    options: Options,
    catalogue: Catalogue,
    pub(super) entries: Entries,
    /// Places where entries are, or may be, missing, as far as entries are kept.
    breaks: VecDeque<Break>,
    names: Names,
    pub(super) course: Course,
    last: Option<Snapshot>,
    /// The last buffer, left aside until the next one shows what it is worth.
    doubtful: Option<(Snapshot, Moment)>,
    /// Whether of the first buffer only the newest entry is wanted.
    is_resumed: bool,
    /// Bytes of the recording before the buffer that brought the newest entry.
    pub(super) newest_offset: u64,
    /// Whether entries before the first were overwritten.
    pub(super) start_is_lost: bool,
    /// Entries that are missing, at least.
    pub(super) missing: u64,
    /// Places where entries are missing.
    pub(super) gaps: u64,
}

impl Stitcher {
    /// At the start of a recording.
    pub(super) fn new(options: &Options) -> Self {
        Self {
            catalogue: catalogue(options),
            course: Course::new(options),
            options: options.clone(),
            entries: Entries::new(0),
            breaks: VecDeque::new(),
            names: Names::new(),
            last: None,
            doubtful: None,
            is_resumed: false,
            newest_offset: 0,
            start_is_lost: false,
            missing: 0,
            gaps: 0,
        }
    }

    /// At a buffer whose newest entry has that number.
    pub(super) fn resume(
        options: &Options,
        event: u64,
        course: &Course,
        start_is_lost: bool,
    ) -> Self {
        Self {
            entries: Entries::new(event),
            course: course.clone(),
            is_resumed: true,
            start_is_lost,
            ..Self::new(options)
        }
    }

    /// Takes a buffer. Returns whether it could be used.
    pub(super) fn take(&mut self, whole: Whole, at: Moment) -> bool {
        let may_be_cut = whole.doubtful > 0;
        let Some(next) = Snapshot::new(whole) else {
            return false;
        };
        self.course.meet(&next.buffer, &self.options);
        let Some(known) = &self.last else {
            self.begin(&next, at);
            self.keep(next);
            return true;
        };
        let is_second = self.doubtful.is_some();
        let overlap = overlap::compare(known, &next, self.course.is_distinct(), is_second);
        if may_be_cut && !matches!(overlap, Overlap::Follows { .. }) {
            return false;
        }
        self.doubtful = None;
        match overlap {
            Overlap::Doubtful => self.doubtful = Some((next, at)),
            overlap => self.join(next, overlap, at),
        }
        true
    }

    /// Nothing comes that could show what the last buffer is worth: what is still
    /// as it was in one that was left aside was not overwritten.
    pub(super) fn settle_doubt(&mut self) {
        if let Some((next, at)) = self.doubtful.take()
            && let Some(known) = &self.last
        {
            let overlap = overlap::compare(known, &next, self.course.is_distinct(), true);
            self.join(next, overlap, at);
        }
    }

    /// Adds what is new of a buffer.
    fn join(&mut self, next: Snapshot, overlap: Overlap, at: Moment) {
        match overlap {
            Overlap::Follows { new, amended } => {
                self.amend(&next, &amended);
                self.add(&next, &new, None, at);
            }
            Overlap::Lost { new, writes } => self.add_apart(&next, new, writes, at),
            Overlap::Restarted { new } => {
                self.add(&next, &new, Some((Cause::Restarted, None, 0)), at);
            }
            // Nothing is, of a second one.
            Overlap::Doubtful => {}
        }
        self.keep(next);
    }

    fn keep(&mut self, last: Snapshot) {
        self.names.learn(&last);
        self.last = Some(last);
    }

    /// The entries of these numbers, with all that is known of them.
    pub(super) fn cut(&self, numbers: &Range<u64>) -> Piece {
        let numbers = numbers.start.max(self.entries.numbers().start)..numbers.end;
        let within = |it: &&Break| it.before > numbers.start && it.before < numbers.end;
        let mut options = self.options.clone();
        options.cores = self.course.cores.bits();
        options.clock.direction = self.course.direction();
        Piece {
            first: numbers.start,
            parts: self.entries.cut(&numbers),
            breaks: self.breaks.iter().filter(within).copied().collect(),
            names: self.names.shared(),
            buffer: self.last.as_ref().map(|last| last.buffer),
            options,
            cores: self.course.cores.seen(),
            start_is_lost: self.start_is_lost,
        }
    }

    /// Lets entries before that number go.
    pub(super) fn forget(&mut self, before: u64) {
        self.entries.forget(before);
        let start = self.entries.numbers().start;
        while self.breaks.front().is_some_and(|it| it.before <= start) {
            self.breaks.pop_front();
        }
    }

    fn begin(&mut self, next: &Snapshot, at: Moment) {
        let (all, has_wrapped) = next.order();
        if !self.is_resumed {
            self.start_is_lost = has_wrapped;
            self.add(next, &all, None, at);
            return;
        }
        // The course has been here already.
        let newest = all.into_iter().flatten().rfind(|slot| next.is_used(*slot));
        if let Some(newest) = newest {
            self.entries.push(next.buffer.layout, next.entry(newest));
            self.newest_offset = next.offset;
        }
    }

    fn amend(&mut self, next: &Snapshot, amended: &[(usize, u64)]) {
        let layout = next.buffer.layout;
        for (slot, behind) in amended {
            let newest = self.entries.numbers().end.checked_sub(1);
            let entry = next.entry(*slot);
            if let Some(number) = newest.and_then(|newest| newest.checked_sub(*behind)) {
                let is_same = |was: &[u8]| overlap::is_amended(layout, was, entry);
                self.entries.amend(number, entry, is_same);
            }
        }
    }

    /// Adds a ring that has nothing in common with the one before.
    fn add_apart(
        &mut self,
        next: &Snapshot,
        new: Vec<Range<usize>>,
        writes: Option<u64>,
        at: Moment,
    ) {
        let new = self.without_torn(next, new);
        let slots = new.iter().cloned().flatten();
        let mut used = slots.filter(|slot| next.is_used(*slot));
        let Some(first) = used.next() else { return };
        let given = 1 + used.count() as u64;
        let least = writes.map_or(0, |writes| writes.saturating_sub(given));
        let stamp = Glance::at(next.buffer.layout, next.entry(first)).map(|glance| glance.stamp);
        let counted = stamp.and_then(|stamp| self.course.missing_before(stamp));
        // Every lap that nobody saw adds as many entries as the ring has.
        let fits = |missing: &u64| {
            let beyond = missing.checked_sub(least);
            beyond.is_some_and(|it| writes.is_none() || it.is_multiple_of(next.slots as u64))
        };
        match counted.filter(fits) {
            Some(0) => self.add(next, &new, None, at),
            missing => {
                let least = missing.unwrap_or(least);
                self.add(next, &new, Some((Cause::Overwritten, missing, least)), at);
            }
        }
    }

    /// The slots without those at their start, if there are any, that the target
    /// wrote while the buffer was read: they are newer than those that follow.
    fn without_torn(&self, next: &Snapshot, new: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let mut before: Option<u64> = None;
        let mut torn = None;
        for slot in new.iter().cloned().flatten() {
            let Some(glance) = Glance::at(next.buffer.layout, next.entry(slot)) else {
                continue;
            };
            if glance.is_used() {
                if before.is_some_and(|before| self.course.goes_back(before, glance.stamp)) {
                    torn = Some(slot);
                }
                before = Some(glance.stamp);
            }
        }
        match torn {
            Some(first) => next.between(first, next.current),
            None => new,
        }
    }

    /// Adds entries, behind a break if there is a cause for one.
    fn add(
        &mut self,
        next: &Snapshot,
        new: &[Range<usize>],
        cause: Option<(Cause, Option<u64>, u64)>,
        at: Moment,
    ) {
        let layout = next.buffer.layout;
        let before = self.entries.numbers().end;
        let mut is_apart = false;
        if let Some((cause, missing, least)) = cause
            && !self.entries.numbers().is_empty()
            && let Some(across) = self.across(next, new, cause, at)
        {
            self.missing += least;
            self.gaps += 1;
            self.breaks.push_back(Break {
                before,
                cause,
                missing,
                least,
                across,
            });
            is_apart = true;
        }
        for range in new {
            let mut run = range.start;
            for slot in range.clone() {
                let Some(glance) = Glance::at(layout, next.entry(slot)) else {
                    continue;
                };
                if !glance.is_used() {
                    self.entries.push(layout, next.entries(run..slot));
                    run = slot + 1;
                } else if is_apart {
                    self.course.take_apart(glance, &self.catalogue, at);
                    is_apart = false;
                } else {
                    self.course.take(glance, &self.catalogue, at);
                }
            }
            self.entries.push(layout, next.entries(run..range.end));
        }
        if self.entries.numbers().end > before {
            self.newest_offset = next.offset;
        }
        self.course.pass(at);
    }

    /// How much time goes by before new entries; `None` if there are none.
    fn across(
        &self,
        next: &Snapshot,
        new: &[Range<usize>],
        cause: Cause,
        at: Moment,
    ) -> Option<Across> {
        let glances = new.iter().cloned().flatten();
        let glances = glances.filter_map(|slot| Glance::at(next.buffer.layout, next.entry(slot)));
        let mut stamps = glances.filter(Glance::is_used).map(|glance| glance.stamp);
        let first = stamps.next()?;
        let (mut before, mut span) = (first, 0_u64);
        for stamp in stamps {
            span = span.saturating_add(self.course.step(before, stamp));
            before = stamp;
        }
        Some(match cause {
            Cause::Overwritten => self.course.across(first, span, at),
            Cause::Restarted => self.course.across_restart(first, span, at),
        })
    }
}
