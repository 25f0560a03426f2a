//! Stitches buffers into one recording.

use super::assembler::CompleteBuffer;
use super::chunk::ThreadXChunk;
use super::clock_tracker::ClockTracker;
use super::object_names::ObjectNames;
use super::overlap::{self, BufferOverlap};
use super::snapshot::BufferSnapshot;
use crate::live::{EventLayout, EventStore, HostTime};
use crate::threadx::entry_gaps::{ElapsedTime, EntryGap, GapCause};
use crate::threadx::entry_header::EntryHeader;
use crate::threadx::{ThreadXOptions, TraceBuffer, catalogue};
use rtoscope_trace::{Catalogue, Diagnostics};
use rtoscope_wire::threadx::BufferLayout;
use std::collections::VecDeque;
use std::ops::Range;

impl EventLayout for BufferLayout {
    fn items(self) -> usize {
        self.entry_bytes()
    }
}

/// Stitches all received entries and retains the last ones.
pub(super) struct BufferStitcher {
    pub(super) options: ThreadXOptions,
    catalogue: Catalogue,
    /// The bytes of the entries.
    pub(super) entries: EventStore<u8, BufferLayout>,
    /// Gaps and possible gaps between the retained entries.
    entry_gaps: VecDeque<EntryGap>,
    pub(super) names: ObjectNames,
    pub(super) clock: ClockTracker,
    last_snapshot: Option<BufferSnapshot>,
    /// The buffer of the newest data.
    buffer: Option<TraceBuffer>,
    /// The last buffer, held back until the next one shows whether it is
    /// usable.
    doubtful_snapshot: Option<(BufferSnapshot, HostTime)>,
    /// Whether only the newest entry of the first buffer is new.
    is_resumed: bool,
    /// The offset in the recording of the buffer with the newest entry.
    pub(super) newest_offset: u64,
    /// Whether entries before the first were overwritten.
    pub(super) start_is_lost: bool,
    /// Whether the target sends packets instead of buffers.
    is_sent: bool,
    /// Missing entries, at least.
    pub(super) missing_entries: u64,
    /// Number of gaps.
    pub(super) gaps: u64,
    /// What targets did not write, each said once.
    damage: Diagnostics,
}

impl BufferStitcher {
    /// Creates a stitcher at the start of a recording.
    pub(super) fn new(options: &ThreadXOptions) -> Self {
        Self {
            catalogue: catalogue(options),
            clock: ClockTracker::new(options),
            options: options.clone(),
            entries: EventStore::new(0),
            entry_gaps: VecDeque::new(),
            names: ObjectNames::default(),
            last_snapshot: None,
            buffer: None,
            doubtful_snapshot: None,
            is_resumed: false,
            newest_offset: 0,
            start_is_lost: false,
            is_sent: false,
            missing_entries: 0,
            gaps: 0,
            damage: Diagnostics::default(),
        }
    }

    /// Resumes at a buffer whose newest entry has that number.
    pub(super) fn resume(
        options: &ThreadXOptions,
        event: u64,
        course: &ClockTracker,
        start_is_lost: bool,
    ) -> Self {
        Self {
            entries: EventStore::new(event),
            clock: course.clone(),
            is_resumed: true,
            start_is_lost,
            ..Self::new(options)
        }
    }

    /// Adds a buffer. Returns whether it was usable.
    pub(super) fn push_buffer(&mut self, whole: CompleteBuffer, at: HostTime) -> bool {
        let may_be_cut = whole.doubtful_bytes > 0;
        let Some(next) = BufferSnapshot::new(whole, &self.options.clock) else {
            return false;
        };
        self.clock.prepare(&next.buffer, &self.options);
        let Some(known) = &self.last_snapshot else {
            self.start(&next, &next.order, next.is_wrapped, at);
            self.keep_snapshot(next);
            return true;
        };
        let is_second = self.doubtful_snapshot.is_some();
        let overlap = overlap::compare(known, &next, self.clock.is_distinct(), is_second);
        if may_be_cut && !matches!(overlap, BufferOverlap::Follows { .. }) {
            return false;
        }
        self.doubtful_snapshot = None;
        match overlap {
            BufferOverlap::Doubtful => self.doubtful_snapshot = Some((next, at)),
            overlap => self.join(next, overlap, at),
        }
        true
    }

