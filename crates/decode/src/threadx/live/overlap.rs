//! Finds the new entries of a buffer by its overlap with the previous one.
//!
//! A kernel writes slot after slot. If it has not wrapped past the newest known
//! entry since the last buffer, that entry is still in its slot, and so are the
//! entries before it down to the slot to be written next: this proves that the
//! entries after the newest known one follow it. If they are gone, the whole
//! ring is new, and the number of overwritten entries is known only modulo the
//! ring size. A ring that is sent each time exactly when it is full has no
//! overlap at all: its buffers are never considered consecutive, even if they
//! are.

use super::snapshot::BufferSnapshot;
use crate::threadx::entry_header::EntryHeader;
use rtoscope_wire::threadx::BufferLayout;
use std::ops::Range;

/// How a buffer continues the previous one.
pub(super) enum BufferOverlap {
    /// The slots with the entries that follow the newest known one.
    Follows {
        new: Vec<Range<usize>>,
        /// Slots of known entries that were updated, and the number of known
        /// entries after each.
        amended: Vec<(usize, u64)>,
    },
    /// No known entry is left: all slots, oldest first, and the minimum number
    /// of writes since the last buffer.
    Lost {
        new: Vec<Range<usize>>,
        writes: Option<u64>,
    },
    /// Tracing was restarted: the slots written since then.
    Restarted { new: Vec<Range<usize>> },
    /// Some known entries are left, but not the expected ones: the buffer may
    /// be damaged, or the target overtook the reader.
    Doubtful,
}

/// Number of equal entries after the last unequal one that is sufficient proof.
const MIN_PROOF_ENTRIES: u64 = 4;

/// Number of equal entries per unequal one if only single entries are damaged.
const DAMAGE_TOLERANCE: u64 = 8;

/// Compares a buffer with the previous one. `is_distinct`: two entries rarely
/// have the same timestamp. `is_second`: the last buffer was doubtful, so
/// entries still present now were not overwritten meanwhile.
pub(super) fn compare(
    known: &BufferSnapshot,
    next: &BufferSnapshot,
    is_distinct: bool,
    is_second: bool,
) -> BufferOverlap {
    if !known.is_same_ring(next) {
        return overlap_by_content(known, next);
    }
    let survivors = SurvivingEntries::new(known, next);
    match survivors.verdict(next, is_distinct) {
        OverlapVerdict::Proved => {}
        OverlapVerdict::Doubtful if is_second => {}
        OverlapVerdict::Doubtful => return BufferOverlap::Doubtful,
        OverlapVerdict::Torn if !is_second => return BufferOverlap::Doubtful,
        OverlapVerdict::Torn | OverlapVerdict::Gone => return lost_overlap(known, next),
    }
    BufferOverlap::Follows {
        new: next.slots_between(known.current, next.current),
        amended: survivors.amended,
    }
}

/// The verdict about the surviving entries.
enum OverlapVerdict {
    /// The newest known entry is in its slot.
    Proved,
    /// It is not, or not certainly, but few other entries are missing.
    Doubtful,
    /// More entries are missing: the target was faster than the reader.
    Torn,
    /// There is no overlap.
    Gone,
}

fn lost_overlap(known: &BufferSnapshot, next: &BufferSnapshot) -> BufferOverlap {
    let mut new = next.order.clone();
    if is_half_written(known, next)
        && let Some(oldest) = new.first_mut()
    {
        oldest.start += usize::from(oldest.start == next.current);
    }
    let all_used = || new.iter().cloned().flatten().all(|slot| next.is_used(slot));
    if !next.is_wrapped && all_used() {
        return BufferOverlap::Restarted { new };
    }
    // The newest known entry was overwritten, which takes a whole lap.
    let writes = next.slots + next.distance(known.current, next.current);
    BufferOverlap::Lost {
        new,
        writes: Some(writes as u64),
    }
}

/// Whether the slot to be written next is half-written: the kernel writes
/// context, priority and id first, and the rest is unchanged.
fn is_half_written(known: &BufferSnapshot, next: &BufferSnapshot) -> bool {
    let rest = 3 * next.buffer.layout.ulong.bytes();
    let (was, is) = (known.entry(next.current), next.entry(next.current));
    was != is && was.get(rest..) == is.get(rest..)
}

/// The known entries that survive in slots that the writer has not reached.
#[derive(Default)]
struct SurvivingEntries {
    newest_is_equal: bool,
    /// Equal and unequal entries.
    equal_entries: u64,
    unequal_entries: u64,
    /// Entries before the first unequal one, from the newest backwards.
    unbroken: u64,
    amended: Vec<(usize, u64)>,
}

impl SurvivingEntries {
    fn new(known: &BufferSnapshot, next: &BufferSnapshot) -> Self {
        let mut survivors = Self::default();
        let newest = next.slot_before(known.current);
        if known.is_used(newest) && Self::all_are_equal(known, next) {
            survivors.equal_entries = 1;
            survivors.newest_is_equal = true;
            return survivors;
        }
        let count = next.slots - next.distance(known.current, next.current);
        let mut slot = newest;
        let mut newer_count = 0;
        for _ in 0..count {
            if known.is_used(slot) {
                survivors.compare(known, next, slot, newer_count);
                if slot == newest {
                    survivors.newest_is_equal = survivors.equal_entries > 0;
                }
                newer_count += 1;
            }
            slot = next.slot_before(slot);
        }
        survivors
    }

