//! Which function an address lies in.

use super::entry::{SymbolEntry, SymbolKind};
use std::cmp::Reverse;

/// How many functions before an address are looked at: those that another one
/// lies within are few.
const MAX_NESTED_FUNCTIONS: usize = 32;

/// A stretch of the program that one symbol names.
#[derive(Debug, Clone, Copy)]
pub(super) struct FunctionExtent {
    pub(super) start: u64,
    end: u64,
    is_sized: bool,
    /// The number of its symbol.
    pub(super) entry: usize,
}

/// The functions of a program, by address.
#[derive(Debug, Default)]
pub(super) struct FunctionExtents(Vec<FunctionExtent>);

impl FunctionExtents {
    /// Those of `entries`, of whose addresses only the bits of `mask` count.
    /// A function without a size ends where the next symbol starts.
    pub(super) fn new(entries: &[SymbolEntry], mask: u64) -> Self {
        let address = |entry: &SymbolEntry| match entry.kind.is_code() {
            true => entry.address & mask,
            false => entry.address,
        };
        let mut starts: Vec<u64> = entries.iter().map(address).collect();
        starts.sort_unstable();
        let numbered = entries.iter().enumerate();
        let code = numbered.filter(|(_, entry)| entry.kind.is_code());
        let mut all: Vec<FunctionExtent> = code
            .filter_map(|(number, entry)| {
                let start = address(entry);
                let end = if entry.size > 0 {
                    start.saturating_add(entry.size)
                } else {
                    let next = starts.partition_point(|&other| other <= start);
                    let next = starts.get(next).copied().unwrap_or(u64::MAX);
                    next.min(entry.max_end)
                };
                (start < end).then_some(FunctionExtent {
                    start,
                    end,
                    is_sized: entry.size > 0,
                    entry: number,
                })
            })
            .collect();
        // The best name of a place comes first; among equals the first given.
        all.sort_by_key(|extent| {
            let entry = entries.get(extent.entry);
            let function = entry.is_some_and(|entry| entry.kind == SymbolKind::Function);
            let global = entry.is_some_and(|entry| entry.is_global);
            (
                extent.start,
                Reverse(extent.is_sized),
                Reverse(function),
                Reverse(global),
            )
        });
        all.dedup_by_key(|extent| extent.start);
        Self(all)
    }

    /// The innermost function with a size that holds `address`, else the
    /// nearest without one.
    pub(super) fn at(&self, address: u64) -> Option<FunctionExtent> {
        let behind = self.0.partition_point(|extent| extent.start <= address);
        let before = self
            .0
            .get(..behind)?
            .iter()
            .rev()
            .take(MAX_NESTED_FUNCTIONS);
        let mut holding = before.filter(|extent| address < extent.end);
        let nearest = holding.next()?;
        let sized = std::iter::once(nearest)
            .chain(holding)
            .find(|extent| extent.is_sized);
        sized.or(Some(nearest)).copied()
    }

    /// Whether a function starts right there.
    pub(super) fn start_at(&self, address: u64) -> bool {
        let found = self.0.binary_search_by_key(&address, |extent| extent.start);
        found.is_ok()
    }
}
