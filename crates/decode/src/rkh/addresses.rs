//! Addresses of active objects made into small numbers, fast.

use std::collections::HashMap;

/// A direct-mapped cache of this many addresses stands before a hash map.
const SLOTS: usize = 256;

/// Numbers by address.
#[derive(Debug, Clone)]
pub(super) struct Addresses<T> {
    recent: Box<[Option<(u32, T)>; SLOTS]>,
    all: HashMap<u32, T>,
}

impl<T: Copy> Addresses<T> {
    pub(super) fn new() -> Self {
        Self {
            recent: Box::new([None; SLOTS]),
            all: HashMap::new(),
        }
    }

    #[inline(always)]
    fn slot(address: u32) -> usize {
        // Fibonacci hashing: objects lie at regular distances.
        (address.wrapping_mul(0x9E37_79B9) >> 24) as usize
    }

    /// What is known of an address.
    #[inline(always)]
    pub(super) fn get(&self, address: u32) -> Option<T> {
        match self.recent[Self::slot(address)] {
            Some((known, value)) if known == address => Some(value),
            _ => self.all.get(&address).copied(),
        }
    }

    /// What is known of an address, or from now on.
    #[inline(always)]
    pub(super) fn get_or_insert(&mut self, address: u32, make: impl FnOnce() -> T) -> T {
        match self.recent[Self::slot(address)] {
            Some((known, value)) if known == address => value,
            _ => {
                let value = *self.all.entry(address).or_insert_with(make);
                self.recent[Self::slot(address)] = Some((address, value));
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
        let mut addresses = Addresses::new();
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