    /// Adds the entries of a packet, with the cause of a gap before them. The target counts
    /// its entries, so that nothing has to be compared.
    pub(super) fn push_entries(
        &mut self,
        packet: &BufferSnapshot,
        cause: Option<(GapCause, Option<u64>, u64)>,
        start_is_lost: bool,
        at: HostTime,
    ) {
        self.is_sent = true;
        self.buffer = Some(packet.buffer);
        self.clock.prepare(&packet.buffer, &self.options);
        let all = 0..packet.slots;
        let new = std::slice::from_ref(&all);
        match self.is_resumed || self.entries.event_range().end == 0 {
            true => self.start(packet, new, start_is_lost, at),
            false => self.add(packet, new, cause, at),
        }
    }

    /// Nothing further arrives that could validate the last buffer: entries of
    /// a held-back buffer that are unchanged were not overwritten.
    pub(super) fn accept_doubtful(&mut self) {
        if let Some((next, at)) = self.doubtful_snapshot.take()
            && let Some(known) = &self.last_snapshot
        {
            let overlap = overlap::compare(known, &next, self.clock.is_distinct(), true);
            self.join(next, overlap, at);
        }
    }

    /// Adds the new entries of a buffer.
    fn join(&mut self, next: BufferSnapshot, overlap: BufferOverlap, at: HostTime) {
        match overlap {
            BufferOverlap::Follows { new, amended } => {
                self.amend(&next, &amended);
                self.add(&next, &new, None, at);
            }
            BufferOverlap::Lost { new, writes } => self.add_after_gap(&next, &new, writes, at),
            BufferOverlap::Restarted { new } => {
                self.add(&next, &new, Some((GapCause::Restarted, None, 0)), at);
            }
            // A second comparison is never doubtful.
            BufferOverlap::Doubtful => {}
        }
        self.keep_snapshot(next);
    }

    fn keep_snapshot(&mut self, mut last: BufferSnapshot) {
        self.buffer = Some(last.buffer);
        for found in last.found.drain(..) {
            // The same entries may be in many buffers.
            if self.damage.iter().all(|it| it.message != found.message) {
                self.damage.push(found);
            }
        }
        self.names.update(&last, self.options.text_encoding);
        self.last_snapshot = Some(last);
    }

    /// The entries with these numbers, and the state that decoding them needs.
    pub(super) fn chunk(&self, numbers: &Range<u64>) -> ThreadXChunk {
        let numbers = numbers.start.max(self.entries.event_range().start)..numbers.end;
        let within = |it: &&EntryGap| it.before > numbers.start && it.before < numbers.end;
        let mut options = self.options.clone();
        options.cores = self.clock.cores.core_bits();
        options.clock.direction = self.clock.direction;
        ThreadXChunk {
            first: numbers.start,
            parts: self.entries.slices(&numbers),
            gaps: self.entry_gaps.iter().filter(within).copied().collect(),
            names: self.names.shared(),
            damage: self.damage.clone(),
            buffer: self.buffer,
            is_sent: self.is_sent,
            options,
            cores: self.clock.cores.seen.to_vec(),
            start_is_lost: self.start_is_lost,
        }
    }

    /// Discards entries before that number.
    pub(super) fn discard_before(&mut self, before: u64) {
        self.entries.discard_before(before);
        let start = self.entries.event_range().start;
        while self.entry_gaps.front().is_some_and(|it| it.before <= start) {
            self.entry_gaps.pop_front();
        }
    }

    /// Adds the first entries of a recording, or again those of a checkpoint.
    fn start(
        &mut self,
        next: &BufferSnapshot,
        new: &[Range<usize>],
        start_is_lost: bool,
        at: HostTime,
    ) {
        if !std::mem::take(&mut self.is_resumed) {
            self.start_is_lost = start_is_lost;
            return self.add(next, new, None, at);
        }
        // The clock tracker has seen these already.
        if let Some((newest, _)) = next.used_slots(new).next_back() {
            self.entries.extend(next.buffer.layout, next.entry(newest));
            self.newest_offset = next.offset;
        }
    }

    fn amend(&mut self, next: &BufferSnapshot, amended: &[(usize, u64)]) {
        let layout = next.buffer.layout;
        for (slot, newer_count) in amended {
            let newest = self.entries.event_range().end.checked_sub(1);
            let entry = next.entry(*slot);
            if let Some(number) = newest.and_then(|newest| newest.checked_sub(*newer_count)) {
                self.entries.update(number, |was| {
                    if was.len() == entry.len() && overlap::is_amended(layout, was, entry) {
                        was.copy_from_slice(entry);
                    }
                });
            }
        }
    }

