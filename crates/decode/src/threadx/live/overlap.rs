//! What of a buffer is new, by its overlap with the one before.
//!
//! A kernel writes slot after slot. If it has not gone round the ring since the
//! last buffer, the newest entry that is known stands where it stood, and so do
//! those before it up to the slot that is written next: this is the proof that
//! the entries behind the newest known one follow it. If they are gone, the
//! whole ring is new, and how many entries were overwritten unseen is known only
//! up to whole laps. A ring that was sent exactly when it was full, again and
//! again, has no overlap at all: its buffers are never taken for consecutive,
//! even if they are.

use super::snapshot::Snapshot;
use crate::threadx::glance::Glance;
use rtoscope_wire::threadx::Layout;
use std::ops::Range;

/// How a buffer goes on from the one before.
pub(super) enum Overlap {
    /// The slots with the entries that follow the newest known one.
    Follows {
        new: Vec<Range<usize>>,
        /// Slots of known entries that were written to once more, and how many
        /// known entries there are behind each.
        amended: Vec<(usize, u64)>,
    },
    /// Nothing known is left: all slots, oldest first, and the fewest writes in
    /// all since the last buffer that this takes.
    Lost {
        new: Vec<Range<usize>>,
        writes: Option<u64>,
    },
    /// Tracing was started again: the slots since then.
    Restarted { new: Vec<Range<usize>> },
    /// Something is left, but not what should be: the buffer may be damaged, or
    /// was read while the target overtook the reader.
    Doubtful,
}

/// Equal entries behind the last unequal one that prove what fewer would not.
const PROOF: u64 = 4;

/// Equal entries for an unequal one, where only single entries are damaged.
const MANY: u64 = 8;

/// Compares a buffer with the one before. `is_distinct` says whether stamps are
/// such that two entries are hardly ever equal, `is_second` whether the last
/// buffer was doubtful: what is then still there was not overwritten meanwhile.
pub(super) fn compare(
    known: &Snapshot,
    next: &Snapshot,
    is_distinct: bool,
    is_second: bool,
) -> Overlap {
    if !known.is_same_ring(next) {
        return by_content(known, next);
    }
    let survivors = Survivors::new(known, next);
    match survivors.verdict(next, is_distinct) {
        Verdict::Proved => {}
        Verdict::Doubtful if is_second => {}
        Verdict::Doubtful => return Overlap::Doubtful,
        Verdict::Torn if !is_second => return Overlap::Doubtful,
        Verdict::Torn | Verdict::Gone => return lost(known, next),
    }
    Overlap::Follows {
        new: next.between(known.current, next.current),
        amended: survivors.amended,
    }
}

/// What survivors say.
enum Verdict {
    /// The newest known entry is where it was.
    Proved,
    /// It is not, or not clearly, but hardly anything else is missing.
    Doubtful,
    /// More is missing: the target was faster than the reader.
    Torn,
    /// The overlap is gone.
    Gone,
}

fn lost(known: &Snapshot, next: &Snapshot) -> Overlap {
    let (mut new, has_wrapped) = next.order();
    if is_begun(known, next)
        && let Some(oldest) = new.first_mut()
    {
        oldest.start += usize::from(oldest.start == next.current);
    }
    let all_used = || new.iter().cloned().flatten().all(|slot| next.is_used(slot));
    if !has_wrapped && all_used() {
        return Overlap::Restarted { new };
    }
    // The newest known entry was overwritten, which takes a whole lap.
    let writes = next.slots + next.distance(known.current, next.current);
    Overlap::Lost {
        new,
        writes: Some(writes as u64),
    }
}

/// Whether the slot that is written next is half written: the kernel writes
/// context, priority and id first, and the rest is as it was.
fn is_begun(known: &Snapshot, next: &Snapshot) -> bool {
    let rest = 3 * next.buffer.layout.ulong.bytes();
    let (was, is) = (known.entry(next.current), next.entry(next.current));
    was != is && was.get(rest..) == is.get(rest..)
}

/// What is left of what is known, in slots that the writer has not come to.
struct Survivors {
    newest_is_equal: bool,
    /// Entries that are the same, and that are not.
    equal: u64,
    unequal: u64,
    /// Entries before the first unequal one, from the newest backwards.
    unbroken: u64,
    amended: Vec<(usize, u64)>,
}

