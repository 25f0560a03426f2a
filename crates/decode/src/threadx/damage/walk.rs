//! Walks through a damaged ring and finds its entries again after damage.

use super::SlotRuns;
use crate::records::RecordRun;
use crate::threadx::entry_header::EntryHeader;
use crate::threadx::entry_rules::EntryRules;
use std::ops::Range;

/// The walk through all runs of a ring.
pub(super) struct SlotWalk<'w, 'a> {
    rules: &'w EntryRules,
    slots: u64,
    size: usize,
    pieces: Vec<RegionPiece<'a>>,
    damaged: Vec<Range<u64>>,
    /// Places at which bytes were inserted or lost, before an offset in the segment.
    pub(super) slips: Vec<Slip>,
    /// The byte that fills all damaged entries so far.
    pub(super) filled: Filling,
}

/// Inserted or lost bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slip {
    /// The first entry after it.
    pub(super) before: usize,
    /// Number of inserted bytes; negative for lost ones.
    pub(super) inserted: isize,
}

/// Whether one byte fills all damaged entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Filling {
    Unknown,
    Byte(u8),
    Mixed,
}

/// Consecutive slots at consecutive places.
struct RegionPiece<'a> {
    region: &'a [u8],
    at: usize,
    slot: u64,
    count: u64,
    is_used: bool,
}

/// Maximum number of bytes to search for moved entries.
const MAX_SEARCHED_BYTES: usize = 1 << 24;

/// Number of doubtful entries before damage that may belong to it.
const MAX_DOUBTFUL: usize = 8;

impl<'w, 'a> SlotWalk<'w, 'a> {
    pub(super) fn new(rules: &'w EntryRules, slots: u64) -> Self {
        Self {
            rules,
            slots,
            size: rules.layout.entry_bytes(),
            pieces: Vec::new(),
            damaged: Vec::new(),
            slips: Vec::new(),
            filled: Filling::Unknown,
        }
    }

    /// Walks through the entries of a run that begins with `first_slot` at `start`.
    pub(super) fn run(&mut self, region: &'a [u8], start: usize, first_slot: u64) {
        let first_piece = self.pieces.len();
        let (mut at, mut slot) = (start, first_slot);
        let mut certain_end = start;
        let mut searched = 0;
        while slot < self.slots
            && let Some(header) = self.header(region, at)
        {
            let is_left = match self.damaged.is_empty() && self.slips.is_empty() {
                true => !self.rules.is_damaged(&header),
                false => self.rules.is_plausible(&header),
            };
            if !header.is_used() || is_left {
                self.push(region, at, slot, header.is_used());
                if self.rules.is_certain(&header) {
                    certain_end = at + self.size;
                }
                (at, slot) = (at + self.size, slot + 1);
                continue;
            }
            let earliest = certain_end.max(at.saturating_sub(MAX_DOUBTFUL * self.size));
            let low = (earliest + 1).saturating_sub(self.size);
            let next = self.resume(region, low, at, &mut searched);
            let Some(next) = next else {
                break;
            };
            let is_shifted = !next.abs_diff(at).is_multiple_of(self.size);
            let kept = match is_shifted {
                true => {
                    self.undo(first_piece, next.min(certain_end));
                    let end = self.end(first_piece).map_or(start, |(end, _)| end);
                    let last = end.checked_sub(self.size);
                    let last = last.and_then(|last| region.get(last..end));
                    let is_doubtful = last.is_some_and(|last| self.rules.odd_fields(last).0 > 0);
                    // Bytes may have been inserted within the last entry, or lost after it.
                    if is_doubtful && end > start {
                        self.undo(first_piece, end - self.size);
                    }
                    self.end(first_piece)
                }
                false => {
                    self.note_filling(region, at..next);
                    self.undo_filled(region, first_piece, at);
                    self.end(first_piece)
                }
            };
            let (end, end_slot) = kept.unwrap_or((start, first_slot));
            let moved = next.saturating_sub(end);
            let skipped = ((moved + self.size / 2 - 1) / self.size) as u64;
            if is_shifted {
                self.filled = Filling::Mixed;
                let whole = skipped as isize * self.size as isize;
                self.slips.push(Slip {
                    before: next,
                    inserted: next as isize - end as isize - whole,
                });
            }
            let mut next_slot = end_slot + skipped;
            let mut next = next;
            if !is_shifted && self.begins_filled(region, next) {
                (next, next_slot) = (next + self.size, next_slot + 1);
            }
            self.mark_damaged(end_slot..next_slot);
            (at, slot) = (next, next_slot);
            certain_end = certain_end.max(at);
        }
        // What is left of a run without entries that can be found again.
        let (end, end_slot) = self.end(first_piece).unwrap_or((start, first_slot));
        let left = (region.len().saturating_sub(end) / self.size) as u64;
        let last_slot = (end_slot + left).min(self.slots);
        if slot < last_slot {
            self.note_filling(region, end..end + left as usize * self.size);
            self.mark_damaged(end_slot..last_slot);
        }
    }