    /// Adds a ring that does not overlap with the previous one.
    fn add_after_gap(
        &mut self,
        next: &BufferSnapshot,
        new: &[Range<usize>],
        writes: Option<u64>,
        at: HostTime,
    ) {
        let mut used = next.used_slots(new);
        let Some((_, first)) = used.next() else {
            return;
        };
        let given = 1 + used.count() as u64;
        let min = writes.map_or(0, |writes| writes.saturating_sub(given));
        let counted = self.clock.missing_before(first.timestamp);
        // Every unseen lap adds as many entries as the ring has.
        let fits = |missing: &u64| {
            let beyond = missing.checked_sub(min);
            beyond.is_some_and(|it| writes.is_none() || it.is_multiple_of(next.slots as u64))
        };
        match counted.filter(fits) {
            Some(0) => self.add(next, new, None, at),
            missing => {
                let min = missing.unwrap_or(min);
                self.add(next, new, Some((GapCause::Overwritten, missing, min)), at);
            }
        }
    }

    /// Adds entries, after a gap if there is a cause for one.
    fn add(
        &mut self,
        next: &BufferSnapshot,
        new: &[Range<usize>],
        cause: Option<(GapCause, Option<u64>, u64)>,
        at: HostTime,
    ) {
        let layout = next.buffer.layout;
        let before = self.entries.event_range().end;
        let mut is_apart = false;
        if let Some((cause, missing, min)) = cause
            && !self.entries.event_range().is_empty()
            && let Some(across) = self.elapsed_before(next, new, cause, at)
        {
            self.missing_entries = self.missing_entries.saturating_add(min);
            self.gaps += 1;
            self.entry_gaps.push_back(EntryGap {
                before,
                cause,
                missing_entries: missing,
                min_missing: min,
                elapsed: across,
            });
            is_apart = true;
        }
        let mut number = before;
        let mut expected = new.first().map(|range| range.start);
        for range in new {
            let mut run = range.start;
            for slot in range.clone() {
                let Some(header) = EntryHeader::read(layout, next.entry(slot)) else {
                    continue;
                };
                if !header.is_used() {
                    self.entries.extend(layout, next.entries(run..slot));
                    run = slot + 1;
                } else {
                    let missing = expected.map_or(0, |expected| next.distance(expected, slot));
                    expected = Some(slot + 1);
                    is_apart |= self.add_inner_gap(next, slot, number, missing as u64);
                    let is_apart = std::mem::take(&mut is_apart);
                    self.clock.push_entry(header, is_apart, &self.catalogue, at);
                    number += 1;
                }
            }
            self.entries.extend(layout, next.entries(run..range.end));
        }
        if self.entries.event_range().end > before {
            self.newest_offset = next.offset;
        }
        self.clock.finish_buffer(at);
    }

    /// Adds a gap before entry `number`, in a slot of a checked ring, if `missing` entries
    /// before it are damaged or the timestamps fall. Returns whether they fall.
    fn add_inner_gap(
        &mut self,
        next: &BufferSnapshot,
        slot: usize,
        number: u64,
        missing: u64,
    ) -> bool {
        let falls = next.falls.contains(&slot);
        let cause = match falls {
            true => GapCause::Disorder,
            false => GapCause::Damaged,
        };
        if (falls || missing > 0) && number > self.entries.event_range().start {
            self.missing_entries = self.missing_entries.saturating_add(missing);
            self.gaps += 1;
            self.entry_gaps
                .push_back(EntryGap::in_dump(number, cause, missing));
        }
        falls
    }

    /// The time elapsed before new entries; `None` if there are none.
    fn elapsed_before(
        &self,
        next: &BufferSnapshot,
        new: &[Range<usize>],
        cause: GapCause,
        at: HostTime,
    ) -> Option<ElapsedTime> {
        let mut slots = next.used_slots(new);
        let first = slots.next()?.1.timestamp;
        let (mut before, mut span) = (first, 0_u64);
        for (slot, EntryHeader { timestamp, .. }) in slots {
            if !next.falls.contains(&slot) {
                span = span.saturating_add(self.clock.step(before, timestamp));
            }
            before = timestamp;
        }
        Some(match cause {
            GapCause::Restarted => self.clock.elapsed_across_restart(first, span, at),
            _ => self.clock.elapsed(first, span, at),
        })
    }
}
