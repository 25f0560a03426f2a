//! Finds the function that contains an address.

use crate::entry::{SymbolEntry, SymbolKind};
use std::cmp::Reverse;

/// Maximum number of functions before an address to examine: few functions
/// contain another one.
const MAX_NESTED_FUNCTIONS: usize = 32;

/// A code range with one symbol.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FunctionExtent {
    pub(crate) start: u64,
    end: u64,
    is_sized: bool,
    /// The index of its symbol.
    pub(crate) entry: usize,
}

/// The functions of a program, by address.
#[derive(Debug, Default)]
pub(crate) struct FunctionExtents(Vec<FunctionExtent>);

impl FunctionExtents {
    /// Creates the extents of `entries`, using only the bits `mask` of their
    /// addresses. A function without a size ends at the start of the next
    /// symbol.
    pub(crate) fn new(entries: &[SymbolEntry], mask: u64) -> Self {
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
        // The best name of an address comes first; among equals the first
        // given.
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

    /// The innermost function with a size that contains `address`, or the
    /// nearest one without a size.
    pub(crate) fn at(&self, address: u64) -> Option<FunctionExtent> {
        let following = self.0.partition_point(|extent| extent.start <= address);
        let before = self
            .0
            .get(..following)?
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

    /// Whether a function starts at `address`.
    pub(crate) fn start_at(&self, address: u64) -> bool {
        let found = self.0.binary_search_by_key(&address, |extent| extent.start);
        found.is_ok()
    }
}
