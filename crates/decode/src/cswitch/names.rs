//! Pointers of entries made into small numbers, fast.

use crate::cache::Cache;
use rtoscope_trace::{Address, ContextId, Contexts};
use std::collections::HashMap;

/// The contexts and addresses that entries speak of.
pub(super) struct Known {
    pub(super) contexts: Contexts,
    threads: HashMap<u64, ContextId>,
    recent_threads: Cache<ContextId>,
    /// The name of interrupt handlers, as the last of them gave it.
    handlers_name: Option<u64>,
    /// Every name that interrupt handlers gave.
    handlers_names: Vec<u64>,
    addresses: HashMap<u64, Uses>,
    recent_addresses: Cache<Uses>,
}

/// What an address in the code was recorded as, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Uses(u8);

impl Uses {
    /// Where the code goes on.
    pub(super) const PLACE: Self = Self(1);
    /// Where a call returns to: one instruction behind what called.
    pub(super) const RETURN: Self = Self(2);
    /// Where an interrupt handler begins.
    pub(super) const HANDLER: Self = Self(4);

    /// Whether it was recorded as that.
    pub(super) fn has(self, use_: Self) -> bool {
        self.0 & use_.0 == use_.0
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Different names of interrupt handlers that are kept apart from threads.
const MOST_HANDLERS_NAMES: usize = 64;

impl Known {
    pub(super) fn new() -> Self {
        let nowhere = Address(0);
        Self {
            contexts: Contexts::new(nowhere, nowhere, nowhere),
            threads: HashMap::new(),
            recent_threads: Cache::new(0, ContextId::UNKNOWN),
            handlers_name: None,
            handlers_names: Vec::new(),
            addresses: HashMap::new(),
            recent_addresses: Cache::new(0, Uses::default()),
        }
    }

    /// The thread whose name lies at `pointer`.
    #[inline(always)]
    pub(super) fn thread(&mut self, pointer: u64) -> ContextId {
        match self.recent_threads.get(pointer) {
            Some(id) if id != ContextId::UNKNOWN => id,
            _ => self.look_up(pointer),
        }
    }

    #[inline(never)]
    fn look_up(&mut self, pointer: u64) -> ContextId {
        let contexts = &mut self.contexts;
        let threads = self.threads.entry(pointer);
        let id = *threads.or_insert_with(|| contexts.push_thread(Address(pointer), None));
        self.recent_threads.keep(pointer, id);
        id
    }

    /// Whoever disabled or restored interrupts: a thread, an interrupt handler
    /// that gave its own name, or nobody's name.
    #[inline(always)]
    pub(super) fn locker(&mut self, pointer: u64) -> ContextId {
        match self.recent_threads.get(pointer) {
            Some(id) if id != ContextId::UNKNOWN => id,
            _ => self.look_up_locker(pointer),
        }
    }

    #[inline(never)]
    fn look_up_locker(&mut self, pointer: u64) -> ContextId {
        if pointer == 0 {
            return Contexts::IDLE;
        }
        let is_thread = self.threads.contains_key(&pointer);
        if !is_thread && self.handlers_names.contains(&pointer) {
            return Contexts::INTERRUPT;
        }
        self.look_up(pointer)
    }

    /// Notes the name that an interrupt handler gave.
    #[inline(always)]
    pub(super) fn handler(&mut self, pointer: u64) {
        if self.handlers_name != Some(pointer) {
            self.handlers_name = Some(pointer);
            if self.handlers_names.len() < MOST_HANDLERS_NAMES
                && !self.handlers_names.contains(&pointer)
            {
                self.handlers_names.push(pointer);
            }
        }
    }

    /// Notes an address in the code.
    #[inline(always)]
    pub(super) fn address(&mut self, address: u64, used: Uses) {
        let recent = self.recent_addresses.get(address);
        if !recent.is_some_and(|recent| recent.has(used)) {
            self.note(address, used);
        }
    }

    #[inline(never)]
    fn note(&mut self, address: u64, used: Uses) {
        let uses = self.addresses.entry(address).or_default();
        *uses = uses.and(used);
        self.recent_addresses.keep(address, *uses);
    }

    /// The names that interrupt handlers gave.
    pub(super) fn handlers_names(&self) -> &[u64] {
        &self.handlers_names
    }

    /// All addresses in the code and what they were recorded as, in order.
    pub(super) fn addresses(&self) -> Vec<(u64, Uses)> {
        let all = self.addresses.iter();
        let mut all: Vec<_> = all.map(|(address, uses)| (*address, *uses)).collect();
        all.sort_unstable_by_key(|(address, _)| *address);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_keep_their_numbers() {
        let mut known = Known::new();
        let ids: Vec<_> = (0..3000).map(|pointer| known.thread(pointer * 8)).collect();
        assert_eq!(known.contexts.len(), 3003);
        for (pointer, id) in (0..3000).zip(ids) {
            assert_eq!(known.thread(pointer * 8), id);
            assert!(id.is_thread());
        }
    }

    #[test]
    fn handlers_are_no_threads() {
        let mut known = Known::new();
        known.handler(0x100);
        known.handler(0x200);
        assert_eq!(known.locker(0x100), Contexts::INTERRUPT);
        assert_eq!(known.locker(0x200), Contexts::INTERRUPT);
        assert_eq!(known.locker(0), Contexts::IDLE);
        let thread = known.thread(0x100);
        assert_eq!(known.locker(0x100), thread);
        assert_eq!(known.locker(0x300), known.thread(0x300));
    }

    #[test]
    fn addresses_gather_their_uses() {
        let mut known = Known::new();
        known.address(0, Uses::PLACE);
        known.address(8, Uses::PLACE);
        known.address(8, Uses::RETURN);
        known.address(8, Uses::PLACE);
        let addresses = known.addresses();
        assert_eq!(addresses.len(), 2);
        let (address, uses) = addresses[1];
        assert_eq!(address, 8);
        assert!(uses.has(Uses::PLACE) && uses.has(Uses::RETURN) && !uses.has(Uses::HANDLER));
    }
}
