//! How often each kind of event occurs.

use crate::{EventIndex, EventKindId};

/// Kinds with higher numbers are counted together.
const COUNTED_KINDS: usize = 1 << 16;

/// The number of events of each kind, and the first of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KindCounts {
    kinds: Vec<(u64, u32)>,
    /// Whether there are events of kinds that are not counted.
    has_others: bool,
}

impl KindCounts {
    /// Adds the next event.
    #[inline(always)]
    pub fn add(&mut self, kind: EventKindId, event: u32) {
        if self.kinds.len() <= kind.index() && !self.make_room(kind) {
            return;
        }
        if let Some((count, first)) = self.kinds.get_mut(kind.index()) {
            if *count == 0 {
                *first = event;
            }
            *count += 1;
        }
    }

    #[cold]
    fn make_room(&mut self, kind: EventKindId) -> bool {
        let is_counted = kind.index() < COUNTED_KINDS;
        self.has_others |= !is_counted;
        if is_counted {
            let needed = (kind.index() + 1).next_power_of_two();
            self.kinds.resize(needed, (0, 0));
        }
        is_counted
    }

    /// Adds the counts of events that follow `events` others.
    pub fn append(&mut self, later: &Self, events: u32) {
        self.has_others |= later.has_others;
        for (kind, (count, first)) in later.kinds.iter().enumerate() {
            if *count > 0 {
                let kind = EventKindId(u32::try_from(kind).unwrap_or(u32::MAX));
                self.add(kind, events.saturating_add(*first));
                if let Some((known, _)) = self.kinds.get_mut(kind.index()) {
                    *known += count - 1;
                }
            }
        }
    }

    /// The number of events of a kind, and the first of them; `None` if it is not counted.
    pub fn of(&self, kind: EventKindId) -> Option<(u64, EventIndex)> {
        if kind.index() >= COUNTED_KINDS {
            return (!self.has_others).then_some((0, EventIndex(0)));
        }
        let (count, first) = self.kinds.get(kind.index()).copied().unwrap_or_default();
        Some((count, EventIndex(first)))
    }

    /// Whether a kind may occur.
    pub fn may_occur(&self, kind: EventKindId) -> bool {
        self.of(kind).is_none_or(|(count, _)| count > 0)
    }

    /// All kinds that occur, in order, with their number of events and the first of them;
    /// `None` if not all are counted.
    pub(super) fn all(&self) -> Option<impl Iterator<Item = (EventKindId, u64, EventIndex)>> {
        let kinds = (0..).map(EventKindId).zip(&self.kinds);
        let kinds = kinds.filter(|(_, (count, _))| *count > 0);
        (!self.has_others)
            .then(|| kinds.map(|(kind, (count, first))| (kind, *count, EventIndex(*first))))
    }
}
