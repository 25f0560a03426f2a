//! Finds entries with a single field that contradicts all others: a core that nothing else
//! runs on, or a stamp far from those around it. One bit that changes in a transfer does this.

use crate::clock::OutlierScan;
use crate::threadx::cores::split_id;
use crate::threadx::entry_header::EntryHeader;

/// What the entries of a ring show together.
pub(super) struct RingSurvey {
    /// By core: the number of its entries, and the slot of the last one.
    cores: Vec<(u64, u64)>,
    pub(super) stamps: OutlierScan,
}

/// Fewer entries show too little.
const MIN_ENTRIES: u64 = 256;

impl RingSurvey {
    /// `mask` is that of the header.
    pub(super) fn new(mask: u64) -> Self {
        Self {
            cores: Vec::new(),
            stamps: OutlierScan::new(mask),
        }
    }

    /// Takes the last entries of an earlier part, which has added them itself.
    pub(super) fn follow(&mut self, slot: u64, header: &EntryHeader) {
        self.stamps.follow(slot, header.timestamp);
    }

    /// Adds the used entry of a slot.
    #[inline]
    pub(super) fn add(&mut self, slot: u64, header: &EntryHeader) {
        let (core, _) = split_id(header.id as u32);
        let core = usize::from(core);
        if self.cores.len() <= core {
            self.cores.resize(core + 1, (0, 0));
        }
        if let Some(entries) = self.cores.get_mut(core) {
            *entries = (entries.0 + 1, slot);
        }
        self.stamps.add(slot, header.timestamp);
    }

    /// Adds what a later part of the ring shows.
    pub(super) fn append(&mut self, later: Self) {
        if self.cores.len() < later.cores.len() {
            self.cores.resize(later.cores.len(), (0, 0));
        }
        for (own, (count, slot)) in self.cores.iter_mut().zip(later.cores) {
            *own = (own.0 + count, if count > 0 { slot } else { own.1 });
        }
        self.stamps.append(later.stamps);
    }

    /// The slots of these entries, in order.
    pub(super) fn lone_slots(&self) -> Vec<u64> {
        let entries: u64 = self.cores.iter().map(|(count, _)| count).sum();
        // Of an earlier lap, more than one field is not the target's.
        let mut slots = self.stamps.positions_of_this_lap(entries);
        let mut used = self.cores.iter().filter(|(count, _)| *count > 0);
        if entries >= MIN_ENTRIES
            && let (Some(one), Some(other), None) = (used.next(), used.next(), used.next())
        {
            let lone = [one, other].into_iter().find(|(count, _)| *count == 1);
            slots.extend(lone.map(|(_, slot)| slot));
        }
        slots.sort_unstable();
        slots.dedup();
        slots
    }
}
