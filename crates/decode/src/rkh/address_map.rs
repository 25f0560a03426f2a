//! Maps the addresses of active objects to ids quickly.

use crate::cache::AddressCache;
use std::collections::HashMap;

/// Values by address.
#[derive(Debug, Clone)]
pub(super) struct AddressMap<T> {
    recent: Box<AddressCache<Option<T>>>,
    entries: HashMap<u32, T>,
}

/// An invalid address of a target with 4-byte addresses.
const NO_ADDRESS: u64 = u64::MAX;

impl<T: Copy> AddressMap<T> {
    pub(super) fn new() -> Self {
        Self {
            recent: Box::new(AddressCache::new(NO_ADDRESS, None)),
            entries: HashMap::new(),
        }
    }

    /// The value of an address.
    #[inline(always)]
    pub(super) fn get(&self, address: u32) -> Option<T> {
        match self.recent.get(address.into()) {
            Some(known) => known,
            None => self.entries.get(&address).copied(),
        }
    }

    /// The value of an address; inserts one if there is none.
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