    /// Takes unused entries before used ones for damaged: the kernel writes one after the
    /// other.
    pub(super) fn leave_unused_out(&mut self) {
        let used = self.pieces.iter().filter(|piece| piece.is_used);
        let used_end = used.map(|piece| piece.slot + piece.count).max();
        let is_left_out = |piece: &RegionPiece<'_>| {
            !piece.is_used && used_end.is_some_and(|used_end| piece.slot < used_end)
        };
        let pieces = std::mem::take(&mut self.pieces);
        for piece in pieces {
            if !is_left_out(&piece) {
                self.pieces.push(piece);
                continue;
            }
            let end = piece.at + piece.count as usize * self.size;
            self.note_filling(piece.region, piece.at..end);
            let before = piece.region.get(..piece.at).unwrap_or_default();
            let zeros = before.iter().rev().take_while(|byte| **byte == 0);
            let mut first = piece.slot;
            // The information fields of an event are seldom all 0.
            if self.filled == Filling::Byte(0)
                && zeros.take(self.size).count() >= self.size / 2
                && self.end(0) == Some((piece.at, piece.slot))
            {
                self.pop();
                first -= 1;
            }
            self.damaged.push(first..piece.slot + piece.count);
        }
    }

    /// The runs of entries that are left.
    pub(super) fn finish(mut self) -> SlotRuns<'a> {
        let run = |piece: &RegionPiece<'a>| {
            let end = piece.at + piece.count as usize * self.size;
            RecordRun {
                first: piece.slot,
                count: piece.count,
                bytes: piece.region.get(piece.at..end).unwrap_or_default(),
            }
        };
        let runs = self.pieces.iter().map(run).collect();
        self.damaged.sort_unstable_by_key(|part| part.start);
        SlotRuns {
            runs,
            damaged: self.damaged,
        }
    }

    fn header(&self, region: &[u8], at: usize) -> Option<EntryHeader> {
        EntryHeader::read(self.rules.layout, region.get(at..)?)
    }

    fn push(&mut self, region: &'a [u8], at: usize, slot: u64, is_used: bool) {
        if let Some(last) = self.pieces.last_mut()
            && last.is_used == is_used
            && last.slot + last.count == slot
            && last.at + last.count as usize * self.size == at
            && std::ptr::eq(last.region, region)
        {
            last.count += 1;
            return;
        }
        self.pieces.push(RegionPiece {
            region,
            at,
            slot,
            count: 1,
            is_used,
        });
    }

    /// The place and the slot after the last entry of this run.
    fn end(&self, first_piece: usize) -> Option<(usize, u64)> {
        let last = self.pieces.get(first_piece..)?.last()?;
        let end = last.at + last.count as usize * self.size;
        Some((end, last.slot + last.count))
    }

    /// Removes the entries of this run that end after a place.
    fn undo(&mut self, first_piece: usize, end: usize) {
        while self.end(first_piece).is_some_and(|(last, _)| last > end) {
            self.pop();
        }
    }

    fn pop(&mut self) {
        if let Some(last) = self.pieces.last_mut() {
            last.count -= 1;
            if last.count == 0 {
                self.pieces.pop();
            }
        }
    }

    /// The place of the next entry that is right: at a whole number of entries from `at`,
    /// or, from `low` on, at any other place if another one follows it there.
    fn resume(&self, region: &[u8], low: usize, at: usize, searched: &mut usize) -> Option<usize> {
        let is_certain = |place: usize| {
            let header = self.header(region, place);
            header.is_some_and(|header| self.rules.is_certain(&header))
        };
        let is_plausible = |place: usize| {
            let header = self.header(region, place);
            header.is_some_and(|header| self.rules.is_plausible(&header))
        };
        let mut place = low;
        while place + self.size <= region.len() {
            let is_shifted = !place.abs_diff(at).is_multiple_of(self.size);
            if is_shifted {
                let next = place + self.size;
                let is_last = next + self.size > region.len();
                let is_free = || self.header(region, next).is_some_and(|it| !it.is_used());
                if is_certain(place) && (is_last || is_certain(next) || is_free()) {
                    return Some(place);
                }
            } else if place > at
                && (is_certain(place) || (is_plausible(place) && is_plausible(place + self.size)))
            {
                return Some(place);
            }
            *searched += 1;
            place += match *searched > MAX_SEARCHED_BYTES && place > at {
                true => self.size - place.abs_diff(at) % self.size,
                false => 1,
            };
        }
        None
    }

    fn mark_damaged(&mut self, slots: Range<u64>) {
        if !slots.is_empty() {
            self.damaged.push(slots);
        }
    }

    fn note_filling(&mut self, region: &[u8], damaged: Range<usize>) {
        let bytes = region.get(damaged).unwrap_or_default();
        let Some(first) = bytes.first() else { return };
        let is_one = bytes.iter().all(|byte| byte == first);
        self.filled = match self.filled {
            _ if !is_one => Filling::Mixed,
            Filling::Unknown => Filling::Byte(*first),
            Filling::Byte(known) if known == *first => self.filled,
            _ => Filling::Mixed,
        };
    }

    /// Removes the entry before a filled one if more than its last word is filled, too.
    fn undo_filled(&mut self, region: &[u8], first_piece: usize, at: usize) {
        let Filling::Byte(filling) = self.filled else {
            return;
        };
        let before = region.get(..at).unwrap_or_default();
        let same = before.iter().rev().take_while(|byte| **byte == filling);
        let word = self.rules.layout.ulong.bytes();
        if same.take(self.size).count() > word
            && self.end(first_piece).is_some_and(|(end, _)| end == at)
        {
            self.pop();
        }
    }

    /// Whether more than the first word of an entry is filled like the one before it.
    fn begins_filled(&self, region: &[u8], at: usize) -> bool {
        let Filling::Byte(filling) = self.filled else {
            return false;
        };
        let rest = region.get(at..).unwrap_or_default().iter();
        let same = rest.take_while(|byte| **byte == filling);
        same.take(self.size).count() > self.rules.layout.ulong.bytes()
    }
}
