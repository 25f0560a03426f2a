//! A ring with its entries in another order.

use super::OrderedEntries;
use crate::records::RecordRun;
use crate::threadx::buffer::TraceBuffer;
use crate::threadx::entry_gaps::GapCause;
use crate::threadx::event_ring::{EventRing, RingGap};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind};

/// Bytes of the shortest cache line of a processor with 4-byte and 8-byte words.
const LINE_BYTES_PER_WORD_BYTE: u64 = 8;

/// A ring in the order of its timestamps.
pub(super) struct Reordered<'a> {
    pub(super) ring: EventRing<'a>,
    /// Entries with timestamps of an earlier lap.
    stale: u64,
    /// These, and those that share memory with them.
    removed: u64,
    first_removed: u64,
}

impl<'a> Reordered<'a> {
    pub(super) fn new(ring: &EventRing<'a>, buffer: &TraceBuffer, order: &OrderedEntries) -> Self {
        let entries = &order.entries;
        let mut is_removed = vec![false; entries.len()];
        let low = order.falls.dips.iter().cloned().flatten();
        let mut stale = 0;
        for at in low {
            stale += 1;
            mark(&mut is_removed, at);
            // The header of an entry is in the same line as the end of the one before it,
            // which for the oldest entry is the newest.
            let before = at.checked_sub(1).unwrap_or(entries.len() - 1);
            if let (Some(earlier), Some(entry)) = (entries.get(before), entries.get(at))
                && shares_line(buffer, entry.slot)
                && earlier.slot + 1 == entry.slot
            {
                mark(&mut is_removed, before);
            }
        }
        let has_unused = ring.runs.iter().map(|run| run.count).sum::<u64>() > entries.len() as u64;
        let mut rebuilt = RunBuilder {
            old: ring,
            size: buffer.layout.entry_bytes(),
            runs: Vec::new(),
            gaps: Vec::new(),
        };
        let mut jumps = order.falls.jumps.iter().copied().peekable();
        let mut before: Option<u64> = None;
        let mut is_broken = false;
        let mut removed = 0;
        let mut removed_between = 0;
        let mut first_removed = None;
        for ((at, entry), is_gone) in entries.iter().enumerate().zip(is_removed) {
            if jumps.peek() == Some(&at) {
                jumps.next();
                is_broken = true;
            }
            if is_gone {
                removed += 1;
                removed_between += 1;
                first_removed.get_or_insert(entry.slot);
                continue;
            }
            let missing = before.map_or(0, |before| match entry.slot.checked_sub(before) {
                Some(distance) => distance.saturating_sub(1),
                None if has_unused => removed_between,
                None => (buffer.event_slots - before - 1).saturating_add(entry.slot),
            });
            let cause = match (is_broken, removed_between) {
                (true, _) => Some(GapCause::Disorder),
                (false, 1..) => Some(GapCause::Damaged),
                (false, 0) => (missing > 0).then_some(GapCause::NotInInput),
            };
            rebuilt.push(entry.run, entry.index, missing, cause);
            before = Some(entry.slot);
            is_broken = false;
            removed_between = 0;
        }
        let RunBuilder { runs, gaps, .. } = rebuilt;
        Self {
            ring: EventRing {
                runs,
                gaps,
                is_wrapped: ring.is_wrapped && !has_unused,
                is_damaged: ring.is_damaged || removed > 0,
            },
            stale,
            removed,
            first_removed: first_removed.unwrap_or_default(),
        }
    }

    pub(super) fn diagnostics(&self, place: impl Fn(u64) -> u64) -> Option<Diagnostic> {
        let stale = pluralise(
            self.stale,
            "entry has a timestamp",
            "entries have timestamps",
        );
        let others = match self.removed - self.stale {
            0 => String::new(),
            others => format!(
                ", and {} memory with them",
                pluralise(others, "entry shares", "entries share")
            ),
        };
        let message = format!(
            "{stale} from before both neighbours{others}, first in slot {}: the memory has stale \
             parts, such as lines that a cache had not written back; these entries are skipped",
            self.first_removed
        );
        let diagnostic = Diagnostic::new(DiagnosticKind::DamagedEntries, message)
            .at_offset(place(self.first_removed))
            .with_count(self.removed);
        (self.removed > 0).then_some(diagnostic)
    }
}

fn mark(marks: &mut [bool], at: usize) {
    if let Some(mark) = marks.get_mut(at) {
        *mark = true;
    }
}

/// Whether a cache line contains the start of a slot and the end of the one before it.
fn shares_line(buffer: &TraceBuffer, slot: u64) -> bool {
    let layout = buffer.layout;
    let distance = slot.saturating_mul(layout.entry_bytes() as u64);
    let address = layout.advance(buffer.header.buffer_start, distance);
    let line = LINE_BYTES_PER_WORD_BYTE * layout.ulong.bytes() as u64;
    !address.is_multiple_of(line)
}

struct RunBuilder<'r, 'a> {
    old: &'r EventRing<'a>,
    size: usize,
    runs: Vec<RecordRun<'a>>,
    gaps: Vec<RingGap>,
}

impl RunBuilder<'_, '_> {
    /// Appends an entry of the old ring, after a gap if there is a cause.
    fn push(&mut self, run: usize, index: usize, missing: u64, cause: Option<GapCause>) {
        let Some(old) = self.old.runs.get(run) else {
            return;
        };
        let slot = old.first + index as u64;
        let start = index * self.size;
        let is_first = self.runs.is_empty();
        if cause.is_none()
            && let Some(last) = self.runs.last_mut()
            && last.end() == slot
            && let Some(from) = start.checked_sub(last.bytes.len())
            && let Some(bytes) = old.bytes.get(from..start + self.size)
            && std::ptr::eq(bytes.as_ptr(), last.bytes.as_ptr())
        {
            last.bytes = bytes;
            last.count += 1;
            return;
        }
        if let Some(cause) = cause.filter(|_| !is_first) {
            self.gaps.push(RingGap {
                run: self.runs.len(),
                missing,
                cause,
            });
        }
        self.runs.push(RecordRun {
            first: slot,
            count: 1,
            bytes: old.bytes.get(start..start + self.size).unwrap_or_default(),
        });
    }
}