    fn all_are_equal(known: &BufferSnapshot, next: &BufferSnapshot) -> bool {
        let is_equal = |range: Range<usize>| known.entries(range.clone()) == next.entries(range);
        if next.current == known.current {
            return is_equal(0..next.slots);
        }
        let mut left = next.slots_between(next.current, known.current).into_iter();
        left.all(is_equal)
    }

    fn verdict(&self, next: &BufferSnapshot, is_distinct: bool) -> OverlapVerdict {
        if self.equal_entries == 0 {
            return OverlapVerdict::Gone;
        }
        if self.newest_is_equal && self.unequal_entries == 0 {
            return OverlapVerdict::Proved;
        }
        if !is_distinct {
            return OverlapVerdict::Gone;
        }
        match self.newest_is_equal {
            true if self.unbroken >= MIN_PROOF_ENTRIES => OverlapVerdict::Proved,
            true => OverlapVerdict::Doubtful,
            false
                if self.equal_entries >= DAMAGE_TOLERANCE.saturating_mul(self.unequal_entries) =>
            {
                OverlapVerdict::Doubtful
            }
            false if next.is_wrapped => OverlapVerdict::Torn,
            // A restarted target may begin as it did before.
            false => OverlapVerdict::Gone,
        }
    }

    fn compare(
        &mut self,
        known: &BufferSnapshot,
        next: &BufferSnapshot,
        slot: usize,
        newer_count: u64,
    ) {
        let (was, is) = (known.entry(slot), next.entry(slot));
        let layout = next.buffer.layout;
        if was == is {
            self.equal_entries += 1;
        } else if !next.is_used(slot) {
            // Not read, or skipped: no evidence.
            return;
        } else if is_amended(layout, was, is) {
            self.equal_entries += 1;
            self.amended.push((slot, newer_count));
        } else if slot == next.current && self.equal_entries > 0 {
            // The kernel has begun to write the next entry.
            return;
        } else {
            self.unequal_entries += 1;
        }
        if self.unequal_entries == 0 {
            self.unbroken += 1;
        }
    }
}

/// Whether two entries are versions of one entry: the kernel writes some fields
/// later, once a result is known.
pub(super) fn is_amended(layout: BufferLayout, was: &[u8], is: &[u8]) -> bool {
    let word = layout.ulong.bytes();
    let Some(header) = EntryHeader::read(layout, was) else {
        return false;
    };
    // Context, priority, id and timestamp.
    if was.get(..4 * word) != is.get(..4 * word) {
        return false;
    }
    let differs = |field: usize| {
        let field = field * word..(field + 1) * word;
        was.get(field.clone()) != is.get(field)
    };
    let changed: Vec<usize> = (4..8).filter(|field| differs(*field)).collect();
    // The kernel writes the fourth field of `TX_TRACE_THREAD_RESUME` and
    // `_SUSPEND` later, and the second field of calls that allocate from pools.
    // FileX, NetX and USBX update any field (`fx_trace_event_update` and
    // similar functions).
    match header.id as u32 & 0x00FF_FFFF {
        1 | 2 => changed == [7],
        10 | 20 => changed == [5],
        200..=999 => true,
        _ => false,
    }
}

/// Maximum number of comparisons per entry: beyond it, entries are too similar
/// to identify.
const MAX_COMPARISONS_PER_ENTRY: usize = 16;

/// Searches for the known entries in the whole ring if its address or size has
/// changed.
fn overlap_by_content(known: &BufferSnapshot, next: &BufferSnapshot) -> BufferOverlap {
    let used = |snapshot: &BufferSnapshot| -> Vec<usize> {
        let used = snapshot.used_slots(&snapshot.order).map(|(slot, _)| slot);
        used.collect()
    };
    let (old, slots) = (used(known), used(next));
    let mut comparisons = MAX_COMPARISONS_PER_ENTRY * (old.len() + slots.len());
    let mut follows = |position: &usize| {
        let back = slots.get(..=*position).unwrap_or_default().iter().rev();
        let mut pairs = back.zip(old.iter().rev());
        pairs.all(|(slot, old)| {
            comparisons = comparisons.saturating_sub(1);
            comparisons > 0 && next.entry(*slot) == known.entry(*old)
        })
    };
    let mut places = (0..slots.len()).filter(|position| follows(position));
    let new = |from: usize| -> Vec<Range<usize>> {
        let new = slots.get(from..).unwrap_or_default();
        new.iter().map(|slot| *slot..*slot + 1).collect()
    };
    match (places.next(), places.next()) {
        (Some(place), None) if !old.is_empty() => BufferOverlap::Follows {
            new: new(place + 1),
            amended: Vec::new(),
        },
        _ if known.is_same_place(next) => BufferOverlap::Lost {
            new: new(0),
            writes: None,
        },
        _ => BufferOverlap::Restarted { new: new(0) },
    }
}
