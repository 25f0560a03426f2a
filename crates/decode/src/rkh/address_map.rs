//! Addresses of active objects made into small numbers, fast.

use crate::cache::AddressCache;
use std::collections::HashMap;

/// Numbers by address.
#[derive(Debug, Clone)]
pub(super) struct AddressMap<T> {
    recent: Box<AddressCache<Option<T>>>,
    entries: HashMap<u32, T>,
}

/// No address of a target whose addresses have 4 bytes.
const NO_ADDRESS: u64 = u64::MAX;

impl<T: Copy> AddressMap<T> {
    pub(super) fn new() -> Self {
        Self {
            recent: Box::new(AddressCache::new(NO_ADDRESS, None)),
            entries: HashMap::new(),
        }
    }

    /// What is known of an address.
    #[inline(always)]
    pub(super) fn get(&self, address: u32) -> Option<T> {
        match self.recent.get(address.into()) {
            Some(known) => known,
            None => self.entries.get(&address).copied(),
        }
    }

    /// What is known of an address, or from now on.
    #[inline(always)]
    pub(super) fn get_or_insert(&mut self, address: u32, make: impl FnOnce() -> T) -> T {
        match self.recent.get(address.into()) {
            Some(Some(value)) => value,
            _ => {
                let value = *self.entries.entry(address).or_insert_with(make);
                self.recent.insert(address.into(), Some(value));
                value
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_keep_their_numbers() {
        let mut addresses = AddressMap::new();
        for address in (0..40_000).step_by(4) {
            assert_eq!(
                addresses.get_or_insert(address, || address / 4),
                address / 4
            );
        }
        for address in (0..40_000).step_by(4) {
            assert_eq!(addresses.get(address), Some(address / 4));
            assert_eq!(addresses.get_or_insert(address, || 0), address / 4);
        }
        assert_eq!(addresses.get(1), None);
    }
}
