//! Dense indices for the kinds of events of a trace.

use crate::{EventKindId, Trace};

/// Kinds with numbers below this are looked up in a table.
const DENSE_LIMIT: u32 = 1 << 16;

/// Assigns indices to the kinds of the catalogue, in its order, and then to
/// those that occur without being in it.
#[derive(Debug, Clone, Default)]
pub(super) struct EventKindTable {
    /// By kind: its index plus 1, or 0.
    dense: Box<[u32]>,
    /// The kinds from [`DENSE_LIMIT`] on with their indices, sorted.
    sparse: Box<[(EventKindId, u32)]>,
    /// By index.
    kinds: Box<[EventKindId]>,
}

impl EventKindTable {
    pub(super) fn new(trace: &Trace) -> Self {
        let mut kinds: Vec<_> = trace.catalogue.iter().map(|kind| kind.id).collect();
        let known = |id: &EventKindId| trace.catalogue.get(*id).is_some();
        kinds.extend(
            trace
                .events
                .occurring_kinds()
                .into_iter()
                .filter(|id| !known(id)),
        );
        let small = kinds.iter().filter(|id| id.0 < DENSE_LIMIT).max();
        let mut dense = vec![0; small.map_or(0, |last| last.index() + 1)];
        let mut sparse = Vec::new();
        for (number, id) in (0_u32..).zip(&kinds) {
            match dense.get_mut(id.index()) {
                Some(cell) => *cell = number + 1,
                None => sparse.push((*id, number)),
            }
        }
        sparse.sort_unstable();
        Self {
            dense: dense.into(),
            sparse: sparse.into(),
            kinds: kinds.into(),
        }
    }

    /// All kinds by index.
    pub(super) fn iter(&self) -> impl Iterator<Item = EventKindId> {
        self.kinds.iter().copied()
    }

    /// The index of a kind; `None` if it does not occur in the trace.
    pub(super) fn index_of(&self, id: EventKindId) -> Option<usize> {
        match self.dense.get(id.index()) {
            Some(number) => (*number as usize).checked_sub(1),
            None => {
                let found = self.sparse.binary_search_by_key(&id, |(id, _)| *id).ok()?;
                self.sparse.get(found).map(|(_, number)| *number as usize)
            }
        }
    }
}
