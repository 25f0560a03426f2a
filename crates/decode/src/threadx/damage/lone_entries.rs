//! Finds entries with a single field that contradicts all others: a core that nothing else
//! runs on, or a stamp far from those around it, which agree. One bit that changes in a
//! transfer does this.

use crate::threadx::columns::split_id;
use crate::threadx::entry_header::EntryHeader;

/// What the entries of a ring show together.
pub(super) struct RingSurvey {
    /// The bits of the counter.
    mask: u64,
    /// By core: the number of its entries, and the slot of the last one.
    cores: Vec<(u64, u64)>,
    /// The stamps of the last two entries, and the slot of the last one.
    before: Option<u64>,
    last: Option<(u64, u64)>,
    steps: u64,
    near_steps: u64,
    near_sum: u128,
    outliers: Vec<Outlier>,
}

/// An entry with a stamp far from those around it.
struct Outlier {
    slot: u64,
    distance: u64,
}

/// Fewer entries show too little.
const MIN_ENTRIES: u64 = 256;

/// A step of at most this part of the counter's period is near.
const NEAR_PART: u64 = 1 << 12;

/// All near steps together are at most this part of the period: where one entry is far from
/// its neighbours, a whole period would have passed between these.
const SPAN_PART: u128 = 8;

/// An outlier is this many times further from the stamps around it than these from each
/// other, and than the mean step.
const MIN_RATIO: [u64; 2] = [8, 16];

/// There are at least this many entries for each outlier; else the clock is the cause.
const ENTRIES_PER_OUTLIER: u64 = 64;

/// More outliers in a part of a ring are not kept, so that a hostile ring takes no memory.
const MAX_OUTLIERS: usize = 1 << 12;

impl RingSurvey {
    /// `mask` is that of the header.
    pub(super) fn new(mask: u64) -> Self {
        let is_counter = mask.wrapping_add(1).is_power_of_two() || mask == u64::MAX;
        Self {
            mask: if is_counter { mask } else { 0 },
            cores: Vec::new(),
            before: None,
            last: None,
            steps: 0,
            near_steps: 0,
            near_sum: 0,
            outliers: Vec::new(),
        }
    }

    /// Takes the last entries of an earlier part, which has added them itself.
    pub(super) fn follow(&mut self, slot: u64, header: &EntryHeader) {
        self.before = self.last.map(|(_, stamp)| stamp);
        self.last = Some((slot, header.timestamp & self.mask));
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
        let stamp = header.timestamp & self.mask;
        if let Some((middle_slot, middle)) = self.last {
            let step = self.distance(middle, stamp);
            self.steps += 1;
            if step <= self.mask / NEAR_PART {
                self.near_steps += 1;
                self.near_sum += u128::from(step);
            }
            if let Some(before) = self.before {
                let around = self.distance(before, stamp);
                let distance = self.distance(before, middle).min(step);
                let is_far = distance / MIN_RATIO[0] > around;
                let is_kept = self.outliers.len() < MAX_OUTLIERS;
                if is_far && is_kept && around <= self.mask / NEAR_PART {
                    self.outliers.push(Outlier {
                        slot: middle_slot,
                        distance,
                    });
                }
            }
            self.before = Some(middle);
        }
        self.last = Some((slot, stamp));
    }

    /// Adds what a later part of the ring shows.
    pub(super) fn append(&mut self, later: Self) {
        if self.cores.len() < later.cores.len() {
            self.cores.resize(later.cores.len(), (0, 0));
        }
        for (own, (count, slot)) in self.cores.iter_mut().zip(later.cores) {
            *own = (own.0 + count, if count > 0 { slot } else { own.1 });
        }
        self.steps += later.steps;
        self.near_steps += later.near_steps;
        self.near_sum += later.near_sum;
        self.outliers.extend(later.outliers);
    }

    /// The slots of these entries, in order.
    pub(super) fn lone_slots(&self) -> Vec<u64> {
        let entries: u64 = self.cores.iter().map(|(count, _)| count).sum();
        if entries < MIN_ENTRIES {
            return Vec::new();
        }
        let mut slots = self.outlier_slots(entries);
        let mut used = self.cores.iter().filter(|(count, _)| *count > 0);
        if let (Some(one), Some(other), None) = (used.next(), used.next(), used.next()) {
            let lone = [one, other].into_iter().find(|(count, _)| *count == 1);
            slots.extend(lone.map(|(_, slot)| slot));
        }
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    fn outlier_slots(&self, entries: u64) -> Vec<u64> {
        let mean = self.near_sum / u128::from(self.near_steps.max(1));
        let mostly_near = self.near_steps >= self.steps - self.steps / ENTRIES_PER_OUTLIER;
        let is_short = self.near_sum <= u128::from(self.mask) / SPAN_PART;
        if !mostly_near || !is_short {
            return Vec::new();
        }
        let far = u128::from(MIN_RATIO[1]) * mean;
        let outliers = self.outliers.iter();
        let outliers = outliers.filter(|it| u128::from(it.distance) > far);
        let slots: Vec<_> = outliers.map(|it| it.slot).collect();
        match slots.len() as u64 <= entries / ENTRIES_PER_OUTLIER {
            true => slots,
            false => Vec::new(),
        }
    }

    /// The shorter way around the counter.
    fn distance(&self, one: u64, other: u64) -> u64 {
        let forward = other.wrapping_sub(one) & self.mask;
        forward.min((self.mask - forward).saturating_add(1))
    }
}