impl Survivors {
    fn new(known: &Snapshot, next: &Snapshot) -> Self {
        let mut survivors = Self {
            newest_is_equal: false,
            equal: 0,
            unequal: 0,
            unbroken: 0,
            amended: Vec::new(),
        };
        let newest = next.before(known.current);
        if known.is_used(newest) && Self::all_are_equal(known, next) {
            survivors.equal = 1;
            survivors.newest_is_equal = true;
            return survivors;
        }
        let count = next.slots - next.distance(known.current, next.current);
        let mut slot = newest;
        let mut behind = 0;
        for _ in 0..count {
            if known.is_used(slot) {
                survivors.compare(known, next, slot, behind);
                if slot == newest {
                    survivors.newest_is_equal = survivors.equal > 0;
                }
                behind += 1;
            }
            slot = next.before(slot);
        }
        survivors
    }

    fn all_are_equal(known: &Snapshot, next: &Snapshot) -> bool {
        let is_equal = |range: Range<usize>| known.entries(range.clone()) == next.entries(range);
        if next.current == known.current {
            return is_equal(0..next.slots);
        }
        let mut left = next.between(next.current, known.current).into_iter();
        left.all(is_equal)
    }

    fn verdict(&self, next: &Snapshot, is_distinct: bool) -> Verdict {
        if self.equal == 0 {
            return Verdict::Gone;
        }
        if self.newest_is_equal && self.unequal == 0 {
            return Verdict::Proved;
        }
        if !is_distinct {
            return Verdict::Gone;
        }
        match self.newest_is_equal {
            true if self.unbroken >= PROOF => Verdict::Proved,
            true => Verdict::Doubtful,
            false if self.equal >= MANY.saturating_mul(self.unequal) => Verdict::Doubtful,
            false if next.order().1 => Verdict::Torn,
            // A target that was started again may begin as it did before.
            false => Verdict::Gone,
        }
    }

    fn compare(&mut self, known: &Snapshot, next: &Snapshot, slot: usize, behind: u64) {
        let (was, is) = (known.entry(slot), next.entry(slot));
        let layout = next.buffer.layout;
        if was == is {
            self.equal += 1;
        } else if !next.is_used(slot) {
            // Not read, or left out: this says nothing.
            return;
        } else if is_amended(layout, was, is) {
            self.equal += 1;
            self.amended.push((slot, behind));
        } else if slot == next.current && self.equal > 0 {
            // The kernel has begun to write the next entry.
            return;
        } else {
            self.unequal += 1;
        }
        if self.unequal == 0 {
            self.unbroken += 1;
        }
    }
}

/// Whether two entries are the same one, of which a field was written later, as
/// the kernel does once it knows a result.
pub(super) fn is_amended(layout: Layout, was: &[u8], is: &[u8]) -> bool {
    let word = layout.ulong.bytes();
    let Some(glance) = Glance::at(layout, was) else {
        return false;
    };
    // Context, priority, id and stamp.
    if was.get(..4 * word) != is.get(..4 * word) {
        return false;
    }
    let differs = |field: usize| {
        let field = field * word..(field + 1) * word;
        was.get(field.clone()) != is.get(field)
    };
    let changed: Vec<usize> = (4..8).filter(|field| differs(*field)).collect();
    // `TX_TRACE_THREAD_RESUME` and `_SUSPEND` get their fourth field later, the
    // calls that allocate from pools their second. FileX, NetX and USBX fill in
    // what they like (`fx_trace_event_update` and its like).
    match glance.id as u32 & 0x00FF_FFFF {
        1 | 2 => changed == [7],
        10 | 20 => changed == [5],
        200..=999 => true,
        _ => false,
    }
}

/// Comparisons for each entry, beyond which entries are too much alike to find
/// any among them.
const MOST_COMPARISONS: usize = 16;

/// Where a ring has another place or size than before, its entries are looked
/// for wherever they are now.
fn by_content(known: &Snapshot, next: &Snapshot) -> Overlap {
    let used = |snapshot: &Snapshot| -> (Vec<usize>, bool) {
        let (ranges, has_wrapped) = snapshot.order();
        let slots = ranges.into_iter().flatten();
        let used = slots.filter(|slot| snapshot.is_used(*slot)).collect();
        (used, has_wrapped)
    };
    let (old, _) = used(known);
    let (slots, _) = used(next);
    let mut comparisons = MOST_COMPARISONS * (old.len() + slots.len());
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
        (Some(place), None) if !old.is_empty() => Overlap::Follows {
            new: new(place + 1),
            amended: Vec::new(),
        },
        _ if known.is_same_place(next) => Overlap::Lost {
            new: new(0),
            writes: None,
        },
        _ => Overlap::Restarted { new: new(0) },
    }
}
