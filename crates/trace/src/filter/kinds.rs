//! The kinds of events of a trace, numbered without holes.

use crate::{KindId, Trace};
use std::collections::BTreeSet;

/// Kinds with numbers below this are looked up in a table.
const DENSE: u32 = 1 << 16;

/// Numbers the kinds that the catalogue has, in its order, and behind them
/// those that occur without being in it.
#[derive(Debug, Clone, Default)]
pub(super) struct KindTable {
    /// By kind: its number and 1, or 0.
    dense: Box<[u32]>,
    /// The kinds from [`DENSE`] on with their numbers, sorted.
    sparse: Box<[(KindId, u32)]>,
    /// By number.
    kinds: Box<[KindId]>,
}

impl KindTable {
    pub(super) fn new(trace: &Trace) -> Self {
        let mut kinds: Vec<_> = trace.catalogue.iter().map(|kind| kind.id).collect();
        let known = |id: &KindId| trace.catalogue.get(*id).is_some();
        kinds.extend(occurring(&trace.events.kind).filter(|id| !known(id)));
        let small = kinds.iter().filter(|id| id.0 < DENSE).max();
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

    /// All kinds by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = KindId> {
        self.kinds.iter().copied()
    }

    /// The number of a kind; `None` for one that is nowhere in the trace.
    pub(super) fn number(&self, id: KindId) -> Option<usize> {
        match self.dense.get(id.index()) {
            Some(number) => (*number as usize).checked_sub(1),
            None => {
                let found = self.sparse.binary_search_by_key(&id, |(id, _)| *id).ok()?;
                self.sparse.get(found).map(|(_, number)| *number as usize)
            }
        }
    }
}

/// Each kind that occurs, once, by number.
fn occurring(column: &[KindId]) -> impl Iterator<Item = KindId> {
    let mut small = vec![false; DENSE as usize];
    let mut large = BTreeSet::new();
    for id in column {
        match small.get_mut(id.index()) {
            Some(seen) => *seen = true,
            None => {
                large.insert(*id);
            }
        }
    }
    let small = (0..DENSE).zip(small).filter(|(_, seen)| *seen);
    small.map(|(id, _)| KindId(id)).chain(large)
}
